import { taxTypes } from '../../../schemas/entities/masterAgent.ts'
import { everyone } from '../../../schemas/permissions.ts'
import { countNoun } from '../../../schemas/wording.ts'
import type { Sql } from '../../db/db.ts'
import { decrypt, decryptMasked, unreadable } from '../../db/encryption.ts'
import { agentInScope } from '../../db/scope.ts'
import { formatAmount } from '../../money/amounts.ts'
import { integerInput } from '../engine/inputs.ts'
import {
  count,
  defineReport,
  flag,
  id,
  linked,
  money,
  namesAgent,
  placeholders,
  text,
  unsortable,
} from '../engine/report.ts'

/** Dollars a year from which a payee is reported, by first year; $600 before (payouts 10). */
const thresholds: readonly (readonly [from: number, dollars: number])[] = [[2026, 2000]]
const thresholdOf = (year: number) => thresholds.findLast(([from]) => year >= from)?.[1] ?? 600

const titles = taxTypes
  .flatMap((type) => (type.const ? [`when ${type.const} then '${type.title}'`] : []))
  .join(' ')

type TaxedPayment = { id: number; payeeid: number; taxid: Buffer | null }

const taxIdContext = (payeeid: number) => `master_agent.taxid.${payeeid}`

/** The digits of the tax id, null without one. What cannot be read is one unknown tax id of its payee. */
const digitsOf = (secret: Buffer, { taxid, payeeid }: TaxedPayment) => {
  const text = decrypt(secret, taxid, taxIdContext(payeeid))
  return text === unreadable ? `${unreadable} ${payeeid}` : text.replace(/\D/g, '') || null
}

/**
 * Numbers the taxpayers and answers the number for each payment; `payments` are ordered by payee and id.
 * Payments with the same tax id get the same number, also those of different payees. A payment without one
 * gets the number of the payee's next payment that has one, else of the one before; a payee without any tax
 * id gets a number of its own (payouts 10).
 */
function taxpayersOf(secret: Buffer, payments: readonly TaxedPayment[]): number[] {
  const ids = payments.map((payment) => digitsOf(secret, payment))
  const isSamePayee = (at: number, other: number) => payments[at]?.payeeid === payments[other]?.payeeid
  for (let at = ids.length - 2; at >= 0; at--) if (isSamePayee(at, at + 1)) ids[at] ??= ids[at + 1]!
  for (let at = 1; at < ids.length; at++) if (isSamePayee(at, at - 1)) ids[at] ??= ids[at - 1]!
  const numbers = new Map<string, number>()
  return payments.map(({ payeeid }, at) => {
    const key = ids[at] ?? `none ${payeeid}`
    if (!numbers.has(key)) numbers.set(key, numbers.size)
    return numbers.get(key)!
  })
}

/** Sentences about payees with rows of several tax ids, and about tax ids with rows of several payees. */
async function taxIdNotes(sql: Sql, rows: string, values: unknown[]): Promise<string[]> {
  const found = await sql.query<{ kind: string; payees: string }>(
    `with shown as (${rows})
      select 'changed' as kind, string_agg(displayid, ', ' order by displayid) as payees from (
        select max(displayid) as displayid from shown group by payeeid having count(*) > 1) c
      having count(*) > 0
      union all (
        select 'shared', string_agg(displayid, ', ' order by displayid)
        from shown group by taxpayer having count(*) > 1 order by 2)`,
    values,
  )
  return found.map(({ kind, payees }) =>
    kind === 'changed'
      ? `Paid under more than one tax id, each of which has a row: ${payees}.`
      : `One tax id, by whose sum they are reportable: ${payees}.`,
  )
}

