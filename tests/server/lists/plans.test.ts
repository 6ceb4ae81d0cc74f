import { afterAll, beforeAll, expect, test } from 'vitest'
import { entities } from '../../../schemas/entities/index.ts'
import { merchant } from '../../../schemas/entities/merchant.ts'
import type { Sql } from '../../../server/db/db.ts'
import { listCondition } from '../../../server/entities/condition.ts'
import { fromClause } from '../../../server/entities/sql.ts'
import { findRecords } from '../../../server/find/found.ts'
import type { Caller } from '../../../server/http/call.ts'
import { monthSource } from '../../../server/money/monthSource.ts'
import { withoutIndexes } from '../../fixtures/withoutIndexes.ts'
import { openTestPortal, type TestPortal } from '../../testPortal.ts'
import { statementsOf } from './statements.ts'

let portal: TestPortal
beforeAll(async () => {
  portal = await openTestPortal()
  await withoutIndexes(portal.db, ['merchant', 'equipment', 'daily_volume'], async () => {
    await portal.db.query(
      `insert into merchant (xmid, dba, masteragentid, sales_rep, status, businesstype, accountstatus)
      select '5' || lpad(n::text, 11, '0'), 'Shop ' || md5(n::text), 2 + n % 59, 'Rep ' || n % 500,
        case n % 50 when 0 then 'Pending' else 'Approved' end,
        case n % 100 when 0 then 'Chandlery' else 'Retail' end, 2
      from generate_series(1, 100000) n`,
    )
    await portal.db.query(
      `insert into equipment (model, serialnumber, merchantid)
      select 'Duo', 'E' || n, (select min(id) from merchant) from generate_series(1, 20000) n`,
    )
    await portal.db.query(
      `insert into daily_volume (volumedate, xmid, netamount, batchid)
      select current_date - n % 40, '5' || lpad((n / 40)::text, 11, '0'), n % 100,
        (select min(id) from import_batch)
      from generate_series(1, 40000) n`,
    )
  })
  await portal.db.query('vacuum analyze merchant, equipment, daily_volume, merchant_count, volume_sum')
}, 300_000)
afterAll(() => portal.close())

/** The scans of tables that PostgreSQL reads from end to end for a search among 100,000 merchants. */
const wholeScans = async (name: string, search: string, filter = '', scope: number[] | null = null) => {
  const it = entities[name]!
  const { where, values } = await listCondition(portal.db, it, { scope }, { search, filter })
  const plan = await portal.db.query<{ 'QUERY PLAN': string }>(
    `explain select count(*) from ${fromClause(it).split(' left join ')[0]} where ${where}`,
    values,
  )
  const lines = plan.map((line) => line['QUERY PLAN'])
  return lines.filter((line) => /Seq Scan on (merchant|equipment)\b/.test(line))
}

test.each([
  ['merchant', 'chandlery pending'],
  ['merchant', 'shop abcd'],
  ['merchant', '50000012345'],
  ['merchant', 'zzznothing'],
  ['equipment', 'e19999'],
])('a search of %s for selective words (%s) reads no whole table', async (name, search) => {
  expect(await wholeScans(name, search)).toEqual([])
})

test('a search for a name that merchants of one agent bear by it reads these by their index', async () => {
  await portal.db.query(`update master_agent set name = 'Umbra' where id = 9`)
  expect(await wholeScans('merchant', 'umbra')).toEqual([])
})

test('a search of terminals for a word that most merchants have looks at the merchants of the terminals alone', async () => {
  expect(await wholeScans('equipment', 'shop')).toEqual([expect.stringContaining('Seq Scan on equipment')])
})

test('a filter by one agent reads no whole table', async () => {
  expect(await wholeScans('merchant', '', 'masteragentid:9')).toEqual([])
  expect(await wholeScans('equipment', '', 'merchantid:999999', [2])).toEqual([])
})

test('the total of a search is exact', async () => {
  const admin = await portal.login('admin')
  const [counted] = await portal.db.query<{ n: number }>(
    `select count(*)::int as n from merchant where businesstype = 'Chandlery' and status = 'Pending'`,
  )
  const { body } = await admin.call('GET', '/api/v1/merchant?search=pending+chandlery')
  expect(body.total_length).toBe(counted!.n)
})

