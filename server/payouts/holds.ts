import { ownHoldReason } from '../../schemas/entities/masterAgent.ts'
import { audit } from '../db/audit.ts'
import type { Tx } from '../db/db.ts'
import { HttpError, notFound } from '../http/errors.ts'
import {
  serializePayouts,
  laterLockedMonth,
  monthName,
  requireLock,
  type MonthAction,
} from '../money/months.ts'

/** `month` is null for what is done to a payee outside of the run of a month. */
type HoldAction = Omit<MonthAction, 'month'> & {
  month: string | null
  /** The agent of the person who acts, and those above it. */
  chain: readonly number[]
}
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
 * as `addHold`, 409 when nothing is held, and 403 for one's own agent and those above it (agents 13).
 */
export async function endHold(
  tx: Tx,
  { month, username, address, chain }: HoldAction,
  { masteragentid, statement, reason }: HoldOptions,
) {
  await serializePayouts(tx)
  const { name, isoffice } = await holdableAgent(tx, month, masteragentid)
  const [held] = await tx.query<{ id: number }>(findHold, [masteragentid, statement, month])
  if (!held) throw new HttpError(409, `${name} is not held`)
  if (!isoffice && chain.includes(masteragentid)) throw new HttpError(403, ownHoldReason)
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
  { month, username, address }: Omit<HoldAction, 'chain'>,
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
