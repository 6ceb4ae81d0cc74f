import { everyone } from '../../../schemas/permissions.ts'
import { formatAmount } from '../../money/amounts.ts'
import { carryParts } from '../../money/copies/carry.ts'
import { monthSource } from '../../money/monthSource.ts'
import { agentInput } from '../engine/inputs.ts'
import { monthInput } from '../engine/monthInput.ts'
import { agentNamesSql, carryNotes, monthBefore } from '../engine/publishedMonths.ts'
import {
  comparedLink,
  count,
  id,
  leadsToMonths,
  money,
  namesAgent,
  percent,
  placeholders,
  defineReport,
  text,
} from '../engine/report.ts'
import { statementLinks } from '../engine/statementLinks.ts'
import { commonReasonSql, explainedLineCte } from '../engine/withheld.ts'

type StatementTotals = { payable: number; carryout: number; hold: string | null; isofficeaccount: boolean }
const statementNotes = ({ payable, carryout, hold, isofficeaccount }: StatementTotals): string[] => {
  if (isofficeaccount) return ['This is an office account: it is shown and never paid out.']
  const carried = carryout === 0 ? '' : ` ${formatAmount(carryout)} is carried forward.`
  return [`${formatAmount(payable)} is payable.${carried}${hold ? ` Held: ${hold}.` : ''}`]
}

/** What one agent is due for a month, line by line; the amounts add up to it (reports 14). */
export const statement = defineReport({
  id: 'agent-residual-statement',
  name: 'Agent Residual Statement',
  group: 'Pay of Agents',
  description: 'What one agent is due for a month, line by line.',
  figure: { column: 'amount', words: 'Due' },
  sections: ['section'],
  allow: everyone,
  publishedOnly: true,
  inputs: { month: monthInput, agent: agentInput },
  columns: [
    text('section', 'Section', { text: 'Due' }),
    {
      ...text('description', 'DBA / Description'),
      record: (row) => (row.through ? { agent: row.through } : { merchant: row.xmid ?? null }),
    },
    leadsToMonths(id('xmid', 'Merchant ID')),
    namesAgent(text('through', 'Through')),
    text('processor', 'Processor'),
    count('merchants', 'Merchants'),
    count('txncount', 'Transactions'),
    money('sales', 'Volume'),
    money('net', 'Net'),
    percent('percent', 'Percent'),
    money('flat', 'Flat'),
    money('withheld', 'Withheld', 'sum'),
    money('amount', 'Amount', 'sum'),
    text('why', 'Why Withheld'),
  ],
  async query({ sql, inputs, scope, caller }) {
    const before = await monthBefore(sql, scope, inputs.month)
    const source = await monthSource(sql, inputs.month, { agents: [inputs.agent] })
    const { values, bind } = placeholders(source.values)
    const agentParam = bind(inputs.agent)
    const names = agentNamesSql(source, bind)
    const parts = await carryParts(sql, source, { month: inputs.month, bind })
    const lines = `
      with recursive ${source.ctes}, ${parts}, ${await explainedLineCte(sql, source, 'pay_line')}
      select s.payable, s.carryout, s.hold, s.isofficeaccount, l.* from statement s left join (
        select 1 as part, 'Merchant' as section, null as through, xmid, dba as description, processor,
          1 as merchants,
          txncount::bigint, sales, net, percent, flat, withheld, why, amount, null::date as carrymonth
        from explained_line where kind = 'own' and masteragentid = ${agentParam}
        union all
        select 2, 'Override', a.displayid || ' - ' || a.name, null, a.name, p.processor,
          count(*)::int,
          sum(p.txncount), sum(p.sales), sum(p.net),
          case when min(p.percent) = max(p.percent) then min(p.percent) end,
          sum(p.flat), sum(p.withheld), ${commonReasonSql}, sum(p.amount), null
        from explained_line p join ${names} a on a.id = p.fromagentid
        where p.kind = 'override' and p.masteragentid = ${agentParam}
        group by a.id, a.displayid, a.name, p.processor
        union all
        select array_position(array['equipment', 'subscription', 'adjustment'], kind) + 2,
          initcap(kind), null, null, label,
          null, null, null, null, null, null, null, null, null, amount, null
        from statement_line where masteragentid = ${agentParam} and kind <> 'carry'
        union all
        select 6, 'Carry', null, null,
          'Carried forward' || coalesce(' from ' || to_char(month, 'FMMonth YYYY'), ''),
          null, null, null, null, null, null, null, null, null, amount, month
        from carry_part where masteragentid = ${agentParam}) l on true
      where s.masteragentid = ${agentParam}
      order by part, through, carrymonth, description, xmid collate "C", processor, amount`
    let totals: StatementTotals | undefined
    return {
      sql: lines,
      values,
      lock: source.lock,
      links: [
        ...(before === null ? [] : [comparedLink(inputs.month, before, inputs.agent)]),
        ...(await statementLinks(sql, { caller, ...inputs })),
      ],
      notes: () => [...(totals ? statementNotes(totals) : []), ...carryNotes(source)],
      // Each row carries the totals; a statement without lines is one row that has nothing else.
      mapRow(row) {
        totals ??= row as StatementTotals
        return row.section === null ? null : row
      },
    }
  },
})