const isBig = /Seq Scan on (merchant|equipment|daily_volume)\b/
/** A scan below a limit ends as soon as it has found enough. */
const readsAll = (plan: string) =>
  plan.split('\n').some((line, at, lines) => isBig.test(line) && !/\bLimit\b/.test(lines[at - 1] ?? ''))

/** The plans of what a call sends: for its values, and for any where it is prepared. */
async function plansOf(call: () => Promise<{ status: number }>): Promise<string[]> {
  const plans: string[] = []
  for (const { text, name, values } of await statementsOf(call)) {
    if (!/^\s*(select|with)\b/.test(text)) continue
    const own = await portal.db.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values)
    const generic = name ? await portal.db.query(`explain (generic_plan) ${text}`) : []
    const lines = (rows: Record<string, unknown>[]) => rows.map((row) => row['QUERY PLAN']).join('\n')
    plans.push(lines(own), lines(generic))
  }
  return plans
}

test.each([
  'merchant',
  'merchant?page=5000',
  'merchant?page=9000&size=10&sort=xmid',
  'merchant?sort=dba',
  'merchant?sort=-businesstype',
  'merchant?sort=date_added',
  'merchant?sort=-date_closed',
  'merchant?sort=notes',
  'merchant?sort=-masteragentid',
  'merchant?sort=masteragentid&page=3000',
  'merchant?sort=dba&filter=masteragentid:9',
  'merchant/ids',
  'merchant/ids?search=zzznothing',
  'merchant/ids?search=abcd',
  'merchant/ids?search=50000012345',
  'merchant/ids?search=shop',
  'merchant/1',
  'equipment/1',
  'masteragent?size=100',
  'masteragent?size=100&sort=-activemerchantcount',
  'profit',
])('%s reads no large table from end to end, for everybody and for a branch', async (path) => {
  await portal.db.query(`update equipment set masteragentid = 2 where id = 1`)
  await portal.db.query(`update merchant set masteragentid = 2 where id = 1`)
  for (const name of ['admin', 'agent']) {
    const who = await portal.login(name)
    const plans = await plansOf(() => who.call('GET', `/api/v1/${path}`))
    expect(plans.length).toBeGreaterThan(1)
    expect(plans.filter(readsAll).join('\n\n')).toBe('')
  }
})

test('a filter that no row passes does not look for ten such rows in the order of the list, one by one', async () => {
  const admin = await portal.login('admin')
  const sent = await statementsOf(() => admin.call('GET', '/api/v1/merchant?sort=dba&filter=status:empty'))
  const plans = await Promise.all(
    sent.map(({ text, values }) =>
      portal.db.query<{ 'QUERY PLAN': string }>(`explain (analyze, costs off) ${text}`, values),
    ),
  )
  const lines = plans.flat().map((line) => line['QUERY PLAN'])
  const inOrder = lines.filter((line, at) => {
    const [, removed] = /Rows Removed by Filter: (\d+)/.exec(line) ?? []
    const scan = lines.slice(0, at).findLast((before) => / Scan /.test(before))
    return Number(removed ?? 0) > 1_000 && scan?.includes('Index')
  })
  expect(inOrder).toEqual([])
})

test.each([null, [2, 3]])(
  'a search of everything for words that merchants may have reads no merchant, in the scope %j',
  async (scope) => {
    let plan = ''
    const explaining: Sql = {
      async query(sql, values = []) {
        const lines = await portal.db.query<{ 'QUERY PLAN': string }>(`explain ${sql}`, values)
        plan = lines.map((line) => line['QUERY PLAN']).join('\n')
        return []
      },
      prepared: (sql, values) => portal.db.prepared(sql, values),
    }
    await findRecords(explaining, merchant, { scope } as Caller, ['walrus', 'sons'])
    expect(plan).toContain('merchant_search')
    expect(plan).not.toContain('Seq Scan on merchant')
  },
)

