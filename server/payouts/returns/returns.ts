import { formatUsDate } from '../../../schemas/dates.ts'
import { audit } from '../../db/audit.ts'
import type { Sql, Tx } from '../../db/db.ts'
import { HttpError, notFound } from '../../http/errors.ts'
import { formatAmount } from '../../money/amounts.ts'
import { monthName, serializePayouts, type MonthAction } from '../../money/months.ts'

/** What a bank's return codes mean; any other text is a reason of its own (payouts 14). */
export const returnCodes: Readonly<Record<string, string>> = {
  R02: 'Account closed',
  R03: 'No account, or unable to locate it',
  R04: 'Invalid account number',
  R14: 'Representative payee deceased',
  R15: 'Beneficiary or account holder deceased',
  R16: 'Account frozen',
  R17: 'File record edit criteria',
  R20: 'Non-transaction account',
  R23: 'Credit entry refused by receiver',
}
/** The return that says nothing against the account. */
const codeWithoutHold = 'R17'
/**
 * A known code however it is typed; any other text without blanks at its ends. Throws an HttpError (422) for
 * a code that returns nothing.
 */
function returnCodeOf(text: string): string {
  const code = text.trim()
  if (/^C\d\d$/i.test(code)) {
    const message = `${code} is a notification of change: read it from the bank's return file`
    throw new HttpError(422, message, { fields: { code: message } })
  }
  const known = code.toUpperCase()
  return known in returnCodes ? known : code
}

/** The payment by its trace number, or by its id in the ledger if it was made before the ledger. */
type PaymentName = { trace?: string | undefined; payment?: number | undefined }
/** `date` is an ISO day, `amount` is dollars. */
type ReturnOptions = PaymentName & { code: string; date: string; amount?: number | undefined }

/** A payment of the ledger as a return finds it. `returned` is the code with which it came back. */
export type PaidEntry = {
  id: number
  /** None of what was paid before the ledger. */
  trace: string | null
  payeeid: number
  displayid: string
  name: string
  amount: number
  effective: string | null
  /**
   * The first day on which it can come back: that of its release where it was only marked as paid, perhaps by
   * mistake, before it takes effect.
   */
  earliest: string | null
  /** The ISO first day of its month. */
  month: string
  returned: string | null
  routing: string
  encryptedaccount: Buffer | null
  ischecking: boolean | null
}

/**
 * SQL: the first day on which payments of release `r` that take effect on a day may come back, as in
 * `PaidEntry`.
 */
export const earliestReturn = (effective: string) =>
  `case when r.how = 'other' then least(${effective}, r.at::date) else ${effective} end::text`

/** The payments with these trace numbers or ids, or of these releases, in the order of the ledger. */
export const findPayments = (
  sql: Sql,
  by: 'trace' | 'id' | 'releaseid',
  values: readonly (string | number)[],
) =>
  sql.query<PaidEntry>(
    `select p.id, p.trace, p.payeeid, p.displayid, p.name, p.amount, p.effective::text as effective,
        ${earliestReturn('p.effective')} as earliest,
        r.month::text as month, b.code as returned, p.routingnumber as routing,
        p.bankaccountnumber as encryptedaccount, p.ischecking
      from payout_payment p join payout_release r on r.id = p.releaseid
        left join payout_return b on b.paymentid = p.id where p.${by} = any ($1) order by p.id`,
    [values],
  )

/**
 * Books the return of a payment of a month, an ISO first day; `today` is the ISO day of the portal. Its sum
 * is due again to each agent it was paid for, and the account is held (payouts 14). Throws an HttpError: 404
 * for an unknown payment, 409 when the payment came back already, 422 when the day is before the
 * payment or the amount is another, or for a code that returns nothing.
 */
export async function addReturn(
  tx: Tx,
  { month, ...action }: MonthAction & { today: string },
  { code: typed, date, amount, ...name }: ReturnOptions,
): Promise<{ id: number }> {
  const code = returnCodeOf(typed)
  const field = nameField(name)
  await serializePayouts(tx)
  const payment = await findNamed(tx, name)
  if (!payment || payment.month !== month) {
    const known = name.trace === undefined ? 'The payment' : `The payment with trace number ${name.trace}`
    const unknown = name.trace === undefined ? 'There is no such payment' : unknownTrace(name.trace)
    throw new HttpError(404, payment ? `${known} is of ${monthName(payment.month)}` : unknown, {
      fields: { [field]: 'Not a payment of this month' },
    })
  }
  const returned = returnedAlready(payment)
  if (returned) throw new HttpError(409, returned)
  refuseFaults(returnFaults(payment, { date, amount, today: action.today }))
  await bookReturn(tx, action, payment, { code, date, note: '' })
  return { id: payment.id }
}

/**
 * Books the return of each payment of a release of a month that did not come back yet, or of none: each has a
 * return and an audit entry of its own, as if it were booked by itself (payouts 14). Throws an HttpError: 404
 * when the month has no such release, 409 when all of it came back already, 422 as `addReturn`.
 */
