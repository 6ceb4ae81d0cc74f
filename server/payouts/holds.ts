import { formatUsDate } from '../../schemas/dates.ts'
import { audit } from '../db/audit.ts'
import type { Sql, Tx } from '../db/db.ts'
import { HttpError, notFound } from '../http/errors.ts'
import { formatAmount } from '../money/amounts.ts'
import { serializePayouts, laterLockedMonth, monthName, requireLock } from '../money/months.ts'
import type { PayoutAction } from './approval.ts'

type RunAction = Pick<PayoutAction, 'month' | 'username' | 'address'>
/** `month` is null for what is done to a payee outside of the run of a month. */
type HoldAction = Omit<RunAction, 'month'> & { month: string | null }
/** A payee, or only its statement of the month, with the reason. */
type HoldOptions = { masteragentid: number; statement?: boolean | undefined; reason: string }

/**
 * Holds a payee in every month until it is ended, or one statement (payouts 2). Throws an HttpError: 404 when
 * there is no such master agent, 409 when the month is not locked, the hold is there already, or an office
 * account would be held outside of a run.
 */
export async function addHold(
  tx: Tx,
  { month, username, address }: HoldAction,
  { masteragentid, statement = false, reason }: HoldOptions,
) {
  await serializePayouts(tx)
  const { name, isoffice } = await holdableAgent(tx, month, masteragentid)
  if (isoffice && month === null)
    throw new HttpError(409, `${name} is an office account, which is never paid`)
  const [held] = await tx.query<{ username: string }>(findHold, [masteragentid, statement, month])
  if (held) throw new HttpError(409, `${name} is held already, by ${held.username}`)
  await tx.query(
    `insert into payout_hold (masteragentid, month, isstatement, reason, username, address)
      values ($1, $2, $3, $4, $5, $6)`,
    [masteragentid, month, statement, reason, username, address],
  )
  await auditHold(tx, { month, username, address }, 'hold', { masteragentid, statement, reason })
}

/**
 * Ends the hold of a payee, or that of a statement where only this is held. Throws an HttpError: 404 and 409
 * as `addHold`, and 409 when nothing is held.
 */
export async function endHold(
  tx: Tx,
  { month, username, address }: HoldAction,
  { masteragentid, statement, reason }: HoldOptions,
) {
  await serializePayouts(tx)
  const { name } = await holdableAgent(tx, month, masteragentid)
  const [held] = await tx.query<{ id: number }>(findHold, [masteragentid, statement, month])
  if (!held) throw new HttpError(409, `${name} is not held`)
  await tx.query('insert into payout_hold_end (holdid, reason, username, address) values ($1, $2, $3, $4)', [
    held.id,
    reason,
    username,
    address,
  ])
  await auditHold(tx, { month, username, address }, 'unhold', { masteragentid, statement, reason })
}

const findHold = `
  select id, username from active_hold
  where masteragentid = $1 and isstatement = coalesce($2, isstatement) and (not isstatement or month = $3)
  order by isstatement, id desc limit 1`

/** Answers the agent, with its display id and name as `name`. */
async function holdableAgent(tx: Tx, month: string | null, masteragentid: number) {
  if (month !== null) await assertOpenRun(tx, month)
  const [agent] = await tx.query<{ name: string; isoffice: boolean }>(
    `select displayid || ' - ' || name as name, isofficeaccount as isoffice from master_agent where id = $1`,
    [masteragentid],
  )
  if (!agent) throw notFound('master agent')
  return agent
}

async function assertOpenRun(tx: Tx, month: string) {
  await requireLock(tx, month)
  const later = await laterLockedMonth(tx, month)
  if (later)
    throw new HttpError(
      409,
      `The payouts of ${monthName(month)} are closed, because ${monthName(later)} was locked after it`,
    )
}

const auditHold = (
  tx: Tx,
  { month, username, address }: HoldAction,
  action: 'hold' | 'unhold',
  { masteragentid, statement, reason }: HoldOptions,
) =>
  audit(tx, {
    username,
    address,
    action,
    ...(month === null
      ? { entity: 'masteragent', entityid: masteragentid, after: { reason } }
      : { entity: 'month', entityid: month.slice(0, 7), after: { masteragentid, statement, reason } }),
  })

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
        r.month::text as month, b.code as returned, p.routingnumber as routing,
        p.bankaccountnumber as encryptedaccount, p.ischecking
      from payout_payment p join payout_release r on r.id = p.releaseid
        left join payout_return b on b.paymentid = p.id where p.trace = any ($1)`,
    [traces],
  )

/**
 * Books the return of a payment: its sum is due again to each agent it was paid for, and the account is held
 * (payouts 14). Throws an HttpError: 404 for an unknown trace number, 409 when the payment came back already,
 * 422 when the day is before the payment or the amount is another, or for a code that returns nothing.
 */
export async function addReturn(
  tx: Tx,
  { month, ...action }: RunAction & { today: string },
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
  { amount, effective }: PaidEntry,
  sent: { date: string; amount: number | undefined; today: string },
): Record<string, string> {
  const faults: Record<string, string> = {}
  if (effective !== null && sent.date < effective)
    faults.date = `Date is before the payment, which took effect on ${formatUsDate(effective)}`
  else if (sent.date > sent.today) faults.date = 'Date is in the future'
  if (sent.amount !== undefined && Math.round(sent.amount * 100) !== Math.round(amount * 100))
    faults.amount = `The payment was ${formatAmount(amount)}, not ${formatAmount(sent.amount)}`
  return faults
}

/** Does a return with this code hold the payee? */
export const holdsAccount = (code: string) => code !== codeWithoutHold

/** Stores a return that was checked; `note` is what the bank says besides its code. */
export async function bookReturn(
  tx: Tx,
  { username, address }: Pick<RunAction, 'username' | 'address'>,
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
    after: { month: payment.month.slice(0, 7), trace, code, date, payee, amount },
  })
}