test.each([
  ['added', null],
  ['moved', `update merchant set masteragentid = 4 where xmid like '7%'`],
  ['removed', `delete from merchant where xmid like '7%'`],
])(
  'the volume of two thousand merchants that are %s is not looked for among that of all',
  async (_, change) => {
    const undone = new Error('undone')
    const add = `insert into merchant (xmid, dba, masteragentid, accountstatus)
    select '7' || lpad(n::text, 11, '0'), 'New', 3, 2 from generate_series(1, 2000) n`
    const scans = async (sql: Sql) => {
      const [row] = await sql.query<{ n: number }>(
        `select seq_scan as n from pg_stat_xact_user_tables where relname = 'daily_volume'`,
      )
      return row!.n
    }
    let read: number | undefined
    const work = portal.db.transaction(async (tx) => {
      if (change) await tx.query(add)
      const before = await scans(tx)
      await tx.query(change ?? add)
      read = (await scans(tx)) - before
      throw undone
    })
    await expect(work).rejects.toBe(undone)
    expect(read).toBe(0)
  },
)

test('the lines of an agent in an open month are read by its merchants, not among all rows of the month', async () => {
  const month = '2031-03-01'
  await portal.db.query(
    `insert into residual (month, processor, xmid, txncount, sales, income, net, batchid)
      select $1, 'Aurora', xmid, 1, 100, 1, 1, (select min(id) from import_batch) from merchant`,
    [month],
  )
  await portal.db.query(`update master_agent set amountcommissionreceived = 1 where id between 2 and 40`)
  await portal.db.query('update merchant set masteragentid = 59 where masteragentid = 60 and id % 20 > 0')
  await portal.db.query('analyze merchant, residual')
  const rowsRead = async (agents: number[]) => {
    const { ctes, values } = await monthSource(portal.db, month, { agents })
    const lines = await portal.db.query<{ 'QUERY PLAN': string }>(
      `explain (analyze, timing off, costs off) with recursive ${ctes}
        select * from statement s left join pay_line p on p.masteragentid = s.masteragentid`,
      values,
    )
    return lines
      .map(
        (line) =>
          /\bon residual\b.*actual rows=([\d.]+) loops=(\d+)/.exec(line['QUERY PLAN']) ?? ['', '0', '0'],
      )
      .reduce((sum, [, rows, loops]) => sum + Number(rows) * Number(loops), 0)
  }
  // Of 100,000 merchants 60 has under a hundred; those of 1 to 9 are more than are looked up one by one.
  expect(await rowsRead([60])).toBeLessThan(1_000)
  expect(await rowsRead([1, 2, 3, 4, 5, 6, 7, 8, 9])).toBeGreaterThan(100_000)
})

test('what each merchant brought up to a month is summed by processor in the order of an index, without its rows', async () => {
  await portal.db.query(
    `insert into residual (month, processor, xmid, batchid)
      select '2031-04-01', 'Aurora', xmid, (select min(id) from import_batch) from merchant limit 100`,
  )
  const admin = await portal.login('admin')
  const report = () => admin.call('POST', '/api/v1/report/merchant-profitability', { month: '2031-04' })
  const declared = (await statementsOf(report)).find(({ text }) => text.startsWith('declare'))!
  const plan = await portal.db.transaction(async (tx) => {
    // Hashes and sorts of so few rows cost less than their order; of a million they are written to the disk.
    for (const way of ['hashagg', 'seqscan', 'bitmapscan', 'sort', 'nestloop'])
      await tx.query(`set local enable_${way} = off`)
    const select = declared.text.replace(/^declare \S+ no scroll cursor for/, 'explain (costs off)')
    return tx.query<{ 'QUERY PLAN': string }>(select, declared.values)
  })
  const lines = plan.map((line) => line['QUERY PLAN'].replace(/^[ ->]*/, ''))
  const key = /^Group Key: (r(?:_\d+)?)\.xmid, \1\.processor$/
  const sum = lines.findIndex((line) => key.test(line))
  const [, alias] = key.exec(lines[sum] ?? '') ?? []
  expect([lines[sum - 1], lines[sum + 1]]).toEqual([
    'GroupAggregate',
    `Index Only Scan using residual_merchant on residual ${alias}`,
  ])
})
