import { everyone } from '../../../../schemas/permissions.ts'
import { monthSource } from '../../../money/monthSource.ts'
import { monthInput } from '../../engine/monthInput.ts'
import { agentNamesSql, carryNotes } from '../../engine/publishedMonths.ts'
import {
  agentColumns,
  date,
  defineReport,
  id,
  leadsToMonths,
  money,
  namesAgent,
  namesMerchant,
  percent,
  placeholders,
  text,
} from '../../engine/report.ts'
import { explainedLineCte } from '../../engine/withheld.ts'

/** What a month does not pay of inactive merchants and of held statements, and why (reports 36). */
export const withheldPay = defineReport({
  id: 'withheld-pay',
  name: 'Withheld Pay',
  group: 'Pay of Agents',
  description: 'What a month does not pay of inactive merchants and held statements, and why.',
  figure: { column: 'withheld', words: 'Withheld' },
  sections: ['displayid', 'name'],
  allow: everyone,
  publishedOnly: true,
  inputs: { month: monthInput },
  columns: [
    ...agentColumns,
    text('section', 'Section'),
    leadsToMonths(id('xmid', 'Merchant ID')),
    namesMerchant(text('dba', 'DBA')),
    money('withheld', 'Withheld', 'sum'),
    money('held', 'Held', 'sum'),
    text('why', 'Why'),
    date('closed', 'Date Closed'),
    namesAgent(text('through', 'Through')),
    text('processor', 'Processor'),
    money('net', 'Net'),
    percent('percent', 'Percent'),
  ],
  async query({ sql, inputs: { month }, scope }) {
    const source = await monthSource(sql, month, { agents: scope })
    const { values, bind } = placeholders(source.values)
    const names = agentNamesSql(source, bind)
    const rows = `
      with recursive ${source.ctes}, ${await explainedLineCte(sql, source, 'withheld_line')}
      select s.displayid, s.name, l.* from statement s join (
        select p.masteragentid, case p.kind when 'own' then 1 else 2 end as part,
          case p.kind when 'own' then 'Merchant' else 'Override' end as section,
          a.displayid || ' - ' || a.name as through, p.xmid, p.dba, p.processor,
          nullif(p.date_closed, 0) as closed, p.net, p.percent, p.withheld, 0 as held, p.why
        from explained_line p left join ${names} a on a.id = p.fromagentid
        union all
        select masteragentid, 3, 'Statement', null, null, null, null, null, null, null, 0, carryout, hold
        from statement where hold is not null and carryout > 0) l
        on l.masteragentid = s.masteragentid
      order by s.displayid, s.masteragentid, part, through, dba, xmid collate "C", processor`
    return { sql: rows, values, lock: source.lock, notes: carryNotes(source) }
  },
})
