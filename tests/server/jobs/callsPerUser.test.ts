import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
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

/** Tries to sign in from an address, with a password that is wrong. */
const tryFrom = async (remoteAddress: string, username: string) => {
  const { cookie } = await portal.stranger()
  const { statusCode } = await portal.app.inject({
    method: 'PUT',
    url: '/api/v1/login',
    remoteAddress,
    headers: { cookie: `XSRF-TOKEN=${cookie}`, 'x-xsrf-token': cookie },
    payload: { username, password: 'wrong' },
  })
  return statusCode
}

test('beside four calls from one address without a session another one waits, and those from elsewhere are answered', async () => {
  let isAnswered = false
  const { calls } = await portal.db.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtext('login held'))`)
    const held = Array.from({ length: 4 }, () => tryFrom('192.0.2.1', 'held'))
    await expect.poll(() => waitingForLocks(portal.db), { interval: 10 }).toBe(4)
    const next = tryFrom('192.0.2.1', 'other').then((status) => {
      isAnswered = true
      return status
    })
    for (let times = 0; times < 5; times += 1) expect(await tryFrom('192.0.2.2', 'other')).toBe(401)
    expect(isAnswered).toBe(false)
    return { calls: Promise.all([...held, next]) }
  })
  expect(await calls).toEqual(Array(5).fill(401))
})

test('calls of a user who is called like an address take no turns of those who come from there', async () => {
  const password = 'tall green lanterns'
  const user = { username: '192.0.2.3', password, confirm_password: password, masteragentid: 1 }
  expect((await admin!.call('POST', '/api/v1/user', user)).status).toBe(201)
  const named = await portal.login(user.username, password)
  expect((await named.call('POST', '/api/v1/tc/accept')).status).toBe(204)
  const calls = await portal.db.transaction(async (tx) => {
    await tx.query('lock table merchant in access exclusive mode')
    const held = Array.from({ length: 4 }, (_, at) => named.call('GET', `/api/v1/merchant/${at + 1}`))
    await expect.poll(() => waitingForLocks(portal.db), { interval: 10 }).toBe(4)
    expect(await tryFrom(user.username, 'other')).toBe(401)
    return { held }
  })
  expect((await Promise.all(calls.held)).map(({ status }) => status)).toEqual(Array(4).fill(200))
})

test('a call whose sender has gone while it waited is not worked on', async () => {
  await portal.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = portal.app.server.address() as AddressInfo
  const { token, cookie } = admin!
  const found = () => portal.db.query(`select 1 from processor where name = 'Gone'`)
  const askOthers = async () => {
    for (let times = 0; times < 5; times += 1)
      expect((await staff!.call('GET', '/api/v1/masteragent/2')).status).toBe(200)
  }
  const send = (signal: AbortSignal) =>
    fetch(`http://127.0.0.1:${port}/api/v1/processor`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        cookie: `XSRF-TOKEN=${cookie}`,
        'x-xsrf-token': cookie,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ name: 'Gone' }),
      signal,
    }).then(
      ({ status }) => status,
      () => 'gone',
    )
  const leaving = new AbortController()
  const { calls } = await portal.db.transaction(async (tx) => {
    await tx.query('lock table merchant in access exclusive mode')
    const held = Array.from({ length: 4 }, (_, at) => admin!.call('GET', `/api/v1/merchant/${at + 1}`))
    await expect.poll(() => waitingForLocks(portal.db), { interval: 10 }).toBe(4)
    const come = once(portal.app.server, 'request')
    const sent = send(leaving.signal)
    const [, { socket }] = await come
    await askOthers()
    const left = once(socket, 'close')
    leaving.abort()
    await left
    return { calls: Promise.all([sent, ...held]) }
  })
  const [outcome] = await calls
  expect(outcome).toBe('gone')
  await askOthers()
  expect(await found()).toEqual([])
  expect(await send(new AbortController().signal)).toBe(201)
})
