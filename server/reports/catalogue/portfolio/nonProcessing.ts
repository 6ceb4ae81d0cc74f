import { everyone } from '../../../../schemas/permissions.ts'
import { agentInScope } from '../../../db/scope.ts'
import { epochSeconds } from '../../engine/days.ts'
import { integerInput } from '../../engine/inputs.ts'
import {
  count,
  date,
  money,
  number,
  merchantColumns,
  placeholders,
  defineReport,
  text,
} from '../../engine/report.ts'

/** Active merchants without a batch for a number of days (reports 24). */
export const nonProcessing = defineReport({
  id: 'non-processing-merchants',
  name: 'Non-processing Merchants',
  group: 'Portfolio',
  description: 'Active merchants without a batch for a number of days, those with the most volume first.',
  figure: { column: 'volume', words: 'Volume of the last 90 days' },
  allow: everyone,
  inputs: { days: integerInput('Days', 1, 3650) },
  columns: [
    ...merchantColumns,
    text('processor', 'Processor'),
    date('lastbatch', 'Last Batch'),
    count('silent', 'Days Silent'),
    number('usual', 'Usual Gap in Days'),
    money('volume', 'Volume of the Last 90 Days', 'sum'),
  ],
  query({ scope, inputs, today }) {
    const { values, bind } = placeholders()
    const [scopeParam, days, now] = [bind(scope), bind(inputs.days), bind(today)]
    // Looked up for each merchant: joined with all days, as many rows are sorted by their MID.
    const sql = `
      select m.xmid, m.dba, a.displayid || ' - ' || a.name as agent, m.processor,
        ${epochSeconds('b.last')} as lastbatch,
        ${now}::date - b.last as silent, round((b.last - b.first)::numeric / nullif(b.n - 1, 0), 2) as usual,
        coalesce(b.volume, 0) as volume
      from merchant m join master_agent a on a.id = m.masteragentid cross join lateral (
        select max(v.volumedate) as last, min(v.volumedate) as first, count(distinct v.volumedate) as n,
          sum(v.netamount) filter (where v.volumedate > ${now}::date - 90) as volume
        from daily_volume v where v.xmid = m.xmid and v.volumedate <= ${now}::date) b
      where m.accountstatus = 2 and ${agentInScope(scopeParam, 'm.masteragentid')}
        and (b.last is null or ${now}::date - b.last >= ${days}::int)
      order by coalesce(b.volume, 0) desc, b.last desc nulls last, m.xmid collate "C"`
    return {
      sql,
      values,
      notes: [
        'Merchants without a Last Batch never had one. ' +
          'Usual Gap is the average time between the days with batches.',
      ],
    }
  },
})
