import { singlyWaivedKind, type Finding } from '../../schemas/api/months/months.ts'
import { formatDateTime } from '../../schemas/dates.ts'
import { audit } from '../db/audit.ts'
import type { Db, Sql, Tx } from '../db/db.ts'
import { allowMemory, flushWritesEarly } from '../db/largeWork.ts'
import { HttpError } from '../http/errors.ts'
import { foundBefore, monthFindings, waiveLocked, writeFindings } from './checklist/checklist.ts'
import { findingsToWaive, waiverReason, writeWaivers } from './checklist/waivers.ts'
import { syncLateLock } from './late/lateMids.ts'
import {
  serializeMonthChanges,
  serializeMonthLocks,
  serializePayouts,
  assertMonthOpen,
  assertNoMonthBeingLocked,
  closedMessage,
  closingLock,
  blockMonthLock,
  beginMonthLock,
  monthName,
  newestLockedMonth,
  requireLock,
  type MonthAction,
  type MonthLock,
} from './months.ts'
import { openMonthSource } from './monthSource.ts'
import { chainQuery, chainText, type ChainArrays } from './openMonth.ts'
import { snapshotHash, writeSnapshot } from './snapshot.ts'
import { refreshPresence } from './variance/presence.ts'

/** `waive` is the reason for which all warnings but stated totals are waived with the lock. */
type LockAction = MonthAction & { waive?: string }
type ReopenAction = MonthAction & { reason: string }
/** `key` names one finding; without it all of the kind are meant. */
type WaiveAction = MonthAction & { kind: string; key?: string; reason: string }

/** Months are locked in order, because each carries its balances into the next (months 3). */
async function assertNextToLock(sql: Sql, month: string) {
  const lock = await closingLock(sql, month)
  if (lock?.month === month)
    throw new HttpError(
      409,
      `${monthName(month)} is locked already: ${lock.username} locked it on ${utcTime(lock.locked_at)}`,
      { code: 'locked' },
    )
  if (lock) throw new HttpError(409, closedMessage(month, lock))
  const [first] = await sql.query<{ month: string }>(
    `select min(month) as month from month_with_data
      where month > coalesce((select max(month) from month_lock where reopened_at is null), '-infinity')`,
  )
  if (!first?.month || first.month > month)
    throw new HttpError(409, `${monthName(month)} holds nothing that could be locked`)
  if (first.month < month)
    throw new HttpError(409, `${monthName(first.month)} is still open: months are locked one after the other`)
}

const utcTime = (at: Date) => `${formatDateTime(at, 'UTC')} UTC`

function assertNoStops(findings: Finding[]) {
  const stops = findings.filter(({ severity }) => severity === 'stop')
  if (stops.length > 0)
    throw new HttpError(409, stops.map(({ what, where }) => `${what}: ${where}`).join('. '), {
      code: 'findings',
      findings: stops,
    })
}

/**
 * Waives the findings that keep a lock from being made, where it was sent with a reason for that. Throws an
 * HttpError (409) with the stops if there are any, or else with the warnings that the reason does not waive:
 * all without a reason, stated totals always (months 10).
 */
async function waiveOrRefuseFindings(tx: Tx, action: LockAction, lock: MonthLock, findings: Finding[]) {
  assertNoStops(findings)
  const isWaivedNow = ({ kind }: Finding) => action.waive !== undefined && kind !== singlyWaivedKind
  const refused = findings.filter((it) => !isWaivedNow(it))
  if (refused.length > 0)
    throw new HttpError(
      409,
      refused.length === 1 ? '1 warning is not waived' : `${refused.length} warnings are not waived`,
      { code: 'findings', findings: refused },
    )
  if (findings.length === 0) return
  await writeWaivers(tx, action, findings, waiverReason(action.waive!, 'waive'))
  await waiveLocked(tx, lock)
}

/**
 * When the oldest transaction in progress began, this one included. A change bears the time at which its
 * transaction began, and one that waits for a record may be stored long after that: what is not in the copies
 * of a lock that is made now was begun then or later.
 */
async function beginningOfChanges(sql: Sql): Promise<string> {
  const [oldest] = await sql.query<{ at: string }>(
    `select least(now(), min(xact_start))::text as at from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend'`,
  )
  return oldest!.at
}

/**
 * A new lock with its copies, which are made by one statement. The tree of agents alone is read before it:
 * where somebody changed that in between, nothing is stored and the answer is null.
 */
async function copyMonth(tx: Tx, { month, username }: LockAction, since: string): Promise<MonthLock | null> {
  await tx.query('savepoint copies')
  const source = await openMonthSource(tx, month, { isForLock: true })
  const [lock] = await tx.query<MonthLock>(
    `insert into month_lock (month, version, hash, username, terms, changes_since)
      select $1, coalesce(max(version), 0) + 1, '', $2, $3::jsonb, $4 from month_lock where month = $1
      returning id, month, version, hash, username, locked_at`,
    [month, username, JSON.stringify(source.settings), since],
  )
  await writeSnapshot(tx, source, lock!.id)
  const [copied] = await tx.query<ChainArrays>(chainQuery.copies, [month, lock!.id])
  const isOfOneMoment = chainText(copied!) === chainText(source.chain)
  await tx.query(isOfOneMoment ? 'release savepoint copies' : 'rollback to savepoint copies')
  return isOfOneMoment ? lock! : null
}

