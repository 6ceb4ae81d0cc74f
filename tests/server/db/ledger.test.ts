import { afterAll, beforeAll, expect, test } from 'vitest'
import { formerDatabase, type FormerDatabase } from './formerDatabase.ts'

let former: FormerDatabase
/** Two agents; the money of 2 goes to 1. January and February are locked, February twice. */
beforeAll(async () => {
  former = await formerDatabase('017')
  const { db } = former
  await db.query(`insert into master_agent (id, name) values (1, 'A'), (2, 'B')`)
  await db.query(
    `insert into month_lock (month, version, hash, username, reopened_at, reopened_by, reason) values
      ('2026-01-01', 1, '', 'ann', null, null, null),
      ('2026-02-01', 1, '', 'ann', now(), 'ann', 'A late file'),
      ('2026-02-01', 2, '', 'ann', null, null, null)`,
  )
  const statement = (lock: number, agent: number, payable: number) =>
    db.query(
      `insert into locked_statement (lockid, masteragentid, displayid, name, payeeid, isofficeaccount, merchants,
          txncount, sales, net, own, override, withheld, equipment, adjustments, subscriptions, carryin, due,
          carryout, payable)
        values ($1, $2::int, 'MA000' || $2::int, 'Then', case when $2::int = 2 then 1 end, false, 0, 0, 0, 0, $3, 0,
          0, 0, 0, 0, 0, $3, 0, $3)`,
      [lock, agent, payable],
    )
  for (const [lock, agent, payable] of [
    [1, 1, 10],
    [1, 2, 5.5],
    [2, 1, 20],
    [2, 2, 0],
    [3, 1, 30],
    [3, 2, 0],
  ] as const)
    await statement(lock, agent, payable)
  await db.query(
    `insert into report_export (at, username, address, report, inputs, format, month, lockversion, modifier, copy)
      values ('2026-03-06 12:00Z', 'bob', '', 'ach-payout', '{}', 'nacha', '2026-02-01', 1, 'A', 1)`,
  )
  await former.update()
})
afterAll(() => former.close())

test('a month with a later lock counts as paid with what was payable, one payment a payee, its day unknown', async () => {
  expect(
    await former.db.query(
      `select r.month::text as month, r.how, p.payeeid, p.amount, p.effective,
          (select jsonb_agg(jsonb_build_array(masteragentid, amount, version) order by masteragentid)
            from payout_allocation a where a.paymentid = p.id) as allocations
        from payout_payment p join payout_release r on r.id = p.releaseid`,
    ),
  ).toEqual([
    {
      month: '2026-01-01',
      how: 'migrated',
      payeeid: 1,
      amount: 15.5,
      effective: null,
      allocations: [
        [1, 10, 1],
        [2, 5.5, 1],
      ],
    },
  ])
})

test('the bank file of a version that was opened again is proposed as an adjustment, and takes nothing back', async () => {
  expect(
    await former.db.query('select masteragentid, amount, reason, author, state from adjustment'),
  ).toEqual([
    {
      masteragentid: 1,
      amount: -20,
      reason: 'Paid by the bank file of February 2026, version 1, which was opened again',
      author: 'portal',
      state: 'proposed',
    },
  ])
})
