import { taxTypes } from '../../../schemas/entities/masterAgent.ts'
import { everyone } from '../../../schemas/permissions.ts'
import { countNoun } from '../../../schemas/wording.ts'
import { agentInScope } from '../../db/scope.ts'
import { formatAmount } from '../../money/amounts.ts'
import { integerInput } from '../engine/inputs.ts'
import { count, flag, id, money, namesAgent, placeholders, defineReport, text } from '../engine/report.ts'

/** Dollars a year from which a payee is reported, by first year; $600 before (payouts 10). */
const thresholds: readonly (readonly [from: number, dollars: number])[] = [[2026, 2000]]
const thresholdOf = (year: number) => thresholds.findLast(([from]) => year >= from)?.[1] ?? 600

const titles = taxTypes
  .flatMap((type) => (type.const ? [`when ${type.const} then '${type.title}'`] : []))
  .join(' ')

/** What each payee was paid in a year, by the ledger (payouts 10). */
export const taxTotals = defineReport({
  id: 'agent-1099-totals',
  name: 'Agent 1099 Totals',
  group: 'Payouts',
  description: 'What each payee was paid in a year, and whether it is to be reported.',
  figure: { column: 'paid', words: 'Paid in the year' },
  allow: everyone,
  publishedOnly: true,
  inputs: { year: integerInput('Year', 2000, 2100) },
  columns: [
    id('displayid', 'Payee', { text: 'Total' }),
    namesAgent(text('name', 'Name'), 'displayid'),
    text('businessname', 'Business Name'),
    text('taxtype', 'Tax Type'),
    flag('w9', 'W-9 on File'),
    count('months', 'Months'),
    money('paid', 'Paid', 'sum'),
    flag('reportable', 'Reportable'),
  ],
  async query({ sql, scope, inputs: { year } }) {
    const { values, bind } = placeholders()
    const [scopeParam, first, threshold] = [bind(scope), bind(`${year}-01-01`), bind(thresholdOf(year))]
    const isSeen = agentInScope(scopeParam, 'a.masteragentid')
    // Names and tax data are those of the newest payment of the year; a payee is reportable by all of them.
    const rows = `
      select displayid, name, businessname, case taxtypeid ${titles} end as taxtype, w9, months, paid,
        whole >= ${threshold}::numeric as reportable
      from (
        select p.payeeid, (array_agg(p.displayid order by p.id desc))[1] as displayid,
          (array_agg(p.name order by p.id desc))[1] as name,
          (array_agg(p.businessname order by p.id desc))[1] as businessname,
          (array_agg(p.taxtypeid order by p.id desc))[1] as taxtypeid,
          (array_agg(p.taxid is not null order by p.id desc))[1] as w9,
          count(distinct a.month) filter (where ${isSeen}) as months,
          sum(a.amount) filter (where ${isSeen}) as paid, sum(a.amount) as whole
        from payout_payment p join paid_allocation a on a.paymentid = p.id
        where p.effective >= ${first}::date and p.effective < ${first}::date + interval '1 year'
        group by p.payeeid) y
      where months > 0
      order by displayid, payeeid`
    const [undated] = await sql.query<{ payments: number; paid: number; payees: string }>(
      `select count(distinct p.id) as payments, sum(a.amount) as paid,
          string_agg(distinct p.displayid, ', ' order by p.displayid) as payees
        from payout_payment p join paid_allocation a on a.paymentid = p.id
        where p.effective is null and ${agentInScope('$1', 'a.masteragentid')}`,
      [scope],
    )
    const indexed = year > 2026 ? ' The IRS indexes the amount from 2027: check it.' : ''
    const notes = [
      `Reportable from $${thresholdOf(year).toLocaleString('en-US')} a year.${indexed}`,
      'Counted are the payments that took effect in the year and did not come back.',
      ...(undated!.payments > 0
        ? [
            'Not counted, as their day is not known: ' +
              `${countNoun(undated!.payments, 'payment')} of before the ledger, ` +
              `${formatAmount(undated!.paid)}, to ${undated!.payees}.`,
          ]
        : []),
    ]
    return { sql: rows, values, notes }
  },
})
