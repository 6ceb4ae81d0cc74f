import { audit } from '../db/audit.ts'
import type { Tx } from '../db/db.ts'
import { HttpError, notFound } from '../http/errors.ts'
import { laterLockedMonth, monthName, requireLock } from '../money/months.ts'
import { acquirePayouts, type PayoutAction } from './approval.ts'

type HoldAction = Omit<PayoutAction, 'secret' | 'fourEyes' | 'now'>
/** A payee, or only its statement of the month, with the reason. */
export type HoldOptions = { masteragentid: number; statement?: boolean | undefined; reason: string }

/**
 * Holds a payee in every month until it is ended, or one statement (payouts 2). Throws an HttpError: 404 when
 * there is no such master agent, 409 when the month is not locked or the hold is there already.
 */
export async function addHold(
  tx: Tx,
  { month, username, address }: HoldAction,
  { masteragentid, statement = false, reason }: HoldOptions,
) {
  await acquirePayouts(tx)
  const name = await assertHoldable(tx, month, masteragentid)
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
  await acquirePayouts(tx)
  const name = await assertHoldable(tx, month, masteragentid)
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

/** Answers the agent's display id and name. */
async function assertHoldable(tx: Tx, month: string, masteragentid: number): Promise<string> {
  await requireLock(tx, month)
  const later = await laterLockedMonth(tx, month)
  if (later)
    throw new HttpError(
      409,
      `The payouts of ${monthName(month)} are closed, because ${monthName(later)} was locked after it`,
    )
  const [agent] = await tx.query<{ name: string }>(
    `select displayid || ' - ' || name as name from master_agent where id = $1`,
    [masteragentid],
  )
  if (!agent) throw notFound('master agent')
  return agent.name
}

const auditHold = (
  tx: Tx,
  { month, username, address }: HoldAction,
  action: 'hold' | 'unhold',
  after: Record<string, unknown>,
) => audit(tx, { username, address, action, entity: 'month', entityid: month.slice(0, 7), after })

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

export type ReturnOptions = { trace: string; code: string; date: string; amount?: number | undefined }

/**
 * Books the return of a payment: its sum is due again to each agent it was paid for, and the account is held
 * (payouts 14). Throws an HttpError: 404 for an unknown trace number, 409 when the payment came back already,
 * 422 when the day is before the payment or the amount is another.
 */
export async function addReturn(
  tx: Tx,
  { month, username, address, today }: HoldAction & { today: string },
  { trace, code, date, amount }: ReturnOptions,
): Promise<{ id: number }> {
  await acquirePayouts(tx)
  const [payment] = await tx.query<PaymentRow>(
    `select p.id, p.payeeid, p.displayid, p.name, p.amount, p.effective::text as effective,
        r.month::text as month, b.code as returned
      from payout_payment p join payout_release r on r.id = p.releaseid
        left join payout_return b on b.paymentid = p.id where p.trace = $1`,
    [trace],
  )
  if (!payment || payment.month !== month)
    throw new HttpError(
      404,
      payment
        ? `The payment with trace number ${trace} is of ${monthName(payment.month)}`
        : `There is no payment with trace number ${trace}`,
      { fields: { trace: 'Not a payment of this month' } },
    )
  assertReturnable(payment, { date, amount, today })
  const reason = returnCodes[code] ? `${code} ${returnCodes[code]}` : code
  await tx.query(
    `insert into payout_return (paymentid, code, note, day, username, address)
      values ($1, $2, $3, $4, $5, $6)`,
    [payment.id, code, returnCodes[code] ?? '', date, username, address],
  )
  if (code !== codeWithoutHold)
    await tx.query(
      `insert into payout_hold (masteragentid, month, isstatement, paymentid, reason, username, address)
        values ($1, $2, false, $3, $4, $5, $6)`,
      [payment.payeeid, month, payment.id, `payment returned, ${reason}`, username, address],
    )
  await audit(tx, {
    username,
    address,
    action: 'return',
    entity: 'payout',
    entityid: payment.id,
    after: { month: month.slice(0, 7), trace, code, date, payee: payment.displayid, amount: payment.amount },
  })
  return { id: payment.id }
}

type PaymentRow = {
  id: number
  payeeid: number
  displayid: string
  name: string
  amount: number
  effective: string | null
  month: string
  returned: string | null
}

function assertReturnable(
  { displayid, name, amount, effective, returned }: PaymentRow,
  sent: { date: string; amount: number | undefined; today: string },
) {
  if (returned !== null)
    throw new HttpError(409, `The payment to ${displayid} - ${name} came back already (${returned})`)
  const faults: Record<string, string> = {}
  if (effective !== null && sent.date < effective)
    faults.date = `Date is before the payment, which took effect on ${effective}`
  else if (sent.date > sent.today) faults.date = 'Date is in the future'
  if (sent.amount !== undefined && Math.round(sent.amount * 100) !== Math.round(amount * 100))
    faults.amount = `The payment was $${amount.toFixed(2)}, not $${sent.amount.toFixed(2)}`
  const [first] = Object.values(faults)
  if (first) throw new HttpError(422, first, { fields: faults })
}
