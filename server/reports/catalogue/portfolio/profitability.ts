import { everyone } from '../../../../schemas/permissions.ts'
import { agentInScope } from '../../../db/scope.ts'
import { monthSource } from '../../../money/monthSource.ts'
import { firstOf } from '../../engine/days.ts'
import { optionalAgentInput } from '../../engine/inputs.ts'
import { monthInput } from '../../engine/monthInput.ts'
import { bindMids, halves, orderSql } from '../../engine/parts.ts'
import { agentNamesSql } from '../../engine/publishedMonths.ts'
import {
  defineReport,
  incomeColumns,
  merchantColumns,
  money,
  placeholders,
  text,
} from '../../engine/report.ts'

const order = [
  { name: 'net', by: 'greatest' },
  { name: 'xmid', by: 'bytes' },
  { name: 'processor', by: 'bytes' },
] as const

/** Income and cost of each merchant: in the month, in the year to date and in all (reports 22). */
export const profitability = defineReport({
  id: 'merchant-profitability',
  name: 'Merchant Profitability',
  group: 'Portfolio',
  description: 'Income, expenses and net of each merchant: in the month, this year and ever.',
  figure: { column: 'net', words: 'Net' },
  allow: everyone,
  publishedOnly: true,
  inputs: { month: monthInput, agent: optionalAgentInput },
  columns: [
    ...merchantColumns,
    text('processor', 'Processor'),
    ...incomeColumns,
    money('ytd', 'Net Year to Date', 'sum'),
    money('lifetime', 'Net Lifetime', 'sum'),
  ],
  async query({ sql, inputs, scope }) {
    const source = await monthSource(sql, inputs.month, { agents: scope })
    const { values, bind } = placeholders(source.values)
    const [scopeParam, agentParam, monthParam, names] = [
      bind(scope),
      bind(inputs.agent),
      bind(inputs.month),
      agentNamesSql(source, bind),
    ]
    // Nearly every MID of the files is in the month, and to look for each of them takes a third of the time.
    const isEvery = scope === null && inputs.agent === null
    const { isIn, bounds } = bindMids(values)
    const rows = `
      with recursive ${source.ctes},
      selected as (
        select xmid, dba, masteragentid, processor, txncount, sales, income, expense, net from merchant_month
        where ${agentInScope(scopeParam, 'masteragentid')} and ${isIn('xmid')}
          and (${agentParam}::int is null or masteragentid = ${agentParam})),
      before as (
        select r.xmid, r.processor,
          sum(r.net) filter (where r.month >= ${firstOf('year', monthParam)}) as thisyear,
          sum(r.net) filter (where r.month < ${firstOf('year', monthParam)}) as earlier
        from residual r where r.month < ${monthParam}::date and ${isIn('r.xmid')}
          ${isEvery ? '' : 'and r.xmid in (select xmid from selected)'}
        group by r.xmid, r.processor)
      select m.xmid, m.dba, a.displayid || ' - ' || a.name as agent, m.processor, m.txncount, m.sales,
        m.income, m.expense, m.net,
        round(m.net / nullif(m.sales, 0) * 10000, 2) as bps, m.net + coalesce(b.thisyear, 0) as ytd,
        m.net + coalesce(b.thisyear, 0) + coalesce(b.earlier, 0) as lifetime
      from selected m left join before b using (xmid, processor)
        left join ${names} a on a.id = m.masteragentid
      order by ${orderSql(order)}`
    const statement = { sql: rows, values }
    return { ...statement, lock: source.lock, ...(isEvery && { parts: halves(statement, bounds, order) }) }
  },
})
