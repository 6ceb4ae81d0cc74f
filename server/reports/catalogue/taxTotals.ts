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

/** `person` is the payee's tax type and names as of the payment. */
type TaxedPayment = { id: number; payeeid: number; taxid: Buffer | null; person: string }

const taxIdContext = (payeeid: number) => `master_agent.taxid.${payeeid}`

/** The digits of the tax id, null without one. What cannot be read is one unknown tax id of its payee. */
const digitsOf = (secret: Buffer, { taxid, payeeid }: TaxedPayment) => {
  const text = decrypt(secret, taxid, taxIdContext(payeeid))
  return text === unreadable ? `${unreadable} ${payeeid}` : text.replace(/\D/g, '') || null
}

/** Answers the number of each text. Equal ones, and those that are linked, have the same number. */
function numberLinked(texts: readonly string[], links: readonly (readonly [string, string])[]): number[] {
  const linkedTo = new Map<string, string>()
  const root = (text: string): string => {
    let at = text
    while (linkedTo.has(at)) at = linkedTo.get(at)!
    return at
  }
  for (const [from, to] of links) if (root(from) !== root(to)) linkedTo.set(root(from), root(to))
  const numbers = new Map<string, number>()
  return texts.map((text) => {
    const key = root(text)
    if (!numbers.has(key)) numbers.set(key, numbers.size)
    return numbers.get(key)!
  })
}

/**
 * Numbers the tax ids and the taxpayers and answers both for each payment; `payments` are ordered by payee
 * and id. Payments with the same tax id get the same numbers, also those of different payees. A payment
 * without one gets those of the payee's next payment that has one, else of the one before; a payee without
 * any tax id gets numbers of its own. Tax ids of one payee with the same type and names are of one taxpayer
 * (payouts 10).
 */
function numberTaxIds(secret: Buffer, payments: readonly TaxedPayment[]) {
  const own = payments.map((payment) => digitsOf(secret, payment))
  const ids = [...own]
  const isSamePayee = (at: number, other: number) => payments[at]?.payeeid === payments[other]?.payeeid
  for (let at = ids.length - 2; at >= 0; at--) if (isSamePayee(at, at + 1)) ids[at] ??= ids[at + 1]!
  for (let at = 1; at < ids.length; at++) if (isSamePayee(at, at - 1)) ids[at] ??= ids[at - 1]!
  const keys = payments.map(({ payeeid }, at) => ids[at] ?? `none ${payeeid}`)
  const links = payments.flatMap(({ payeeid, person }, at): [string, string][] =>
    own[at] === null ? [] : [[own[at]!, `${payeeid} ${person}`]],
  )
  return { taxIds: numberLinked(keys, []), taxpayers: numberLinked(keys, links) }
}

const taxIdSentences = {
  changed: 'Paid under more than one tax id, each of which has a row',
  corrected: 'Added up towards the amount, as nothing but the tax id was changed',
  shared: 'One tax id, by whose sum they are reportable',
  together: 'Reportable only together with the other rows of the payee: check if a tax id was corrected',
}

/** Sentences about payees with rows of several tax ids, and about tax ids with rows of several payees. */
async function taxIdNotes(sql: Sql, rows: string, values: unknown[]): Promise<string[]> {
  const found = await sql.query<{ kind: keyof typeof taxIdSentences; payees: string }>(
    `with shown as (${rows}),
      named (kind, displayid, taxnumber) as (
        select 'changed', max(displayid), 0 from shown group by payeeid having count(*) > 1
        union select 'corrected', max(displayid), 0 from shown group by payeeid, taxpayer having count(*) > 1
        union select 'shared', displayid, taxnumber from shown
          where taxnumber in (select taxnumber from shown group by taxnumber having count(*) > 1)
        union select 'together', displayid, 0 from shown where istogether and not reportable)
      select kind, string_agg(displayid, ', ' order by displayid) as payees from named
      group by kind, taxnumber order by kind, payees`,
    values,
  )
  return found.map(({ kind, payees }) => `${taxIdSentences[kind]}: ${payees}.`)
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

/** A sentence that names the payments of a year that came back after its end, none without such. */
async function lateReturnNotes(sql: Sql, scope: readonly number[] | null, year: number): Promise<string[]> {
  const [returned] = await sql.query<{ payments: number; paid: number; payees: string }>(
    `select count(distinct p.id) as payments, sum(a.amount) as paid,
        string_agg(distinct p.displayid, ', ' order by p.displayid) as payees
      from payout_payment p join payout_return b on b.paymentid = p.id
        join payout_allocation a on a.paymentid = p.id
      where p.effective >= $2::date and p.effective < $2::date + interval '1 year'
        and b.day >= $2::date + interval '1 year' and ${agentInScope('$1', 'a.masteragentid')}`,
    [scope, `${year}-01-01`],
  )
  if (returned!.payments === 0) return []
  const { payments, paid, payees } = returned!
  const what = `${countNoun(payments, 'payment')}, ${formatAmount(paid)}, to ${payees}`
  return [
    `Not counted: ${what}, which came back after the end of ${year}. Check the forms that were filed before.`,
  ]
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
      `select id, payeeid, taxid, json_build_array(taxtypeid, name, businessname)::text as person
        from payout_payment p
        where effective >= $1::date and effective < $1::date + interval '1 year'
          and exists (select from paid_allocation a where a.paymentid = p.id)
        order by payeeid, id`,
      [`${year}-01-01`],
    )
    const isSeen = agentInScope(bind(scope), 'a.masteragentid')
    const { taxIds, taxpayers } = numberTaxIds(secret, payments)
    const taxed = `unnest(${bind(payments.map((it) => it.id))}::bigint[], ${bind(taxIds)}::int[],
      ${bind(taxpayers)}::int[]) t (paymentid, taxnumber, taxpayer)`
    const threshold = `${bind(thresholdOf(year))}::numeric`
    // Names and tax data are those of the newest payment of the row; it is reportable by all of its taxpayer.
    const rows = `
      select payeeid, taxnumber, taxpayer, newest, displayid, name, businessname, encrypted, w9, months, paid,
        case taxtypeid ${titles} end as taxtype, whole >= ${threshold} as reportable,
        together >= ${threshold} as istogether
      from (
        select p.payeeid, t.taxnumber, t.taxpayer, max(p.id) as newest,
          (array_agg(p.displayid order by p.id desc))[1] as displayid,
          (array_agg(p.name order by p.id desc))[1] as name,
          (array_agg(p.businessname order by p.id desc))[1] as businessname,
          (array_agg(p.taxtypeid order by p.id desc))[1] as taxtypeid,
          (array_agg(p.taxid order by p.id desc))[1] as encrypted,
          (array_agg(p.taxid is not null order by p.id desc))[1] as w9,
          count(distinct a.month) filter (where ${isSeen}) as months,
          sum(a.amount) filter (where ${isSeen}) as paid,
          sum(sum(a.amount)) over (partition by t.taxpayer) as whole,
          sum(sum(a.amount)) over (partition by p.payeeid) as together
        from ${taxed} join payout_payment p on p.id = t.paymentid join paid_allocation a on a.paymentid = p.id
        group by p.payeeid, t.taxnumber, t.taxpayer) y
      where months > 0`
    const indexed = year > 2026 ? ' The IRS indexes the amount from 2027: check it.' : ''
    const notes = [
      `Reportable from $${thresholdOf(year).toLocaleString('en-US')} a year.${indexed}`,
      'Counted are the payments that took effect in the year and did not come back.',
      ...(await taxIdNotes(sql, rows, values)),
      ...(await lateReturnNotes(sql, scope, year)),
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
