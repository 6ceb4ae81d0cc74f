import { audit } from '../../db/audit.ts'
import type { Sql, Tx } from '../../db/db.ts'
import { closingLock, blockMonthLock, type MonthAction, type ReopenedLock } from '../months.ts'
import { lateChanges, settledRows, storedRows, type Stored } from './lateRows.ts'
import { lateShares, type LateShare } from './lateShares.ts'
import { revisedRows } from './revisedRows.ts'

/** Who did what made MIDs known or unknown, and from which address. */
type LateCause = Omit<MonthAction, 'month'>

/** Shown as the author of what the portal proposes. */
const portalAuthor = 'portal'

/** The open month in which late pay is proposed; it is not locked until the transaction ends. */
async function holdProposalMonth(tx: Tx): Promise<string> {
  for (;;) {
    const [next] = await tx.query<{ month: string }>('select rate_month() as month')
    const { month } = next!
    await blockMonthLock(tx, month)
    // A lock may have closed the month while it was not held yet.
    if (!(await closingLock(tx, month))) return month
  }
}

/** `after` says by which lock, and makes it nobody's change of pay (payouts 12). */
type Withdrawal = LateCause & { after?: { lockversion: number } }

async function withdraw(tx: Tx, cause: Withdrawal, rows: readonly Stored[]): Promise<void> {
  for (const month of new Set(rows.map((row) => row.month))) await blockMonthLock(tx, month)
  await tx.query('delete from adjustment where id = any ($1)', [rows.map(({ id }) => id)])
  for (const { id, month, state, masteragentid, amount, reason } of rows)
    await audit(tx, {
      ...cause,
      action: 'delete',
      entity: 'adjustment',
      entityid: id,
      before: { month: month.slice(0, 7), masteragentid, amount: Number(amount), reason, state },
    })
}

async function propose(tx: Tx, cause: LateCause, latemonth: string, shares: readonly LateShare[]) {
  const month = await holdProposalMonth(tx)
  await tx.query(
    `with made as (
        insert into adjustment (masteragentid, month, amount, reason, author, state, latexmid, lateprocessor,
          latemonth, lateflat)
        select masteragentid, $2, amount, reason, $3, 'proposed', xmid, processor, $4, hasflat
        from jsonb_to_recordset($1::jsonb)
          as s (xmid text, processor text, masteragentid int, amount numeric, reason text, hasflat boolean)
        returning id, masteragentid, amount, reason)
      insert into audit (username, address, action, entity, entityid, after)
      select $5, $6, 'create', 'adjustment', id::text, jsonb_build_object(
        'month', to_char($2::date, 'YYYY-MM'), 'masteragentid', masteragentid, 'amount', amount,
        'reason', reason, 'state', 'proposed')
      from made`,
    [JSON.stringify(shares), month, portalAuthor, latemonth, cause.username, cause.address],
  )
}

/** The MIDs that a reopened month took over as known from today's records. */
const takenMidsSql = `
  select recordid as xmid from (
    select distinct on (key) kind, recordid, isback
    from month_takeover where lockid = $1 order by key, id desc) n
  where kind = 'merchant-added' and not isback`

/**
 * Of a month that is open again nothing is proposed; what was taken over is paid by the month itself, so its
 * adjustments go, accepted ones too.
 */
async function syncReopened(tx: Tx, cause: LateCause, lock: ReopenedLock, stored: readonly Stored[]) {
  const taken = (await tx.query<{ xmid: string }>(takenMidsSql, [lock.id])).map(({ xmid }) => xmid)
  const known = await knownMids(tx, stored)
  const gone = stored.filter(
    ({ xmid, state, isopen }) =>
      isopen && ((taken.includes(xmid) && state !== 'refused') || (state === 'proposed' && !known.has(xmid))),
  )
  if (gone.length > 0) await withdraw(tx, cause, gone)
}

async function knownMids(sql: Sql, rows: readonly LateShare[]): Promise<Set<string>> {
  const found = await sql.query<{ xmid: string }>('select xmid from merchant where xmid = any ($1)', [
    [...new Set(rows.map(({ xmid }) => xmid))],
  ])
  return new Set(found.map(({ xmid }) => xmid))
}

type LockSync = {
  lock: ReopenedLock
  stored: readonly Stored[]
  /** What was decided and counts as proposed, because the lock changes it. */
  revised: readonly Stored[]
}