/** How often the copies are made before the lock is refused. */
const copyAttempts = 3

async function writeLock(tx: Tx, action: LockAction): Promise<MonthLock> {
  const { month, username, address } = action
  await allowMemory(tx)
  await flushWritesEarly(tx)
  const before = await foundBefore(tx, month)
  const since = await beginningOfChanges(tx)
  let lock: MonthLock | null = null
  for (let attempt = 0; lock === null && attempt < copyAttempts; attempt += 1)
    lock = await copyMonth(tx, action, since)
  if (lock === null)
    throw new HttpError(409, 'Master agents were changed while the month was copied: please lock it again')
  await waiveOrRefuseFindings(tx, action, lock, await writeFindings(tx, action, lock.id, before))
  const hash = await snapshotHash(tx, lock.id)
  await tx.query('update month_lock set hash = $2 where id = $1', [lock.id, hash])
  await changeMonthsLeft(tx, lock.id, -1)
  await audit(tx, {
    username,
    address,
    action: 'lock',
    entity: 'month',
    entityid: month.slice(0, 7),
    after: { version: lock.version, hash },
  })
  return { ...lock, hash }
}

/** Adds `step` to the months left of the lock's subscriptions, where these have a number (money 13). */
const changeMonthsLeft = (tx: Tx, lockid: number, step: 1 | -1) =>
  tx.query(
    `update collection_subscription set remaining = remaining + $2
      where remaining is not null and id in (
        select source from locked_statement_line where lockid = $1 and kind = 'subscription')`,
    [lockid, step],
  )

/**
 * Locks a month: from now on its figures come from the snapshot (months 4, months 5). Throws an HttpError:
 * 422 when `waive` is too short, 409 when the month is locked already, when an earlier month with data is
 * open, or when the checklist holds a stop or a warning that is not waived.
 */
export async function lockMonth(db: Db, action: LockAction): Promise<MonthLock> {
  // The checklist asks which merchants are in no file. It is answered from these bitmaps; without them each
  // merchant would be looked up by itself while the months are blocked (decision 23).
  await refreshPresence(db, action.month, action.month)
  return db.transaction((tx) => lockMonthIn(tx, action))
}

/** `lockMonth` as a part of the caller's transaction. */
export async function lockMonthIn(tx: Tx, action: LockAction): Promise<MonthLock> {
  if (action.waive !== undefined) waiverReason(action.waive, 'waive')
  await serializeMonthLocks(tx)
  await beginMonthLock(tx, action)
  await assertNextToLock(tx, action.month)
  const lock = await writeLock(tx, action)
  await syncLateLock(tx, action, action.month)
  return lock
}

/**
 * Waives findings of an open month (months 10). Throws an HttpError: 422 when the reason is too short, 409
 * when the month is locked or closed, and what `findingsToWaive` throws.
 */
export async function waiveFindings(tx: Tx, timeZone: string, action: WaiveAction): Promise<void> {
  const reason = waiverReason(action.reason, 'reason')
  await serializeMonthChanges(tx, action.month)
  await blockMonthLock(tx, action.month)
  await assertMonthOpen(tx, action.month, timeZone)
  await writeWaivers(
    tx,
    action,
    findingsToWaive(await monthFindings(tx, action.month, action.kind), action),
    reason,
  )
}

/**
 * Opens the newest locked month again (months 9). Its snapshot stays, to be compared with that of the next
 * lock. Throws an HttpError: 409 when the month is not the newest locked one, 422 without a reason.
 */
export const reopenMonth = (db: Db, action: ReopenAction): Promise<MonthLock> =>
  db.transaction((tx) => reopenMonthIn(tx, action))

/** `reopenMonth` as a part of the caller's transaction. */
export async function reopenMonthIn(
  tx: Tx,
  { month, reason: sentReason, username, address }: ReopenAction,
): Promise<MonthLock> {
  const reason = sentReason.trim()
  if (reason === '')
    throw new HttpError(422, 'Reason is required', { fields: { reason: 'Reason is required' } })
  await assertNoMonthBeingLocked(tx)
  await serializeMonthLocks(tx)
  // After the lock above: a lock of a month has that one while it waits for payouts to end.
  await serializePayouts(tx)
  const lock = await requireLock(tx, month)
  const newest = await newestLockedMonth(tx)
  if (newest !== month)
    throw new HttpError(
      409,
      `${monthName(newest)}, which comes after it, is locked: only the newest locked month can be reopened`,
    )
  await tx.query('update month_lock set reopened_at = now(), reopened_by = $2, reason = $3 where id = $1', [
    lock.id,
    username,
    reason,
  ])
  await changeMonthsLeft(tx, lock.id, 1)
  const { version, hash } = lock
  await audit(tx, {
    username,
    address,
    action: 'reopen',
    entity: 'month',
    entityid: month.slice(0, 7),
    before: { version, hash },
    after: { reason },
  })
  return lock
}
