import type { Sql, Tx } from './db.ts'
import { Refusal } from './errors.ts'

/** A lock that holds: no import, rate or move changes its month. `month` is an ISO day, the first of the month. */
export type MonthLock = { id: number; month: string; version: number; hash: string; username: string; locked_at: Date }

/** Until the transaction ends, who else would lock, reopen or import into this month waits. `month` is its first day, ISO. */
export const holdMonth = (tx: Tx, month: string) => tx.query('select pg_advisory_xact_lock(hashtext($1))', [`month ${month}`])

/** The lock that holds on a month, or null while it is open. */
export async function lockOf(sql: Sql, month: string): Promise<MonthLock | null> {
  const [lock] = await sql.query<MonthLock>(
    'select id, month, version, hash, username, locked_at from month_lock where month = $1 and reopened_at is null',
    [month],
  )
  return lock ?? null
}

/** 'October 2026' of '2026-10-01'. */
export const monthName = (month: string) =>
  new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${month.slice(0, 7)}-01T00:00:00Z`))

/** Throws a Refusal (409) naming who locked the month and when (domain: compensation data). Hold the month first. */
export async function refuseLocked(sql: Sql, month: string, timeZone: string): Promise<void> {
  const lock = await lockOf(sql, month)
  if (!lock) return
  const when = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(lock.locked_at)
  throw new Refusal(409, `${monthName(month)} is locked: ${lock.username} locked it on ${when}`, { code: 'locked' })
}
