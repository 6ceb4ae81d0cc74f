import type { Sql, Tx } from '../db/db.ts'
import { HttpError } from '../http/errors.ts'

/** A lock that holds: no import, rate or move changes its month. `month` is an ISO day, the first of the month. */
export type MonthLock = {
  id: number
  month: string
  version: number
  hash: string
  username: string
  locked_at: Date
}
export type MonthState = 'Open' | 'Locked' | 'Reopened'

/** Until the transaction ends, who else would lock, reopen or import into this month waits. `month` is its first day, ISO. */
export const holdMonth = (tx: Tx, month: string) =>
  tx.query('select pg_advisory_xact_lock(hashtext($1))', [`month ${month}`])

/** Until the transaction ends no month is locked or reopened; others that change what open months are computed from do not wait. */
export const holdMonths = (tx: Tx) => tx.query('select hold_months()')

/** Until the transaction ends nobody else holds the months. Hold the one month first, for which an import may keep us waiting. */
export const holdMonthsAlone = (tx: Tx) => tx.query(`select pg_advisory_xact_lock(hashtext('months'))`)

/** The lock that holds on a month, or null while it is open. */
export async function lockOf(sql: Sql, month: string): Promise<MonthLock | null> {
  const [lock] = await sql.query<MonthLock>(
    'select id, month, version, hash, username, locked_at from month_lock where month = $1 and reopened_at is null',
    [month],
  )
  return lock ?? null
}

/** The newest lock that holds on this month or a later one: months are locked in order, so it closes this month too. */
export async function closedBy(sql: Sql, month: string): Promise<MonthLock | null> {
  const [lock] = await sql.query<MonthLock>(
    `select id, month, version, hash, username, locked_at from month_lock where month >= $1 and reopened_at is null
      order by month = $1 desc, month desc limit 1`,
    [month],
  )
  return lock ?? null
}

/** 'October 2026' of '2026-10-01'. */
export const monthName = (month: string) =>
  new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month.slice(0, 7)}-01T00:00:00Z`),
  )

/** 'October 2026 is locked', or why a month that nobody locked is closed all the same. */
export const closedSentence = (month: string, lock: MonthLock) =>
  lock.month === month
    ? `${monthName(month)} is locked`
    : `${monthName(month)} is closed, because ${monthName(lock.month)} after it is locked`

/** Throws a Refusal (409) naming who locked the month, or one after it, and when (domain: compensation data). Hold the month first. */
export async function refuseLocked(sql: Sql, month: string, timeZone: string): Promise<void> {
  const lock = await closedBy(sql, month)
  if (!lock) return
  const when = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
    lock.locked_at,
  )
  throw new HttpError(409, `${closedSentence(month, lock)}: ${lock.username} locked it on ${when}`, {
    code: 'locked',
  })
}

/** The months that hold data or were ever locked, newest first. */
export const months = (sql: Sql) =>
  sql.query<{ month: string; state: MonthState }>(
    `select m.month, case when l.holds then 'Locked' when l.month is null then 'Open' else 'Reopened' end as state
      from month_with_data m left join (select month, bool_or(reopened_at is null) as holds from month_lock group by month) l using (month)
      order by m.month desc`,
  )