export async function addReleaseReturns(
  tx: Tx,
  { month, ...action }: MonthAction & { today: string },
  { release, code: typed, date }: { release: number; code: string; date: string },
): Promise<void> {
  const code = returnCodeOf(typed)
  await serializePayouts(tx)
  const payments = (await findPayments(tx, 'releaseid', [release])).filter((it) => it.month === month)
  if (payments.length === 0) throw notFound('release')
  const left = payments.filter(({ returned }) => returned === null)
  if (left.length === 0) throw new HttpError(409, allReturned)
  for (const payment of left)
    refuseFaults(returnFaults(payment, { date, amount: undefined, today: action.today }))
  for (const payment of left) await bookReturn(tx, action, payment, { code, date, note: '' })
}
const allReturned = 'All payments of this release came back already'

/** Why what is left of a release cannot be booked as returned today, an ISO day; null when it can. */
export function cannotReturn(
  { payments, returned, earliest }: { payments: number; returned: number; earliest: string | null },
  today: string,
): string | null {
  if (returned === payments) return allReturned
  return earliest !== null && earliest > today
    ? `Its payments take effect on ${formatUsDate(earliest)}: none can come back before`
    : null
}

/** Why the return of a payment that can come back from `earliest` on cannot be booked today, an ISO day. */
export const paymentCannotReturn = (earliest: string | null, today: string): string | null =>
  earliest !== null && earliest > today
    ? `The payment takes effect on ${formatUsDate(earliest)}: it cannot come back before`
    : null

function refuseFaults(faults: Record<string, string>) {
  const [first] = Object.values(faults)
  if (first) throw new HttpError(422, first, { fields: faults })
}

/** The field that names the payment. Throws an HttpError (422) unless exactly one does. */
function nameField({ trace, payment }: PaymentName): 'trace' | 'payment' {
  if (trace !== undefined && payment === undefined) return 'trace'
  if (trace === undefined && payment !== undefined) return 'payment'
  const message =
    trace === undefined ? 'Trace Number is required' : 'Name a trace number or a payment, not both'
  throw new HttpError(422, message, { fields: { trace: message } })
}

async function findNamed(sql: Sql, { trace, payment }: PaymentName): Promise<PaidEntry | undefined> {
  const [found] = await (trace === undefined
    ? findPayments(sql, 'id', [payment!])
    : findPayments(sql, 'trace', [trace]))
  return found
}

export const unknownTrace = (trace: string) => `There is no payment with trace number ${trace}`

/** A sentence for a payment that came back before; null for one that did not. */
export const returnedAlready = ({ displayid, name, returned }: PaidEntry): string | null =>
  returned === null ? null : `The payment to ${displayid} - ${name} came back already (${returned})`

/** What is wrong with a return, by field; `date` and `today` are ISO days, `amount` is dollars. */
export function returnFaults(
  { amount, effective, earliest, month }: PaidEntry,
  sent: { date: string; amount: number | undefined; today: string },
): Record<string, string> {
  const faults: Record<string, string> = {}
  if (earliest !== null && sent.date < earliest)
    faults.date =
      `Date is before the payment, which ${earliest === effective ? 'took effect' : 'was released'} ` +
      `on ${formatUsDate(earliest)}`
  else if (earliest === null && sent.date < month)
    faults.date = `Date is before ${monthName(month)}, which was paid`
  else if (sent.date > sent.today) faults.date = 'Date is in the future'
  if (sent.amount !== undefined && Math.round(sent.amount * 100) !== Math.round(amount * 100))
    faults.amount = `The payment was ${formatAmount(amount)}, not ${formatAmount(sent.amount)}`
  return faults
}

/** Whether a return with this code holds the payee. */
export const holdsAccount = (code: string) => code !== codeWithoutHold

/** Stores a return that was checked; `note` is what the bank says besides its code. */
export async function bookReturn(
  tx: Tx,
  { username, address }: Pick<MonthAction, 'username' | 'address'>,
  payment: PaidEntry,
  { code, date, note }: { code: string; date: string; note: string },
): Promise<void> {
  const meaning = [returnCodes[code] ?? '', note].filter(Boolean).join(', ')
  const reason = meaning === '' ? code : `${code} ${meaning}`
  await tx.query(
    `insert into payout_return (paymentid, code, note, day, username, address)
      values ($1, $2, $3, $4, $5, $6)`,
    [payment.id, code, meaning, date, username, address],
  )
  if (holdsAccount(code))
    await tx.query(
      `insert into payout_hold (masteragentid, month, isstatement, paymentid, reason, username, address)
        values ($1, $2, false, $3, $4, $5, $6)`,
      [payment.payeeid, payment.month, payment.id, `payment returned, ${reason}`, username, address],
    )
  const { trace, displayid: payee, amount } = payment
  await audit(tx, {
    username,
    address,
    action: 'return',
    entity: 'payout',
    entityid: payment.id,
    // As `code` it would be taken for one of a sign-in.
    after: { month: payment.month.slice(0, 7), trace, returncode: code, date, payee, amount },
  })
}