/** A sentence that names the payments whose day is not known (payouts 16), none without such. */
async function undatedNotes(sql: Sql, scope: readonly number[] | null): Promise<string[]> {
  const [undated] = await sql.query<{ payments: number; paid: number; payees: string }>(
    `select count(distinct p.id) as payments, sum(a.amount) as paid,
        string_agg(distinct p.displayid, ', ' order by p.displayid) as payees
      from payout_payment p join paid_allocation a on a.paymentid = p.id
      where p.effective is null and ${agentInScope('$1', 'a.masteragentid')}`,
    [scope],
  )
  if (undated!.payments === 0) return []
  const { payments, paid, payees } = undated!
  const what = `${countNoun(payments, 'payment')} of before the ledger, ${formatAmount(paid)}, to ${payees}`
  return [`Not counted, as their day is not known: ${what}.`]
}

/** What each payee was paid in a year under each of its tax ids, by the ledger (payouts 10). */
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
    unsortable(id('taxid', 'Tax Id')),
    flag('w9', 'W-9 on File'),
    count('months', 'Months'),
    linked(money('paid', 'Paid', 'sum'), 'payments'),
    flag('reportable', 'Reportable'),
  ],
  async query({ sql, scope, secret, inputs: { year } }) {
    const { values, bind } = placeholders()
    const payments = await sql.query<TaxedPayment>(
      `select id, payeeid, taxid from payout_payment p
        where effective >= $1::date and effective < $1::date + interval '1 year'
          and exists (select from paid_allocation a where a.paymentid = p.id)
        order by payeeid, id`,
      [`${year}-01-01`],
    )
    const isSeen = agentInScope(bind(scope), 'a.masteragentid')
    const taxed = `unnest(${bind(payments.map((it) => it.id))}::bigint[],
      ${bind(taxpayersOf(secret, payments))}::int[]) t (paymentid, taxpayer)`
    // Names and tax data are those of the newest payment of the row; it is reportable by all of its tax id.
    const rows = `
      select payeeid, taxpayer, newest, displayid, name, businessname, encrypted, w9, months, paid,
        case taxtypeid ${titles} end as taxtype, whole >= ${bind(thresholdOf(year))}::numeric as reportable
      from (
        select p.payeeid, t.taxpayer, max(p.id) as newest,
          (array_agg(p.displayid order by p.id desc))[1] as displayid,
          (array_agg(p.name order by p.id desc))[1] as name,
          (array_agg(p.businessname order by p.id desc))[1] as businessname,
          (array_agg(p.taxtypeid order by p.id desc))[1] as taxtypeid,
          (array_agg(p.taxid order by p.id desc))[1] as encrypted,
          (array_agg(p.taxid is not null order by p.id desc))[1] as w9,
          count(distinct a.month) filter (where ${isSeen}) as months,
          sum(a.amount) filter (where ${isSeen}) as paid,
          sum(sum(a.amount)) over (partition by t.taxpayer) as whole
        from ${taxed} join payout_payment p on p.id = t.paymentid join paid_allocation a on a.paymentid = p.id
        group by p.payeeid, t.taxpayer) y
      where months > 0`
    const indexed = year > 2026 ? ' The IRS indexes the amount from 2027: check it.' : ''
    const notes = [
      `Reportable from $${thresholdOf(year).toLocaleString('en-US')} a year.${indexed}`,
      'Counted are the payments that took effect in the year and did not come back.',
      ...(await taxIdNotes(sql, rows, values)),
      ...(await undatedNotes(sql, scope)),
    ]
    return {
      sql: `
        select payeeid, encrypted, displayid, name, businessname, taxtype, w9, months, paid, reportable,
          '/reporting?report=payout-history&from=${year}-01-01&to=${year}-12-31&payee=' || payeeid || '&run=1'
            as payments
        from (${rows}) r order by displayid, payeeid, newest`,
      values,
      notes,
      mapRow: ({ payeeid, encrypted, ...row }) => ({
        ...row,
        taxid: decryptMasked(secret, encrypted as Buffer | null, taxIdContext(Number(payeeid))),
      }),
    }
  },
})
