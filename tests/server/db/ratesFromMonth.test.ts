import { beforeEach, expect, test } from 'vitest'
import type { Db } from '../../../server/db/db.ts'
import { formerDatabase, type FormerDatabase } from './formerDatabase.ts'

let former: FormerDatabase
let db: Db

/** A database as it was before rates had a month of their own. */
beforeEach(async () => {
  former = await formerDatabase('014')
  db = former.db
  await db.query(`insert into master_agent (id, name) values (1, 'A'), (2, 'B')`)
  await db.query(
    `insert into import_batch (kind, filename, sha256, size, username, rows, inserted, updated, unchanged)
      values ('compdata', 'a', '', 0, 'a', 0, 0, 0, 0)`,
  )
  return () => former.close()
})

const rate = (agent: number, field: string, month: string, value: number) =>
  db.query(
    `insert into agent_rate (masteragentid, field, value, from_month, username) values ($1, $2, $3, $4, 'ann')`,
    [agent, field, value, month],
  )
const rates = () =>
  db.query(
    'select masteragentid as agent, field, from_month as month, value from agent_rate order by 1, 2, 3',
  )
const earn = (...months: string[]) =>
  db.query(
    `insert into residual (month, processor, xmid, batchid) select m, 'P', 'x', 1 from unnest($1::date[]) m`,
    [months],
  )
const lock = (month: string) =>
  db.query(`insert into month_lock (month, version, hash, username) values ($1, 1, '', 'ann')`, [month])

test('the oldest rate of each agent and field begins with the first open month that holds data, if it was later', async () => {
  await earn('2026-07-01', '2026-08-01', '2026-09-01')
  await lock('2026-07-01')
  await rate(1, 'amount', '2026-09-01', 1)
  await rate(1, 'amount', '2026-10-01', 2)
  await rate(1, 'percent', '2026-08-01', 3)
  await rate(2, 'amount', '1900-01-01', 4)
  await rate(2, 'amount', '2026-09-01', 5)
  await rate(2, 'percent', '2026-12-01', 6)
  await former.update()
  expect(await rates()).toEqual([
    { agent: 1, field: 'amount', month: '2026-08-01', value: 1 },
    { agent: 1, field: 'amount', month: '2026-10-01', value: 2 },
    { agent: 1, field: 'percent', month: '2026-08-01', value: 3 },
    { agent: 2, field: 'amount', month: '1900-01-01', value: 4 },
    { agent: 2, field: 'amount', month: '2026-09-01', value: 5 },
    { agent: 2, field: 'percent', month: '2026-08-01', value: 6 },
  ])
})

test.each([
  ['without data', async () => {}],
  [
    'with every month of data locked',
    async () => {
      await earn('2026-07-01')
      await lock('2026-07-01')
    },
  ],
])('%s no rate moves', async (_, prepare) => {
  await prepare()
  await rate(1, 'amount', '2026-09-01', 1)
  const before = await rates()
  await former.update()
  expect(await rates()).toEqual(before)
})

test('a month that was reopened is open', async () => {
  await earn('2026-07-01', '2026-08-01')
  await lock('2026-07-01')
  await db.query(`update month_lock set reopened_at = now(), reopened_by = 'ann', reason = 'again'`)
  await rate(1, 'amount', '2026-09-01', 1)
  await former.update()
  expect(await rates()).toEqual([{ agent: 1, field: 'amount', month: '2026-07-01', value: 1 }])
})
