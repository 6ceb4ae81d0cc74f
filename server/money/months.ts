import { formatDateTime } from '../../schemas/dates.ts'
import { month as monthField } from '../../schemas/fields.ts'
import type { MoneySettings } from '../config/money.ts'
import type { Sql, Tx } from '../db/db.ts'
import type { Call } from '../http/call.ts'
import { HttpError } from '../http/errors.ts'

/** A month as calls write it: '2026-10'. */
export const monthPattern = new RegExp(monthField.pattern)

export type MonthCall = Pick<Call<{ month: string }>, 'caller' | 'address' | 'params'>

/** The ISO first day of a month's path parameter. Throws an HttpError (404). */
export function monthParam(params: { month: string }): string {
  if (!monthPattern.test(params.month))
    throw new HttpError(404, `There is no month ${params.month}: write it like 2026-10`)
  return `${params.month}-01`
}

/** What a call does to the month of its path, by whom. Throws an HttpError (404). */
export const monthActionOf = ({ caller, address, params }: MonthCall): MonthAction => ({
  month: monthParam(params),
  username: caller.username,
  address,
})

/** One lock of a month. `month` is the ISO first day of the month. */
export type MonthLock = {
  id: number
  month: string
  version: number
  hash: string
  username: string
  locked_at: Date
}
/** `settings` are those that the lock was made with (money 17), the column `terms`. */
export type ReopenedLock = MonthLock & { reopened_at: Date; settings: Partial<MoneySettings> }
/** Who does something to which month, and from which IP address. `month` is its ISO first day. */
export type MonthAction = { month: string; username: string; address: string }
export type MonthState = 'Open' | 'Locked' | 'Reopened'

/**
 * Until the transaction ends, other transactions that import into this month, waive its findings or take over
 * differences wait (months 13). `month` is the ISO first day.
 */
export const serializeMonthChanges = (tx: Tx, month: string) =>
  tx.query('select pg_advisory_xact_lock(hashtext($1))', [`month ${month}`])

/**
 * Until the transaction ends, a lock of this month, an ISO first day, or of a later one waits; with null the
 * lock of every month does, as for payments. Transactions that block do not wait for one another. Throws an
 * HttpError (409, code 'locking') that names who locks which month while such a lock is being made (months
 * 13); `field` is that of the body with the month. It does not say that the month is open: call
 * `assertMonthOpen` afterwards.
 */
export async function blockMonthLock(tx: Tx, month: string | null, field?: string): Promise<void> {
  const [held] = await tx.query<{ refusal: string | null }>('select block_month_lock($1) as refusal', [month])
  const { refusal } = held!
  if (refusal !== null)
    throw new HttpError(409, refusal, { code: 'locking', ...(field && { fields: { [field]: refusal } }) })
}

/** Until the transaction ends, other transactions that lock or reopen any month wait (months 13). */
export const serializeMonthLocks = (tx: Tx) => tx.query(`select pg_advisory_xact_lock(hashtext('months'))`)

/**
 * Waits for the transactions that called `blockMonthLock` for this month, an earlier one or the ledger. Until
 * the transaction ends, `blockMonthLock` for any of these throws instead (months 13).
 */
export const beginMonthLock = (tx: Tx, { month, username }: MonthAction) =>
  tx.query('select begin_month_lock($1, $2)', [month, username])

/** Throws an HttpError (409, code 'locking') while somebody else is locking any month. */
export async function assertNoMonthBeingLocked(sql: Sql): Promise<void> {
  const [locking] = await sql.query<{ sentence: string | null }>('select sentence from month_being_locked()')
  if (locking?.sentence) throw new HttpError(409, locking.sentence, { code: 'locking' })
}

/**
 * Until the transaction ends, other transactions that approve, release, hold or return payouts, decide about
 * an account or reopen a month wait, and so does a lock of any month: a lock that did not see a release would
 * carry what was paid into the next month, and pay it again (payouts 1). A caller that also locks records of
 * agents locks these first; in the other order two transactions could wait for each other.
 */