async function syncLocked(tx: Tx, cause: LateCause, { lock, stored, revised }: LockSync) {
  const { gone, made } = lateChanges(
    stored,
    revised,
    await lateShares(tx, lock, settledRows(stored, revised)),
  )
  if (gone.length > 0)
    await withdraw(
      tx,
      { ...cause, ...(revised.length > 0 && { after: { lockversion: lock.version } }) },
      gone,
    )
  if (made.length > 0) await propose(tx, cause, lock.month, made)
}

/**
 * The locked or reopened months with rows of these MIDs, null for all, that are late now or were: the MID was
 * unknown at the lock and is in the portfolio, or its pay is proposed.
 */
const lateMonthsSql = `
  select month from month_lock l
  where l.reopened_at is null and exists (
    select from locked_merchant r join merchant m on m.xmid = r.xmid
    where r.lockid = l.id and not r.isknown and ($1::text[] is null or r.xmid = any ($1)))
  union
  select latemonth from adjustment
  where latexmid is not null and state = 'proposed' and ($1::text[] is null or latexmid = any ($1))
  order by month`

/**
 * Proposes, corrects and withdraws adjustments for MIDs that became known after their month was locked, so
 * that they are what the records say now (money 21). `xmids` are those that may have changed, null for all.
 * Throws an HttpError (409, code 'locking') while the month of a proposal is being locked.
 */
export async function syncLateMids(tx: Tx, cause: LateCause, xmids: readonly string[] | null): Promise<void> {
  const months = await tx.prepared<{ month: string }>(
    lateMonthsSql.replaceAll('$1::text[] is null', xmids === null ? 'true' : 'false'),
    [xmids],
  )
  for (const { month } of months) await syncLateMonth(tx, cause, month)
}

/**
 * Proposes again, in the next open month, what stood undecided in a month, an ISO first day, when it was
 * locked, and what its lock left to MIDs that are known by now; withdraws what was accepted of the month and
 * is another sum by this lock (money 21).
 */
export async function syncLateLock(tx: Tx, cause: LateCause, month: string): Promise<void> {
  const months = await tx.query<{ month: string }>(
    `select $1::date as month
      union select latemonth from adjustment
      where latexmid is not null and state = 'proposed' and month <= $1
      order by month`,
    [month],
  )
  for (const late of months)
    await syncMonth(tx, cause, { month: late.month, isNewLock: late.month === month })
}

/** `syncLateMids` of one month that was locked, an ISO first day. */
export const syncLateMonth = (tx: Tx, cause: LateCause, month: string): Promise<void> =>
  syncMonth(tx, cause, { month, isNewLock: false })

/** What the next version of a month may have changed; none by its first one. */
async function revisedByLock(tx: Tx, lock: ReopenedLock, stored: readonly Stored[]): Promise<Stored[]> {
  const [before] = await tx.query<ReopenedLock>(
    'select id, month, terms as settings from month_lock where month = $1 and version = $2',
    [lock.month, lock.version - 1],
  )
  return before ? (await revisedRows(tx, { before, now: lock }, stored)).revised : []
}

type MonthSync = { month: string; isNewLock: boolean }

async function syncMonth(
  tx: Tx,
  { username, address }: LateCause,
  { month, isNewLock }: MonthSync,
): Promise<void> {
  const cause = { username, address }
  // Two who make MIDs known at the same moment would both propose the same.
  await tx.query(`select pg_advisory_xact_lock(hashtext('late mids'))`)
  const [lock] = await tx.query<Omit<ReopenedLock, 'reopened_at'> & { reopened_at: Date | null }>(
    `select id, month, version, hash, username, locked_at, reopened_at, terms as settings from month_lock
      where month = $1 order by version desc limit 1`,
    [month],
  )
  if (!lock) return
  const stored = await storedRows(tx, month)
  const known = lock as ReopenedLock
  if (lock.reopened_at) return syncReopened(tx, cause, known, stored)
  const revised = isNewLock ? await revisedByLock(tx, known, stored) : []
  await syncLocked(tx, cause, { lock: known, stored, revised })
}

/**
 * Keeps the open months that hold income of these MIDs from being locked until the transaction ends, so that
 * no lock misses that they became known. Throws an HttpError (409, code 'locking') while one is being locked.
 */
export async function blockMonthLocksOf(tx: Tx, mids: string, values: readonly unknown[]): Promise<void> {
  const months = await tx.query<{ month: string }>(
    `select distinct r.month from residual r
      where r.month > coalesce((select max(month) from month_lock where reopened_at is null), '-infinity')
        and r.xmid in (${mids})`,
    [...values],
  )
  for (const { month } of months) await blockMonthLock(tx, month)
}
