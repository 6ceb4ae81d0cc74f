import { everyone } from '../../../schemas/permissions.ts'
import { agentInScope } from '../../db/scope.ts'
import { monthSource } from '../../money/monthSource.ts'
import { monthInput } from '../engine/monthInput.ts'
import { agentNamesSql, carryNotes } from '../engine/publishedMonths.ts'
import {
  count,
  linked,
  money,
  agentColumns,
  namesAgent,
  placeholders,
  defineReport,
  statementPath,
  text,
} from '../engine/report.ts'

/** What each agent is due for a month (reports 15). The house is shown to callers who see all agents. */
export const summary = defineReport({
  id: 'residual-summary',
  name: 'Residual Summary by Agent',
  group: 'Pay of Agents',
  description: 'What every agent is due and paid for a month, one line each.',
  figure: { column: 'payable', words: 'Payable' },
  hasFewRows: true,
  allow: everyone,
  publishedOnly: true,
  inputs: { month: monthInput },
  columns: [
    ...agentColumns,
    namesAgent(text('parent', 'Parent')),
    count('merchants', 'Merchants', 'sum'),
    count('txncount', 'Transactions', 'sum'),
    money('sales', 'Volume', 'sum'),
    money('net', 'Net', 'sum'),
    money('own', 'Own', 'sum'),
    money('override', 'Override', 'sum'),
    money('house', 'House', 'sum'),
    money('withheld', 'Withheld', 'sum'),
    money('equipment', 'Equipment', 'sum'),
    money('adjustments', 'Adjustments', 'sum'),
    money('subscriptions', 'Subscriptions', 'sum'),
    money('carryin', 'Carried In', 'sum'),
    linked(money('due', 'Due', 'sum'), 'statement'),
    money('payable', 'Payable', 'sum'),
    money('carryout', 'Carried Out', 'sum'),
    text('hold', 'Held'),
  ],
  async query({ sql, inputs, scope }) {
    const source = await monthSource(sql, inputs.month, { agents: scope })
    const { values, bind } = placeholders(source.values)
    const [scopeParam, monthParam, names] = [bind(scope), bind(inputs.month), agentNamesSql(source, bind)]
    const agents = (house: string) => `
      select s.displayid, s.name, p.displayid || ' - ' || p.name as parent, s.merchants, s.txncount, s.sales,
        s.net,
        s.own, s.override, ${house} as house, s.withheld, s.equipment, s.adjustments, s.subscriptions,
        s.carryin,
        s.due, s.payable, s.carryout, s.hold, 1 as part,
        ${statementPath(`${monthParam}::date`, 's.masteragentid')} as statement
      from statement s left join ${names} p on p.id = s.parentid and ${agentInScope(scopeParam, 'p.id')}`
    const whole = `
      ${agents('coalesce(h.house, 0)')} left join house_sum h on h.masteragentid = s.masteragentid
        where ${scopeParam}::int[] is null
      union all
      select '', 'MIDs that are not in the portfolio', null, merchants, txncount, sales, net, 0, 0, house, 0,
        0, 0, 0, 0, 0, 0, 0, null, 2, null
      from house_sum where masteragentid is null`
    const branch = `${agents('null::numeric')} where s.masteragentid = any (${scopeParam})`
    const rows = `
      with recursive ${source.ctes}${scope === null ? whole : branch}
      order by part, displayid, name`
    const notes = [
      ...(scope === null ? ['Own, Override and House add up to Net.'] : []),
      ...carryNotes(source),
    ]
    return { sql: rows, values, lock: source.lock, notes }
  },
})
