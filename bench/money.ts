/**
 * The money of a million merchants: 24 months of 20,000 residuals, 60 agents in three levels, all months but
 * the last locked. Measures the statement of one agent, of the open month and of a locked one, and all
 * statements of the open month against one SQL statement written by hand for this case, interleaved in one
 * run. Prints medians of nine rounds. `npx tsx bench/money.ts [merchants]`
 */
import { lockMonth } from '../server/money/lock.ts'
import { monthSource } from '../server/money/monthSource.ts'
import { statement } from '../server/reports/catalogue/statement.ts'
import type { ReportContext } from '../server/reports/engine/report.ts'
import { measureTime, median, openBenchDatabase } from './support.ts'

const [merchants, residualsPerMonth, rounds] = [Number(process.argv[2] ?? 1_000_000), 20_000, 9]
const { db, close } = await openBenchDatabase('money', { max: 2 })
const months = Array.from({ length: 24 }, (_, n) => new Date(Date.UTC(2024, n, 1)).toISOString().slice(0, 10))
const [open, locked] = [months[23]!, months[22]!]

await db.query(`
  insert into master_agent (id, name, parentid, percentagecommissionreceived, amountcommissionreceived,
      routingnumber, bankaccountnumber)
    select n, 'Agent ' || n,
      case when n <= 8 then null when n <= 32 then 1 + n % 8 else 9 + n % 24 end,
      case when n <= 8 then 70 when n <= 32 then 60 else 50.25 end,
      case when n % 3 = 0 then 2.5 end, '021000021', '\\x01'
    from generate_series(1, 60) n order by n`)
await db.query(
  `insert into merchant (xmid, dba, masteragentid, accountstatus)
    select '5' || lpad(n::text, 11, '0'), 'Merchant ' || n, 1 + n % 60, case when n % 12 = 0 then 3 else 2 end
    from generate_series(1, $1::int) n`,
  [merchants],
)
await db.query(
  `insert into import_batch (kind, filename, sha256, size, username, rows, inserted, updated, unchanged)
    values ('compdata', 'x', '', 0, 'x', 0, 0, 0, 0)`,
)
await db.query(
  `insert into residual (month, processor, xmid, txncount, sales, income, expense, net, batchid)
    select m, 'P' || n % 3, '5' || lpad((1 + (n * 48611) % $2::int)::text, 11, '0'), n % 40, n,
      20 + n % 977 * 0.37, n % 911 * 0.29, 20 + n % 977 * 0.37 - n % 911 * 0.29, 1
    from unnest($1::date[]) m cross join generate_series(1::bigint, ${residualsPerMonth}) n
    order by m, 2, 3`,
  [months, merchants],
)
await db.query('vacuum analyze')
const print = (name: string, millis: number, note = '') =>
  console.log(`${name.padEnd(60)} ${millis.toFixed(0).padStart(7)} ms ${note}`)

/** Only what this one month needs: three levels, difference overrides and flat amounts. */
const writtenByHand = `
  with line as (
    select m.masteragentid as a0, b.id as a1, c.id as a2, r.net,
      round(a.percentagecommissionreceived * r.net / 100, 2)
        + case when m.accountstatus = 2 and (r.txncount > 0 or r.sales <> 0)
            then coalesce(a.amountcommissionreceived, 0) else 0 end as p0,
      round(greatest(0, b.percentagecommissionreceived - a.percentagecommissionreceived)
        * r.net / 100, 2) as p1,
      round(greatest(0, c.percentagecommissionreceived
        - greatest(a.percentagecommissionreceived, b.percentagecommissionreceived)) * r.net / 100, 2) as p2,
      m.accountstatus = 3 as held,
      a.payoninactive as y0, b.payoninactive as y1, c.payoninactive as y2
    from residual r join merchant m on m.xmid = r.xmid join master_agent a on a.id = m.masteragentid
      left join master_agent b on b.id = a.parentid left join master_agent c on c.id = b.parentid
    where r.month = $1),
  pay as (
    select a0 as id, case when held and not y0 then 0 else p0 end as own, 0 as override, net from line
    union all select a1, 0, case when held and not y1 then 0 else p1 end, 0 from line where a1 is not null
    union all select a2, 0, case when held and not y2 then 0 else p2 end, 0 from line where a2 is not null)
  select a.id, a.name, sum(p.own) as own, sum(p.override) as override, sum(p.net) as net,
    sum(p.own + p.override) + coalesce(max(s.carryout), 0) as due
  from pay p join master_agent a on a.id = p.id
    left join locked_statement s on s.masteragentid = a.id and s.lockid =
      (select id from month_lock where month = $1::date - interval '1 month' and reopened_at is null)
  group by a.id order by a.id`
type Statement = { own: number; override: number; due: number }
const statementsOfPortal = async () => {
  const { ctes, values } = await monthSource(db, open, { agents: null })
  return db.query<Statement>(
    `with recursive ${ctes} select masteragentid as id, own, override, due from statement order by 1`,
    values,
  )
}
const statementsByHand = () => db.query<Statement>(writtenByHand, [open])

/** Runs all SQL of the report of one agent. */
const context = { sql: db, scope: null } as unknown as ReportContext
const runStatement = async (month: string, agent: number) => {
  const { sql, values } = await statement.query({ ...context, inputs: { month, agent } })
  await db.query(sql, [...values])
}

console.log(
  `${merchants.toLocaleString('en-US')} merchants, ` +
    `24 months of ${residualsPerMonth.toLocaleString('en-US')} residuals, ` +
    `60 agents in three levels; medians of ${rounds}`,
)
// The months before the locked one need a lock, but nothing that it would copy.
await db.query(
  `insert into month_lock (month, version, hash, username)
    select m, 1, '', 'bench' from unnest($1::date[]) m`,
  [months.slice(0, 22)],
)
print(
  'locking one month',
  await measureTime(() => lockMonth(db, { month: locked, username: 'bench', address: '' })),
)
await db.query('vacuum analyze')
const amounts = (rows: Statement[]) =>
  JSON.stringify(rows.map(({ own, override, due }) => [own, override, due]))
if (amounts(await statementsOfPortal()) !== amounts(await statementsByHand()))
  throw new Error('The two do not agree')

for (const [name, agent] of [
  ['an agent of the third level', 60],
  ['one of the first, with all below it', 1],
] as const)
  for (const month of [open, locked]) {
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1)
      times.push(await measureTime(() => runStatement(month, agent)))
    print(`statement of ${name}, ${month === open ? 'open' : 'locked'} month`, median(times), '(goal 300)')
  }
const times = { portal: [] as number[], byHand: [] as number[] }
for (let round = 0; round < rounds; round += 1) {
  times.portal.push(await measureTime(statementsOfPortal))
  times.byHand.push(await measureTime(statementsByHand))
}
const [portal, byHand] = [median(times.portal), median(times.byHand)]
print('all agents, the portal', portal)
print(
  'all agents, one statement written by hand',
  byHand,
  `ratio ${Math.round((100 * byHand) / portal)} % (goal 50 %)`,
)
await close()
