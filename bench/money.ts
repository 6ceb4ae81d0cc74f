/**
 * The money of a large customer: 500 agents in four levels, twelve open months and a large one behind them.
 * Measures all statements of the large month, one agent's statement, the summary, the variance of agents, the
 * missing income and the detail of the month against an aggregate of the same rows written by hand,
 * interleaved in one run, and its lock, which is taken back, against a plain copy of its rows. Prints
 * medians, the CPU seconds of portal and database first, and how long readers and writers take beside the
 * lock and without it.
 * `npx tsx bench/money.ts [rows of the large month] [share of them in each month before]`
 */
import { setTimeout } from 'node:timers/promises'
import type { Tx } from '../server/db/db.ts'
import { inLargeTransaction } from '../server/db/largeWork.ts'
import { lockMonth, lockMonthIn } from '../server/money/lock.ts'
import { holdMonth } from '../server/money/months.ts'
import { monthSource } from '../server/money/monthSource.ts'
import { readMissing } from '../server/money/variance/missing.ts'
import { keepPresence } from '../server/money/variance/presence.ts'
import { readVariance } from '../server/money/variance/variance.ts'
import { readMonthDetail } from '../server/payouts/monthDetail.ts'
import { statement } from '../server/reports/catalogue/statement.ts'
import { summary } from '../server/reports/catalogue/summary.ts'
import type { Report, ReportContext } from '../server/reports/engine/report.ts'
import { cpuSeconds, measureTime, median, openBenchDatabase } from './support.ts'

const [rows, smallMonths, rounds] = [Number(process.argv[2] ?? 200_000), 12, 3]
const before = Math.round(rows * Number(process.argv[3] ?? 0.1))
const { db, close } = await openBenchDatabase('money', { max: 6 })
const months = Array.from({ length: smallMonths + 1 }, (_, n) =>
  new Date(Date.UTC(2025, n, 1)).toISOString().slice(0, 10),
)
const large = months.at(-1)!

await db.query(`
  insert into master_agent (id, name, parentid, percentagecommissionreceived, amountcommissionreceived,
      routingnumber, bankaccountnumber)
    select n, 'Agent ' || n,
      case when n <= 10 then null when n <= 60 then 1 + n % 10 when n <= 200 then 11 + n % 50
        else 61 + n % 140 end,
      case when n <= 10 then 70 when n <= 60 then 60 when n <= 200 then 55.5 else 50.25 end,
      case when n % 3 = 0 then 2.5 end, '021000021', '\\x01'
    from generate_series(1, 500) n order by n`)
await db.query(
  `insert into merchant (xmid, dba, masteragentid, accountstatus, processor, date_approved)
    select '5' || lpad(n::text, 11, '0'), 'Merchant ' || n, 1 + n % 500,
      case when n % 12 = 0 then 3 else 2 end, 'P' || n % 3, case when n <= $2 then 1700000000 + n end
    from generate_series(1, $1::int) n`,
  [rows, before],
)
await db.query(
  `insert into import_batch (kind, filename, sha256, size, username, rows, inserted, updated, unchanged)
    values ('compdata', 'x', '', 0, 'x', 0, 0, 0, 0)`,
)
// One merchant of 37 costs more than it brings; one of 101 is missing in each month.
await db.query(
  `insert into residual (month, processor, xmid, txncount, sales, income, expense, net, batchid)
    select m.month, 'P' || n % 3, '5' || lpad(n::text, 11, '0'), n % 40, n,
      20 + n % 977 * 0.37, e.expense, 20 + n % 977 * 0.37 - e.expense, 1
    from unnest($1::date[]) with ordinality m (month, i)
      cross join generate_series(1::bigint, case when m.i = $2 then $3::int else $4::int end) n
      cross join lateral (select case when n % 37 = 0 then 400 else n % 911 * 0.02 end as expense) e
    where (n * 7 + m.i * 13) % 101 <> 0
    order by m.month, 2, 3`,
  [months, months.length, rows, before],
)
await db.query('vacuum analyze')

type Cost = { cpu: number; wall: number }
/** CPU seconds of portal and database, and milliseconds, that `work` takes. */
async function measureCost(work: () => Promise<unknown>): Promise<Cost> {
  const start = await cpuSeconds(db)
  const wall = await measureTime(work)
  return { cpu: (await cpuSeconds(db)) - start, wall }
}
const medianCost = (costs: readonly Cost[]): Cost => ({
  cpu: median(costs.map(({ cpu }) => cpu)),
  wall: median(costs.map(({ wall }) => wall)),
})
const print = (name: string, { cpu, wall }: Cost, note = '') =>
  console.log(
    name.padEnd(48),
    `${cpu.toFixed(2).padStart(7)} CPU s ${(wall / 1000).toFixed(2).padStart(8)} s  ${note}`,
  )

