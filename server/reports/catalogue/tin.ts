import { everyone } from '../../../schemas/permissions.ts'
import { within } from '../../db/scope.ts'
import { bankHolidays, seconds } from '../engine/days.ts'
import { asOf } from '../engine/inputs.ts'
import { count, date, money, ofMerchant, percent, placeholders, report, text } from '../engine/report.ts'

/** Business days from a B-notice until backup withholding begins, and its federal rate in percent (domain 5.6). */
const withholdingAfter = 30
const federalRate = 24

/** Merchants whose tax id the IRS does not know by their name, and what is at stake. */
export const tin = report({
  id: 'tin-mismatch',
  name: 'TIN Mismatch',
  allow: everyone,
  inputs: { asof: asOf },
  columns: [
    ...ofMerchant,
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
  answer({ scope, inputs, today }) {
    const until = inputs.asof ?? today
    const year = Number(until.slice(0, 4))
    const { values, put } = placeholders()
    const holidays = Array.from({ length: 8 }, (_, index) => bankHolidays(year - 6 + index)).flat()
    const [mine, at, closed] = [put(scope), put(until), put(holidays)]
    const sql = `
      with bad as (
        select m.xmid, m.dba, m.masteragentid, coalesce(t.tinstatus, m.tinstatus) as tinstatus, t.code,
          coalesce(nullif(t.description, ''), m.tinstatusdescription) as description, t.checkeddate, t.notice,
          nullif(t.noticedate, 0) as noticedate, coalesce(t.withholdingpercent, ${federalRate}) as rate
        from merchant m left join tin_validation t on t.xmid = m.xmid
        where coalesce(t.tinstatus, m.tinstatus) not in ('', 'Match') and (t.checkeddate is null or t.checkeddate <= ${seconds(at)})
          and ${within(mine, 'm.masteragentid')}),
      sold as (
        select r.xmid, sum(r.sales) as volume from residual r
        where r.month > (${at}::date - interval '12 months') and r.month <= ${at}::date and r.xmid in (select xmid from bad)
        group by r.xmid)
      select b.xmid, b.dba, a.displayid || ' - ' || a.name as agent, b.tinstatus, b.code, b.description,
        nullif(b.checkeddate, 0) as checkeddate, case b.notice when 1 then 'First' when 2 then 'Second' end as notice, b.noticedate,
        ${seconds('d.day')} as deadline, d.day - ${at}::date as daysleft,
        coalesce(s.volume, 0) as volume, b.rate, round(coalesce(s.volume, 0) * b.rate / 100, 2) as exposed
      from bad b join master_agent a on a.id = b.masteragentid left join sold s using (xmid)
        left join lateral (
          select g::date as day
          from generate_series(to_timestamp(b.noticedate) at time zone 'UTC' + interval '1 day',
            to_timestamp(b.noticedate) at time zone 'UTC' + interval '70 days', interval '1 day') g
          where extract(isodow from g) < 6 and g::date <> all (${closed}::date[])
          order by g offset ${withholdingAfter - 1} limit 1) d on true
      order by d.day nulls last, exposed desc, b.xmid collate "C"`
    const notes = [
      `Withholding begins ${withholdingAfter} business days after the notice, ` +
        `at ${federalRate} % where no other rate is known; some states ask for more.`,
    ]
    return { sql, values, notes }
  },
})
