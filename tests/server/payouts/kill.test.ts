import { afterAll, beforeAll, expect, test } from 'vitest'
import { payoutPortal } from './payoutPortal.ts'
import { approvedOrigin, killInRelease, month, releaseProcess, type Approved } from './releaseKills.ts'

let approved: Approved
beforeAll(async () => {
  approved = await approvedOrigin()
})
afterAll(() => approved.origin.close())

test('a portal killed with -9 around the commit of a release has paid all or nothing, and pays once in the end', async () => {
  const { statements } = await killInRelease(approved, null)
  const last = { beforeCommit: statements, afterCommit: statements + 1 }
  expect((await killInRelease(approved, last.beforeCommit)).isDone).toBe(false)
  expect((await killInRelease(approved, last.afterCommit)).isDone).toBe(true)
}, 120_000)

test('of two processes that release a run at the same moment one pays, and the other is answered that it is not approved', async () => {
  const portal = await payoutPortal(4)
  const [ann, bob] = await Promise.all(
    (['ann', 'bob'] as const).map(async (who) => releaseProcess(portal.url, await portal.signedIn(who))),
  )
  try {
    for (let round = 1; round <= 10; round += 1) {
      await portal.earn(2, month, 10)
      await portal.lock(month)
      const order = { month, hash: await portal.approve(month), dieAt: null }
      const said = await Promise.all([ann!.order(order), bob!.order(order)])
      expect(said.map((it) => it?.status).sort()).toEqual([200, 409])
      const [row] = await portal.db.query('select sum(amount) as paid, count(*) as rows from payout_payment')
      expect(row).toEqual({ paid: 10 * round, rows: round })
      await portal.reopen(month)
    }
  } finally {
    await Promise.all([ann!.end(), bob!.end()])
    await portal.close()
  }
}, 120_000)
