import { everyone } from '../../../schemas/permissions.ts'
import { within } from '../../db/scope.ts'
import { monthSource } from '../../money/monthSource.ts'
import { anyAgent } from '../engine/inputs.ts'
import { month } from '../engine/monthInput.ts'
import { agentNames } from '../engine/publishedMonths.ts'
import { count, money, number, ofMerchant, placeholders, ratio, report, text } from '../engine/report.ts'

/** What each merchant brought in and cost, in the month, in the year so far and in all. */
export const profitability = report({
  id: 'merchant-profitability',
  name: 'Merchant Profitability',
  allow: everyone,
  published: true,
  inputs: { month, agent: anyAgent },
  columns: [
    ...ofMerchant,
    text('processor', 'Processor'),
    count('txncount', 'Transactions', 'sum'),
    money('sales', 'Volume', 'sum'),
    money('income', 'Income', 'sum'),
    money('expense', 'Expenses', 'sum'),
    money('net', 'Net', 'sum'),
    number('bps', 'BPS', ratio('net', 'sales', 10_000)),
    money('ytd', 'Net Year to Date', 'sum'),
    money('lifetime', 'Net Lifetime', 'sum'),
  ],
  async answer({ sql, inputs, scope }) {
    const source = await monthSource(sql, inputs.month, { agents: scope })
    const { values, put } = placeholders(source.values)
    const [mine, one, at, names] = [put(scope), put(inputs.agent), put(inputs.month), agentNames(source, put)]
    const rows = `
      with recursive ${source.ctes},
      mine as (
        select * from merchant_month
        where ${within(mine, 'masteragentid')} and (${one}::int is null or masteragentid = ${one})),
      before as (
        select r.xmid, r.processor, sum(r.net) filter (where r.month >= date_trunc('year', ${at}::date)) as ytd, sum(r.net) as lifetime
        from residual r where r.month <= ${at}::date and r.xmid in (select xmid from mine) group by r.xmid, r.processor)
      select m.xmid, m.dba, a.displayid || ' - ' || a.name as agent, m.processor, m.txncount, m.sales, m.income, m.expense, m.net,
        round(m.net / nullif(m.sales, 0) * 10000, 2) as bps, b.ytd, b.lifetime
      from mine m left join before b using (xmid, processor) left join ${names} a on a.id = m.masteragentid
      order by m.net desc, m.xmid collate "C", m.processor`
    return { sql: rows, values, lock: source.lock }
  },
})
