import { formatUsDate } from '../../../schemas/dates.ts'
import { audit } from '../../db/audit.ts'
import type { Sql, Tx } from '../../db/db.ts'
import { HttpError } from '../../http/errors.ts'
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
/** A known code however it is typed; any other text without blanks at its ends. */
function typedCode(text: string): string {
  const code = text.trim()
  const known = code.toUpperCase()
  return known in returnCodes ? known : code
}

/** `date` is an ISO day, `amount` is dollars. */
type ReturnOptions = { trace: string; code: string; date: string; amount?: number | undefined }

/** A payment of the ledger as a return finds it. `returned` is the code with which it came back. */
export type PaidEntry = {
  id: number
  trace: string
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

/** The payments with these trace numbers. */
export const findPayments = (sql: Sql, traces: readonly string[]) =>
  sql.query<PaidEntry>(
    `select p.id, p.trace, p.payeeid, p.displayid, p.name, p.amount, p.effective::text as effective,
        case when r.how = 'other' then least(p.effective, r.at::date) else p.effective end::text as earliest,
        r.month::text as month, b.code as returned, p.routingnumber as routing,
        p.bankaccountnumber as encryptedaccount, p.ischecking
      from payout_payment p join payout_release r on r.id = p.releaseid
        left join payout_return b on b.paymentid = p.id where p.trace = any ($1)`,
    [traces],
  )

/**
 * Books the return of a payment of a month, an ISO first day; `today` is the ISO day of the portal. Its sum
 * is due again to each agent it was paid for, and the account is held (payouts 14). Throws an HttpError: 404
 * for an unknown trace number, 409 when the payment came back already, 422 when the day is before the
 * payment or the amount is another, or for a code that returns nothing.
 */
export async function addReturn(
  tx: Tx,
  { month, ...action }: MonthAction & { today: string },
  { trace, code: typed, date, amount }: ReturnOptions,
): Promise<{ id: number }> {
  const code = typedCode(typed)
  if (/^C\d\d$/i.test(code)) {
    const message = `${code} is a notification of change: read it from the bank's return file`
    throw new HttpError(422, message, { fields: { code: message } })
  }
  await serializePayouts(tx)
  const [payment] = await findPayments(tx, [trace])
  if (!payment || payment.month !== month)
    throw new HttpError(
      404,
      payment
        ? `The payment with trace number ${trace} is of ${monthName(payment.month)}`
        : unknownTrace(trace),
      { fields: { trace: 'Not a payment of this month' } },
    )
  const returned = returnedAlready(payment)
  if (returned) throw new HttpError(409, returned)
  const faults = returnFaults(payment, { date, amount, today: action.today })
  const [first] = Object.values(faults)
  if (first) throw new HttpError(422, first, { fields: faults })
  await bookReturn(tx, action, payment, { code, date, note: '' })
  return { id: payment.id }
}

export const unknownTrace = (trace: string) => `There is no payment with trace number ${trace}`

/** A sentence for a payment that came back before; null for one that did not. */
export const returnedAlready = ({ displayid, name, returned }: PaidEntry): string | null =>
  returned === null ? null : `The payment to ${displayid} - ${name} came back already (${returned})`

/** What is wrong with a return, by field; `date` and `today` are ISO days, `amount` is dollars. */
export function returnFaults(
  { amount, effective, earliest }: PaidEntry,
  sent: { date: string; amount: number | undefined; today: string },
): Record<string, string> {
  const faults: Record<string, string> = {}
  if (earliest !== null && sent.date < earliest)
    faults.date =
      `Date is before the payment, which ${earliest === effective ? 'took effect' : 'was released'} ` +
      `on ${formatUsDate(earliest)}`
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
