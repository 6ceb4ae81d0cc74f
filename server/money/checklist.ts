import type { Sql } from '../db/db.ts'
import { currentLock } from './months.ts'
import { lockedMonthCtes, monthSource, type MonthSource } from './monthSource.ts'
import { shareCtes } from './openMonth.ts'

/** One entry of a month's checklist (months 10). A 'stop' keeps the month from being locked. */
export type Finding = { severity: 'stop' | 'warning' | 'note'; what: string; where: string }

const dollarsSql = (value: string) =>
  `case when ${value} < 0 then '-' else '' end || '$' || to_char(abs(${value}), 'FM999,999,999,990.00')`
/** SQL condition: an amount changed by more than 30 % and $100. */
const hasMovedSql = (now: string, before: string) =>
  `abs(${now} - ${before}) > 100 and abs(${now} - ${before}) > 0.3 * abs(${before})`
/** Days for which changed bank data is reported. */
const confirmDays = 30

const fromToSql = (before: string, now: string) => `${dollarsSql(before)} || ' to ' || ${dollarsSql(now)}`

const fileChecks = `
  select 1, 'warning', 'The processor has neither a file nor a note that there is none', p.processor
  from (select distinct processor from merchant where accountstatus = 2 and processor <> ''
    union select distinct processor from residual where month = (select prior from last)) p
  where not exists (select from residual r where r.month = $1 and r.processor = p.processor)
    and not exists (select from processor_statement s
      where s.month = $1 and s.processor = p.processor and s.nofile)
  union all
  select 2, 'warning', 'The stated total differs from the file',
    f.processor || ': stated ' || ${dollarsSql('s.statednet')} || ', in the file ' || ${dollarsSql('f.net')}
  from file f join processor_statement s on s.month = $1 and s.processor = f.processor
  where s.statednet <> f.net
  union all
  select 3, 'note', 'No total is typed from the processor''s statement', f.processor
  from file f where not exists (select from processor_statement s
    where s.month = $1 and s.processor = f.processor and s.statednet is not null)
  union all
  select 4, 'warning', 'The MID is not in the portfolio',
    processor || ' ' || xmid || ' ' || dba || ', net ' || ${dollarsSql('net')} from merchant_month
    where not isknown
  union all
  select 5, 'warning', 'Income belongs to no agent and stays with the house',
    ${dollarsSql('sum(income)')} || ' of ' || count(*) || ' MIDs'
  from merchant_month where not isknown having sum(income) <> 0`

const merchantChecks = `
  select 6, 'warning', 'An active merchant with volume is in no file',
    m.xmid || ' ' || m.dba || ', volume ' || ${dollarsSql('v.sales')}
  from (select xmid, sum(salesamount) as sales from daily_volume
    where volumedate >= $1 and volumedate < $1::date + interval '1 month' group by xmid) v
    join merchant m on m.xmid = v.xmid and m.accountstatus = 2
  where not exists (select from residual r where r.month = $1 and r.xmid = m.xmid)
  union all
  select 7, 'note', 'The merchant moved by more than 30 % and $100',
    n.xmid || ' ' || n.dba || ', ' || ${fromToSql('b.net', 'n.net')}
  from (select xmid, max(dba) as dba, sum(net) as net from merchant_month group by xmid) n
    join (select xmid, sum(net) as net from residual where month = (select prior from last) group by xmid) b
      on b.xmid = n.xmid
  where ${hasMovedSql('n.net', 'b.net')}
  union all
  select 8, 'note', 'The agent moved by more than 30 % and $100',
    s.displayid || ' ' || s.name || ', ' || ${fromToSql('b.earned', '(s.own + s.override)')}
  from statement s join (select masteragentid, own + override as earned from locked_statement
    where lockid = (select id from month_lock where month = (select prior from last)
      and reopened_at is null)) b using (masteragentid)
  where ${hasMovedSql('(s.own + s.override)', 'b.earned')}
  union all
  select 9, 'note', 'The merchant cost more than it brought',
    processor || ' ' || xmid || ' ' || dba || ', net ' || ${dollarsSql('net')} from merchant_month
    where net < 0`

const agentChecks = `
  select 10, 'warning', s.hold, s.displayid || ' ' || s.name || ', due ' || ${dollarsSql('s.due')}
  from statement s
  where s.hold is not null and not s.isofficeaccount and s.due > 0
  union all
  select 11, 'note', 'Bank data was changed in the last ${confirmDays} days: have a second person confirm it',
    a.displayid || ' ' || a.name || ', by ' || d.username
  from (select distinct entityid, username from audit
    where entity = 'masteragent' and action = 'update' and at > now() - interval '${confirmDays} days'
    and after ?| array['routingnumber', 'bankaccountnumber']) d join master_agent a on a.id::text = d.entityid
  union all
  select 12, 'warning', 'The percentage is above the parent''s: the parent earns no override',
    a.displayid || ' ' || a.name || ' ' || trim_scale(c.percent) || ' %, '
    || b.displayid || ' ' || b.name || ' ' || trim_scale(p.percent) || ' %'
  from agent_month c join agent_month p on p.month = c.month and p.id = c.parentid
    join master_agent a on a.id = c.id join master_agent b on b.id = p.id
  where c.month = $1 and c.percent > p.percent and not b.isofficeaccount
  union all
  select 13, 'warning', 'The shares of a merchant add up to more than 100 %',
    a.displayid || ' ' || a.name || ': ' || trim_scale(sum(c.percent)) || ' %'
  from chain c join master_agent a on a.id = c.origin where c.month = $1 group by a.id
  having sum(c.percent) > 100
  union all
  select 14, 'stop', 'The agent stands below itself', a.displayid || ' ' || a.name
  from chain c join master_agent a on a.id = c.masteragentid where c.month = $1 and a.parentid = c.origin
  union all
  select 15, 'warning', 'The month is not over', to_char($1::date, 'FMMonth YYYY')
  where $1::date + interval '1 month' > now()`

/** The findings of a month, an ISO first day; of a locked month those that its lock kept (months 10). */
export async function monthFindings(sql: Sql, month: string): Promise<Finding[]> {
  const lock = await currentLock(sql, month)
  if (lock) {
    const [row] = await sql.query<{ findings: Finding[] }>('select findings from month_lock where id = $1', [
      lock.id,
    ])
    return row!.findings
  }
  return queryFindings(sql, await monthSource(sql, month, { agents: null }))
}

/** The findings of a lock that is being made, from the snapshot that was just written. */
export const snapshotFindings = (sql: Sql, month: string, lockid: number): Promise<Finding[]> =>
  queryFindings(sql, {
    ctes: `${shareCtes}${lockedMonthCtes('$3', '$4')}`,
    values: [month, month, lockid, null],
  })

const queryFindings = (sql: Sql, { ctes, values }: Pick<MonthSource, 'ctes' | 'values'>) =>
  sql.query<Finding>(
    `with recursive ${ctes},
      last as materialized (select max(month) as prior from residual where month < $1),
      file as materialized (select processor, sum(net) as net from merchant_month group by processor)
    select severity, what, "where"
    from (${fileChecks} union all ${merchantChecks} union all ${agentChecks})
      as found (n, severity, what, "where")
    order by n, "where"`,
    values,
  )
