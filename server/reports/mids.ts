import { monthSource } from '../money/relations.ts'
import { everyone } from '../../schemas/permissions.ts'
import { month } from './monthInput.ts'
import { count, date, id, money, placeholders, report, text } from './report.ts'
import { within } from '../scope.ts'
import { seconds } from './days.ts'

/** What is in a month's files and not in the portfolio, and the other way round. */
export const mids = report({
  id: 'missing-unmatched-mids',
  name: 'Missing and Unmatched MIDs',
  allow: everyone,
  published: true,
  inputs: { month },
  columns: [
    text('finding', 'Finding', { text: 'Total' }),
    text('processor', 'Processor'),
    id('xmid', 'Merchant ID'),
    text('dba', 'DBA'),
    text('agent', 'Master Agent'),
    money('sales', 'Volume', 'sum'),
    money('net', 'Net', 'sum'),
    count('missing', 'Months Missing'),
    date('last', 'Last Month in a File'),
  ],
  async answer({ sql, inputs, scope }) {
    const source = await monthSource(sql, inputs.month, { agents: scope })
    const { values, put } = placeholders(source.values)
    const [mine, at] = [put(scope), put(inputs.month)]
    const rows = `
      with recursive ${source.ctes},
      volume as (
        select xmid, sum(salesamount) as sales from daily_volume
        where volumedate >= ${at}::date and volumedate < ${at}::date + interval '1 month' group by xmid),
      seen as (
        select xmid, processor, min(month) as first, max(month) as last, count(*) as n
        from residual where month < ${at}::date group by xmid, processor),
      delivered as (select processor, month from residual where month <= ${at}::date group by processor, month),
      absent as (
        select m.xmid, m.dba, m.masteragentid, coalesce(s.processor, m.processor) as processor, s.first, s.last, s.n,
          coalesce(v.sales, 0) as sales
        from merchant m left join volume v using (xmid) left join seen s using (xmid)
        where m.accountstatus = 2 and (v.xmid is not null or s.last = (${at}::date - interval '1 month')::date)
          and ${within(mine, 'm.masteragentid')}
          and not exists (
            select from residual r
            where r.month = ${at}::date and r.xmid = m.xmid and r.processor = coalesce(s.processor, r.processor)))
      select finding, processor, xmid, dba, agent, sales, net, missing, last from (
        select 'In a file, not in the portfolio' as finding, processor, xmid, dba, null as agent, sales, net, null::bigint as missing,
          null::bigint as last, 1 as part
        from merchant_month where not isknown and ${mine}::int[] is null
        union all
        select
          case when b.sales <> 0 then 'In the portfolio with volume, not in a file'
            else 'In the file of the month before, not in this one' end,
          b.processor, b.xmid, b.dba, a.displayid || ' - ' || a.name, b.sales, null,
          (select count(*) from delivered d where d.processor = b.processor and d.month >= b.first) - b.n, ${seconds('b.last')},
          case when b.sales <> 0 then 2 else 3 end
        from absent b join master_agent a on a.id = b.masteragentid) f
      order by part, processor, sales desc, xmid collate "C"`
    return { sql: rows, values, lock: source.lock }
  },
})
