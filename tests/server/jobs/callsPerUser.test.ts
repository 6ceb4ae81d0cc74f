import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'
import { waitingForLocks } from '../../whileUncommitted.ts'

let portal: TestPortal
let [staff, admin]: SignedIn[] = []
beforeAll(async () => {
  portal = await openTestPortal()
  ;[staff, admin] = [await portal.login('staff'), await portal.login('admin')]
})
afterAll(() => portal.close())

test.each([
  [3, 'is answered', true],
  [4, 'waits', false],
])(
  'beside %i calls of one person that are worked on another one %s, and those of others are answered',
  async (count, _, isAnsweredAtOnce) => {
    let isAnswered = false
    const { calls } = await portal.db.transaction(async (tx) => {
      await tx.query('lock table merchant in access exclusive mode')
      const held = Array.from({ length: count }, (__, at) => staff!.call('GET', `/api/v1/merchant/${at + 1}`))
      await expect.poll(() => waitingForLocks(portal.db), { interval: 10 }).toBe(count)
      const next = staff!.call('GET', '/api/v1/masteragent/2').then((answer) => {
        isAnswered = true
        return answer
      })
      if (isAnsweredAtOnce) await next
      for (let times = 0; times < 5; times += 1)
        expect((await admin!.call('GET', '/api/v1/masteragent/2')).status).toBe(200)
      expect(isAnswered).toBe(isAnsweredAtOnce)
      return { calls: Promise.all([...held, next]) }
    })
    expect((await calls).map(({ status }) => status)).toEqual(Array(count + 1).fill(200))
  },
)
