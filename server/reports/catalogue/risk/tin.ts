import { everyone } from '../../../../schemas/permissions.ts'
import type { Sql } from '../../../db/db.ts'
import { agentInScope } from '../../../db/scope.ts'
import { bankHolidays } from '../../../money/bankDays.ts'
import { epochSeconds } from '../../engine/days.ts'
import { asOfInput } from '../../engine/inputs.ts'
import {
  count,
  date,
  money,
  merchantColumns,
  percent,
  placeholders,
  defineReport,
  text,
} from '../../engine/report.ts'

/** Business days from a B-notice until backup withholding, and its federal rate in percent (reports 27). */
const withholdingAfter = 30
const federalRate = 24

/** The bank holidays of the years in which the days after a notice may lie. */
async function holidaysOfNotices(sql: Sql): Promise<string[]> {
  const years = await sql.query<{ year: number }>(
    `select distinct extract(year from to_timestamp(noticedate) at time zone 'UTC')::int + n as year
      from tin_validation cross join generate_series(0, 1) n where noticedate > 0`,
  )
  return years.flatMap(({ year }) => bankHolidays(year))
}

/** Merchants whose name and tax id do not match at the IRS, and the withholding at stake (reports 27). */
export const tin = defineReport({
  id: 'tin-mismatch',
  name: 'TIN Mismatch',
  group: 'Risk and Compliance',
  description: 'Merchants whose name and tax id do not match, and when withholding begins.',
  figure: { column: 'exposed', words: 'Withholding at stake' },
  allow: everyone,
  inputs: { asof: asOfInput },
  columns: [
    ...merchantColumns,
    text('tinstatus', 'TIN Status'),
    count('code', 'Code'),
    text('description', 'Description'),
    date('checkeddate', 'Checked'),
    text('notice', 'B-Notice'),
    date('noticedate', 'Notice Date'),
    date('deadline', 'Withholding Begins'),
    count('daysleft', 'Days Left'),
    money('volume', 'Volume of 12 Months', 'sum'),
    percent('rate', 'Rate'),
    money('exposed', 'Withholding at Stake', 'sum'),
  ],
  async query({ sql: db, scope, inputs, today }) {
    const { values, bind } = placeholders()
    const [scopeParam, asOfParam, holidaysParam] = [
      bind(scope),
      bind(inputs.asof ?? today),
      bind(await holidaysOfNotices(db)),
    ]
    // The record has what the newest file said, or what somebody wrote since. It may have nothing: somebody
    // cleared it, or it was added after the file by an earlier version of the portal.
    const sql = `
      with bad as (
        select m.xmid, m.dba, m.masteragentid, s.tinstatus,
          case when s.tinstatus = t.tinstatus then t.code end as code,
          coalesce(nullif(m.tinstatusdescription, ''),
            case when s.tinstatus = t.tinstatus then t.description end) as description,
          t.checkeddate, t.notice, nullif(t.noticedate, 0) as noticedate,
          coalesce(t.withholdingpercent, ${federalRate}) as rate
        from merchant m left join tin_validation t on t.xmid = m.xmid
          cross join lateral (select coalesce(nullif(m.tinstatus, ''), t.tinstatus) as tinstatus) s
        where lower(s.tinstatus) not in ('', 'match')
          and (t.checkeddate is null or t.checkeddate <= ${epochSeconds(asOfParam)})
          and ${agentInScope(scopeParam, 'm.masteragentid')}),
      deadline as (
        select n.noticedate, d.day from (select distinct noticedate from bad) n cross join lateral (
          select g::date as day
          from generate_series(to_timestamp(n.noticedate) at time zone 'UTC' + interval '1 day',
            to_timestamp(n.noticedate) at time zone 'UTC' + interval '70 days', interval '1 day') g
          where extract(isodow from g) < 6 and g::date <> all (${holidaysParam}::date[])
          order by g offset ${withholdingAfter - 1} limit 1) d)
      select b.xmid, b.dba, a.displayid || ' - ' || a.name as agent, b.tinstatus, b.code, b.description,
        nullif(b.checkeddate, 0) as checkeddate, case b.notice when 1 then 'First'
          when 2 then 'Second' end as notice, b.noticedate,
        ${epochSeconds('d.day')} as deadline, d.day - ${asOfParam}::date as daysleft,
        coalesce(s.volume, 0) as volume, b.rate, round(coalesce(s.volume, 0) * b.rate / 100, 2) as exposed
      from bad b join master_agent a on a.id = b.masteragentid left join deadline d using (noticedate)
        cross join lateral (
          select sum(r.sales) as volume from residual r
          where r.xmid = b.xmid and r.month > (${asOfParam}::date - interval '12 months')
            and r.month <= ${asOfParam}::date) s
      order by d.day nulls last, exposed desc, b.xmid collate "C"`
    const notes = [
      `Withholding begins ${withholdingAfter} business days after the notice, ` +
        `at ${federalRate} % where no other rate is known; some states ask for more.`,
    ]
    return { sql, values, notes }
  },
})