/** Only what this one month needs: four levels, difference overrides and flat amounts. */
const writtenByHand = `
  with line as (
    select a.id as a0, b.id as a1, c.id as a2, d.id as a3, r.net,
      round(a.percentagecommissionreceived * r.net / 100, 2)
        + case when m.accountstatus <> 3 and (r.txncount > 0 or r.sales <> 0)
            then coalesce(a.amountcommissionreceived, 0) else 0 end as p0,
      round(greatest(0, b.percentagecommissionreceived - a.percentagecommissionreceived)
        * r.net / 100, 2) as p1,
      round(greatest(0, c.percentagecommissionreceived - greatest(a.percentagecommissionreceived,
        b.percentagecommissionreceived)) * r.net / 100, 2) as p2,
      round(greatest(0, d.percentagecommissionreceived - greatest(a.percentagecommissionreceived,
        b.percentagecommissionreceived, c.percentagecommissionreceived)) * r.net / 100, 2) as p3,
      m.accountstatus = 3 as held
    from residual r join merchant m on m.xmid = r.xmid join master_agent a on a.id = m.masteragentid
      left join master_agent b on b.id = a.parentid left join master_agent c on c.id = b.parentid
      left join master_agent d on d.id = c.parentid
    where r.month = $1),
  pay as (
    select a0 as id, case when held then 0 else p0 end as own, 0 as override, net from line
    union all select a1, 0, case when held then 0 else p1 end, 0 from line where a1 is not null
    union all select a2, 0, case when held then 0 else p2 end, 0 from line where a2 is not null
    union all select a3, 0, case when held then 0 else p3 end, 0 from line where a3 is not null)
  select a.id, a.name, sum(p.own) as own, sum(p.override) as override, sum(p.net) as net
  from pay p join master_agent a on a.id = p.id group by a.id order by a.id`
type Row = { own: number; override: number; net: number }
const byHand = () => inLargeTransaction(db, (tx) => tx.query<Row>(writtenByHand, [large]))
const byPortal = () =>
  inLargeTransaction(db, async (tx) => {
    const { ctes, values } = await monthSource(tx, large, { agents: null })
    return tx.query<Row>(
      `with recursive ${ctes} select masteragentid as id, own, override, net from statement order by 1`,
      values,
    )
  })
const amounts = (found: Row[]) => JSON.stringify(found.map(({ own, override, net }) => [own, override, net]))

/** Runs the SQL of a report; its rows are counted and not sent. */
const runReport = (report: Report, inputs: Record<string, unknown>) =>
  inLargeTransaction(db, async (tx) => {
    const context = { sql: tx, scope: null, inputs } as unknown as ReportContext
    const { sql, values } = await report.query(context)
    await tx.query(`select count(*) from (${sql}) q`, [...values])
  })

console.log(
  `${rows.toLocaleString('en-US')} rows in the month, ${smallMonths} open months before it, 500 agents in ` +
    `four levels; medians of ${rounds}`,
)
if (amounts(await byPortal()) !== amounts(await byHand())) throw new Error('The two do not agree')
const page = { page: 1, size: 25 } as const
const states = { secret: Buffer.alloc(32), fourEyes: false, timeZone: 'UTC', now: new Date() }
const readDetail = () =>
  inLargeTransaction(db, (tx) => readMonthDetail(tx, { ...states, month: large, scope: null }))
const works: Record<string, () => Promise<unknown>> = {
  'an aggregate of the same rows, written by hand': byHand,
  'all statements (goal 2 x)': byPortal,
  'Residual Summary by Agent (goal 2 x)': () => runReport(summary, { month: large }),
  'Agent Residual Statement of one agent': () => runReport(statement, { month: large, agent: 500 }),
  'variance by agent, both months open': () =>
    inLargeTransaction(db, (tx) =>
      readVariance(tx, { month: large, by: 'agent', against: 'last', kind: '', ...page }),
    ),
  'missing income of twelve months': () =>
    inLargeTransaction(db, (tx) => readMissing(tx, { month: large, dismissed: 0, search: '', ...page })),
  'the detail of the month': readDetail,
}
print(
  'writing down who is in the files of a year, once',
  await measureCost(() => keepPresence(db, months[1]!, large)),
)
const costs = new Map<string, Cost[]>(Object.keys(works).map((name) => [name, []]))
for (let round = 0; round < rounds; round += 1)
  for (const [name, work] of Object.entries(works)) costs.get(name)!.push(await measureCost(work))