export async function serializePayouts(tx: Tx): Promise<void> {
  await blockMonthLock(tx, null)
  await tx.query(`select pg_advisory_xact_lock(hashtext('payouts'))`)
}

/** The lock in force on a month, or null while it is open. */
export async function currentLock(sql: Sql, month: string): Promise<MonthLock | null> {
  const [lock] = await sql.query<MonthLock>(
    `select id, month, version, hash, username, locked_at from month_lock
      where month = $1 and reopened_at is null`,
    [month],
  )
  return lock ?? null
}

/**
 * The last lock of an open month that was locked before: its copies are what the month is worked out from
 * (months 9). Null while the month is locked, and for a month that never was.
 */
export async function reopenedLock(sql: Sql, month: string): Promise<ReopenedLock | null> {
  const [lock] = await sql.query<ReopenedLock>(
    `select id, month, version, hash, username, locked_at, reopened_at, terms as settings from month_lock
      where month = $1 order by version desc limit 1`,
    [month],
  )
  return lock?.reopened_at ? lock : null
}

/** The lock in force on a month. Throws an HttpError (409) while the month is not locked. */
export async function requireLock(sql: Sql, month: string): Promise<MonthLock> {
  const lock = await currentLock(sql, month)
  if (!lock) throw new HttpError(409, `${monthName(month)} is not locked`)
  return lock
}

/** The newest locked month, an ISO first day. Called only where a month is locked. */
export async function newestLockedMonth(sql: Sql): Promise<string> {
  const [newest] = await sql.query<{ month: string }>(
    'select max(month) as month from month_lock where reopened_at is null',
  )
  return newest!.month
}

/** The newest month after this one that was ever locked: it closes the run of this one (payouts 1). */
export async function laterLockedMonth(sql: Sql, month: string): Promise<string | null> {
  const [later] = await sql.query<{ month: string | null }>(
    'select max(month) as month from month_lock where month > $1',
    [month],
  )
  return later!.month
}

/**
 * The lock of this month or else the newest of a later one: months are locked in order, so both close it
 * (months 3).
 */
export async function closingLock(sql: Sql, month: string): Promise<MonthLock | null> {
  const [lock] = await sql.query<MonthLock>(
    `select id, month, version, hash, username, locked_at from month_lock
      where month >= $1 and reopened_at is null
      order by month = $1 desc, month desc limit 1`,
    [month],
  )
  return lock ?? null
}

const longMonth = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** 'October 2026' of '2026-10-01'. */
export const monthName = (month: string) => longMonth.format(new Date(`${month.slice(0, 7)}-01T00:00:00Z`))

/** 'October 2026 is locked', or which later lock closes a month that was never locked itself. */
export const closedMessage = (month: string, lock: MonthLock) =>
  lock.month === month
    ? `${monthName(month)} is locked`
    : `${monthName(month)} is closed, because ${monthName(lock.month)}, which comes after it, is locked`

/**
 * Throws an HttpError (409) that names who locked the month, or one after it, and when (months 3); `field` is
 * that of the body with the month. Call `blockMonthLock` first, or the month may be locked right after the
 * check.
 */
export async function assertMonthOpen(
  sql: Sql,
  month: string,
  timeZone: string,
  field?: string,
): Promise<void> {
  const lock = await closingLock(sql, month)
  if (!lock) return
  const when = formatDateTime(lock.locked_at, timeZone)
  const message = `${closedMessage(month, lock)}: ${lock.username} locked it on ${when}`
  throw new HttpError(409, message, { code: 'locked', ...(field && { fields: { [field]: message } }) })
}

/** The months that hold data or were ever locked, newest first (months 1, months 2). */
export const listMonths = (sql: Sql) =>
  sql.query<{ month: string; state: MonthState }>(
    `select m.month, case when l.holds then 'Locked' when l.month is null then 'Open'
      else 'Reopened' end as state
      from month_with_data m
        left join (
          select month, bool_or(reopened_at is null) as holds from month_lock group by month
        ) l using (month)
      order by m.month desc`,
  )
