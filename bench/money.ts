/**
 * The money of a million merchants: 24 months of 20,000 residuals, 60 agents in three levels, all months but the last locked. One agent's
 * statement of the open month and of a locked one, and the whole open month against one statement written by hand for it, in one
 * run, interleaved; medians of nine rounds. `npx tsx bench/money.ts`
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDb } from '../server/db/db.ts'
import { migrate } from '../server/db/migrate.ts'
import { startPostgres } from '../server/db/postgres/postgres.ts'
import { lockMonth } from '../server/money/lock.ts'
import { monthSource } from '../server/money/monthSource.ts'
import { statement } from '../server/reports/catalogue/statement.ts'
import type { ReportContext } from '../server/reports/engine/report.ts'

const [merchants, each, rounds] = [Number(process.argv[2] ?? 1_000_000), 20_000, 9]
const folder = await mkdtemp(join(tmpdir(), 'bench-money-'))
const postgres = await startPostgres({ folder })
await migrate(postgres.url)
const db = openDb(postgres.url, { max: 2 })
const months = Array.from({ length: 24 }, (_, n) => new Date(Date.UTC(2024, n, 1)).toISOString().slice(0, 10))
const [open, locked] = [months[23]!, months[22]!]

await db.query(`insert into master_agent (id, name, parentid, percentagecommissionreceived, amountcommissionreceived, routingnumber, bankaccountnumber)
  select n, 'Agent ' || n, case when n <= 8 then null when n <= 32 then 1 + n % 8 else 9 + n % 24 end, case when n <= 8 then 70 when n <= 32 then 60 else 50.25 end,
    case when n % 3 = 0 then 2.5 end, '021000021', '\\x01' from generate_series(1, 60) n order by n`)
await db.query(
  `insert into merchant (xmid, dba, masteragentid, accountstatus) select '5' || lpad(n::text, 11, '0'), 'Merchant ' || n, 1 + n % 60, case when n % 12 = 0 then 3 else 2 end
    from generate_series(1, $1::int) n`,
  [merchants],
)
await db.query(
  `insert into import_batch (kind, filename, sha256, size, username, rows, inserted, updated, unchanged) values ('compdata', 'x', '', 0, 'x', 0, 0, 0, 0)`,
)
await db.query(
  `insert into residual (month, processor, xmid, txncount, sales, income, expense, net, batchid)
    select m, 'P' || n % 3, '5' || lpad((1 + (n * 48611) % $2::int)::text, 11, '0'), n % 40, n, 20 + n % 977 * 0.37, n % 911 * 0.29, 20 + n % 977 * 0.37 - n % 911 * 0.29, 1
    from unnest($1::date[]) m cross join generate_series(1::bigint, ${each}) n order by m, 2, 3`,
  [months, merchants],
)
await db.query('vacuum analyze')
const ask = { sql: db, scope: null } as unknown as ReportContext
const took = async (work: () => Promise<unknown>) => {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}
const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!
const said = (name: string, millis: number, more = '') =>
  console.log(`${name.padEnd(60)} ${millis.toFixed(0).padStart(7)} ms ${more}`)

/** What somebody would write who needs this one month, three levels, difference overrides and flat amounts, and nothing else. */
const byHand = `
  with line as (
    select m.masteragentid as a0, b.id as a1, c.id as a2, r.net,
      round(a.percentagecommissionreceived * r.net / 100, 2)
        + case when m.accountstatus = 2 and (r.txncount > 0 or r.sales <> 0) then coalesce(a.amountcommissionreceived, 0) else 0 end as p0,
      round(greatest(0, b.percentagecommissionreceived - a.percentagecommissionreceived) * r.net / 100, 2) as p1,
      round(greatest(0, c.percentagecommissionreceived - greatest(a.percentagecommissionreceived, b.percentagecommissionreceived)) * r.net / 100, 2) as p2,
      m.accountstatus = 3 as held, a.payoninactive as y0, b.payoninactive as y1, c.payoninactive as y2
    from residual r join merchant m on m.xmid = r.xmid join master_agent a on a.id = m.masteragentid
      left join master_agent b on b.id = a.parentid left join master_agent c on c.id = b.parentid where r.month = $1),
  pay as (
    select a0 as id, case when held and not y0 then 0 else p0 end as own, 0 as override, net from line
    union all select a1, 0, case when held and not y1 then 0 else p1 end, 0 from line where a1 is not null
    union all select a2, 0, case when held and not y2 then 0 else p2 end, 0 from line where a2 is not null)
  select a.id, a.name, sum(p.own) as own, sum(p.override) as override, sum(p.net) as net, sum(p.own + p.override) + coalesce(max(s.carryout), 0) as due
  from pay p join master_agent a on a.id = p.id
    left join locked_statement s on s.masteragentid = a.id and s.lockid = (select id from month_lock where month = $1::date - interval '1 month' and reopened_at is null)
  group by a.id order by a.id`
const whole = async () => {
  const { ctes, values } = await monthSource(db, open, { agents: null })
  return db.query<{ id: number; own: number; override: number; due: number }>(
    `with recursive ${ctes} select masteragentid as id, own, override, due from statement order by 1`,
    values,
  )
}
/** All the portal asks of the database for the report on the screen. */
const statementOf = async (month: string, agent: number) => {
  const told = await statement.query({ ...ask, inputs: { month, agent } })
  await db.query(told.sql, [...told.values])
}

console.log(
  `${merchants.toLocaleString('en-US')} merchants, 24 months of ${each.toLocaleString('en-US')} residuals, 60 agents in three levels; medians of ${rounds}`,
)
// Of the months before the locked one nothing is read any more.
await db.query(
  `insert into month_lock (month, version, hash, username) select m, 1, '', 'bench' from unnest($1::date[]) m`,
  [months.slice(0, 22)],
)
said('locking one month', await took(() => lockMonth(db, { month: locked, username: 'bench', address: '' })))
await db.query('vacuum analyze')
const same =
  JSON.stringify((await whole()).map(({ own, override, due }) => [own, override, due])) ===
  JSON.stringify((await db.query(byHand, [open])).map(({ own, override, due }) => [own, override, due]))
if (!same) throw new Error('The two do not agree')

for (const [name, agent] of [
  ['an agent of the third level', 60],
  ['one of the first, with all below it', 1],
] as const)
  for (const month of [open, locked]) {
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1) times.push(await took(() => statementOf(month, agent)))
    said(`statement of ${name}, ${month === open ? 'open' : 'locked'} month`, median(times), '(goal 300)')
  }
const [ours, theirs]: [number[], number[]] = [[], []]
for (let round = 0; round < rounds; round += 1) {
  ours.push(await took(whole))
  theirs.push(await took(() => db.query(byHand, [open])))
}
said('all agents, the portal', median(ours))
said(
  'all agents, one statement written by hand',
  median(theirs),
  `ratio ${Math.round((100 * median(theirs)) / median(ours))} % (goal 50 %)`,
)
await db.close()
await postgres.stop()
await rm(folder, { recursive: true, force: true })
