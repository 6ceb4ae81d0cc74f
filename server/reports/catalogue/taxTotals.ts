import { taxTypes } from '../../../schemas/entities/masterAgent.ts'
import { everyone } from '../../../schemas/permissions.ts'
import { agentInScope } from '../../db/scope.ts'
import { integerInput } from '../engine/inputs.ts'
import { count, flag, id, money, placeholders, defineReport, text } from '../engine/report.ts'

/** Dollars a year from which a payee is reported, by first year; $600 before (payouts 10). */
const thresholds: readonly (readonly [from: number, dollars: number])[] = [[2026, 2000]]
const thresholdOf = (year: number) => thresholds.findLast(([from]) => year >= from)?.[1] ?? 600

const titles = taxTypes
  .flatMap((type) => (type.const ? [`when ${type.const} then '${type.title}'`] : []))
  .join(' ')

/** What each payee was paid for the locked months of a year (payouts 10). */
export const taxTotals = defineReport({
  id: 'agent-1099-totals',
  name: 'Agent 1099 Totals',
  allow: everyone,
  publishedOnly: true,
  inputs: { year: integerInput('Year', 2000, 2100) },
  columns: [
    id('displayid', 'Payee', { text: 'Total' }),
    text('name', 'Name'),
    text('businessname', 'Business Name'),
    text('taxtype', 'Tax Type'),
    flag('w9', 'W-9 on File'),
    count('months', 'Months'),
    money('paid', 'Paid', 'sum'),
    flag('reportable', 'Reportable'),
  ],
  query({ scope, inputs: { year } }) {
    const { values, bind } = placeholders()
    const [scopeParam, first, threshold] = [bind(scope), bind(`${year}-01-01`), bind(thresholdOf(year))]
    const sql = `
      select y.displayid, y.name, y.businessname, case y.taxtypeid ${titles} end as taxtype,
        y.taxid is not null as w9,
        count(distinct l.month) as months, sum(s.payable) as paid,
        sum(s.payable) >= ${threshold}::numeric as reportable
      from month_lock l join locked_statement s on s.lockid = l.id
        join master_agent y on y.id = coalesce(s.payeeid, s.masteragentid)
      where l.reopened_at is null and l.month >= ${first}::date
        and l.month < ${first}::date + interval '1 year' and s.payable > 0
        and ${agentInScope(scopeParam, 's.masteragentid')}
      group by y.id
      order by y.displayid, y.id`
    const indexed = year > 2026 ? ' The IRS indexes the amount from 2027: check it.' : ''
    const notes = [
      `Reportable from $${thresholdOf(year).toLocaleString('en-US')} a year.${indexed}`,
      'Counted are the locked months of the year, whenever they were paid out.',
    ]
    return { sql, values, notes }
  },
})