const [hand, ...others] = [...costs].map(([name, found]) => ({ name, cost: medianCost(found) }))
print(hand!.name, hand!.cost)
for (const { name, cost } of others) print(name, cost, `${(cost.cpu / hand!.cost.cpu).toFixed(1)} x by hand`)
console.log(`its answer has ${JSON.stringify(await readDetail()).length.toLocaleString('en-US')} characters`)

const action = { username: 'bench', address: '', waive: 'Measured, not paid' }
for (const month of months.slice(0, smallMonths)) await lockMonth(db, { month, ...action })
await db.query('vacuum analyze')

const [following, locked] = ['2026-02-01', months[smallMonths - 1]!]
const pick = (count: number) => 1 + Math.floor(Math.random() * count)
/** What others do while a month is locked, by name. */
const beside: Record<string, () => Promise<unknown>> = {
  'reads a page of merchants': () =>
    db.query('select * from merchant where id > $1 order by id limit 50', [pick(rows)]),
  'reads a statement of another month': () => runReport(statement, { month: locked, agent: 500 }),
  'writes a merchant': () =>
    db.query('update merchant set masteragentid = $2, version = version + 1 where id = $1', [
      pick(rows),
      pick(500),
    ]),
  'writes an adjustment of the next month': () =>
    db.transaction(async (tx) => {
      await holdMonth(tx, following)
      await tx.query(
        `insert into adjustment (masteragentid, month, amount, reason, author) values ($1, $2, 1, 'x', 'x')`,
        [pick(500), following],
      )
    }),
}

/** Milliseconds of each call that began before `work` ended, one every 20 ms, by name. */
async function measureBeside(work: () => Promise<unknown>): Promise<Map<string, number[]>> {
  let isOver = false
  const calls = Object.entries(beside).map(async ([name, call]) => {
    const times: number[] = []
    while (!isOver) {
      times.push(await measureTime(call))
      await setTimeout(20)
    }
    return [name, times.toSorted((a, b) => a - b)] as const
  })
  await work().finally(() => {
    isOver = true
  })
  return new Map(await Promise.all(calls))
}
const describeTimes = (times: readonly number[]) =>
  `p99 ${times[Math.floor(times.length * 0.99)]!.toFixed(0)} ms, slowest ${times.at(-1)!.toFixed(0)} ms`

const undone = new Error('undone')
/** Works in a transaction that leaves nothing behind. */
const trial = (work: (tx: Tx) => Promise<unknown>) =>
  db
    .transaction(async (tx) => {
      await work(tx)
      throw undone
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error
    })

/** Copies the rows of the lock by one statement into a table of the same columns and index. */
const copyPlainly = () =>
  trial(async (tx) => {
    await tx.query('create table plain_copy (like locked_merchant including indexes)')
    await tx.query(
      `insert into plain_copy
        select 1, row_number() over (order by r.xmid, r.processor), r.xmid, m.dba, m.masteragentid,
          m.accountstatus, r.processor, r.txncount, r.sales, r.income, r.expense, r.net, r.net, true,
          m.date_closed
        from residual r join merchant m on m.xmid = r.xmid where r.month = $1`,
      [large],
    )
  })
const plain = await measureCost(copyPlainly)
print('a plain copy of its rows', plain)
const alone = await measureCost(() => trial((tx) => lockMonthIn(tx, { month: large, ...action })))
print('its lock', alone, `${(alone.cpu / plain.cpu).toFixed(1)} x the copy (goal 30 s at 1,000,000)`)

const idle = await measureBeside(() => setTimeout(5_000))
let locking = 0
const busy = await measureBeside(async () => {
  locking = await measureTime(() => lockMonth(db, { month: large, ...action }))
})
console.log(`its lock, while others read and write: ${(locking / 1000).toFixed(2)} s`)
for (const [name, times] of busy)
  console.log(
    `  ${name.padEnd(38)} beside it ${describeTimes(times)}; without it ${describeTimes(idle.get(name)!)}`,
  )
await close()
