/**
 * The money of a large customer: 500 agents in four levels, twelve open months and a large one behind them.
 * Measures all statements of the large month, one agent's statement and the summary against an aggregate of
 * the same rows written by hand, interleaved in one run, and its lock. Prints medians, CPU seconds of the
 * database, and how long readers and writers take beside the lock and without it. `npx tsx bench/money.ts
 * [rows of the large month]`
 */
import { execFileSync } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { lockMonth } from '../server/money/lock.ts'
import { holdMonth } from '../server/money/months.ts'
import { monthSource } from '../server/money/monthSource.ts'
import { statement } from '../server/reports/catalogue/statement.ts'
import { summary } from '../server/reports/catalogue/summary.ts'
import type { Report, ReportContext } from '../server/reports/engine/report.ts'
import { measureTime, median, openBenchDatabase } from './support.ts'

const [rows, smallMonths, rounds] = [Number(process.argv[2] ?? 200_000), 12, 3]
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
  `insert into merchant (xmid, dba, masteragentid, accountstatus)
    select '5' || lpad(n::text, 11, '0'), 'Merchant ' || n, 1 + n % 500,
      case when n % 12 = 0 then 3 else 2 end
    from generate_series(1, $1::int) n`,
  [rows],
)
await db.query(
  `insert into import_batch (kind, filename, sha256, size, username, rows, inserted, updated, unchanged)
    values ('compdata', 'x', '', 0, 'x', 0, 0, 0, 0)`,
)
// One merchant of 37 costs more than it brings.
await db.query(
  `insert into residual (month, processor, xmid, txncount, sales, income, expense, net, batchid)
    select m.month, 'P' || n % 3, '5' || lpad(n::text, 11, '0'), n % 40, n,
      20 + n % 977 * 0.37, e.expense, 20 + n % 977 * 0.37 - e.expense, 1
    from unnest($1::date[]) with ordinality m (month, i)
      cross join generate_series(1::bigint, case when m.i = $2 then $3::int else $3::int / 10 end) n
      cross join lateral (select case when n % 37 = 0 then 400 else n % 911 * 0.02 end as expense) e
    order by m.month, 2, 3`,
  [months, months.length, rows],
)
await db.query('vacuum analyze')

/** CPU seconds that the processes of the database have used so far; 0 on a machine without `ps`. */
const databaseSeconds = (): number => {
  try {
    const lines = execFileSync('ps', ['-eo', 'cputimes,args'], { encoding: 'utf8' }).split('\n')
    return lines
      .filter((line) => line.includes('postgres'))
      .reduce((sum, line) => sum + Number(/^\s*(\d+)/.exec(line)?.[1] ?? 0), 0)
  } catch {
    return 0
  }
}
const print = (name: string, millis: number, note = '') =>
  console.log(`${name.padEnd(58)} ${(millis / 1000).toFixed(2).padStart(8)} s ${note}`)

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
const byHand = () => db.query<Row>(writtenByHand, [large])
const byPortal = async () => {
  const { ctes, values } = await monthSource(db, large, { agents: null })
  return db.query<Row>(
    `with recursive ${ctes} select masteragentid as id, own, override, net from statement order by 1`,
    values,
  )
}
const amounts = (found: Row[]) => JSON.stringify(found.map(({ own, override, net }) => [own, override, net]))

/** Runs the SQL of a report; its rows are counted and not sent. */
const runReport = async (report: Report, inputs: Record<string, unknown>) => {
  const context = { sql: db, scope: null, inputs } as unknown as ReportContext
  const { sql, values } = await report.query(context)
  await db.query(`select count(*) from (${sql}) q`, [...values])
}

console.log(
  `${rows.toLocaleString('en-US')} rows in the month, ${smallMonths} open months before it, 500 agents in ` +
    `four levels; medians of ${rounds}`,
)
if (amounts(await byPortal()) !== amounts(await byHand())) throw new Error('The two do not agree')
const times = { hand: [] as number[], portal: [] as number[], summary: [] as number[], one: [] as number[] }
for (let round = 0; round < rounds; round += 1) {
  times.hand.push(await measureTime(byHand))
  times.portal.push(await measureTime(byPortal))
  times.summary.push(await measureTime(() => runReport(summary, { month: large })))
  times.one.push(await measureTime(() => runReport(statement, { month: large, agent: 500 })))
}
const hand = median(times.hand)
const ratio = (millis: number) => `${(millis / hand).toFixed(1)} x by hand`
print('an aggregate of the same rows, written by hand', hand)
print('all statements', median(times.portal), `${ratio(median(times.portal))} (goal 2 x)`)
print('Residual Summary by Agent', median(times.summary), `${ratio(median(times.summary))} (goal 2 x)`)
print('Agent Residual Statement of one agent', median(times.one), ratio(median(times.one)))

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

const idle = await measureBeside(() => setTimeout(5_000))
const before = databaseSeconds()
let locking = 0
const busy = await measureBeside(async () => {
  locking = await measureTime(() => lockMonth(db, { month: large, ...action }))
})
print(
  'its lock, while others read and write',
  locking,
  `${databaseSeconds() - before} CPU seconds of the database (goal 30 s at 1,000,000)`,
)
for (const [name, times] of busy)
  console.log(
    `  ${name.padEnd(38)} beside it ${describeTimes(times)}; without it ${describeTimes(idle.get(name)!)}`,
  )
await close()
