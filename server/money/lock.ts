import { audit } from '../db/audit.ts'
import type { Db, Sql, Tx } from '../db/db.ts'
import { HttpError } from '../http/errors.ts'
import { checkSnapshot, type Finding } from './checklist.ts'
import {
  closedBy,
  closedSentence,
  holdMonth,
  holdMonthsAlone,
  lockOf,
  monthName,
  type MonthLock,
} from './months.ts'
import { monthSource } from './monthSource.ts'
import { freeze, hashOf } from './snapshot.ts'
import { readTerms } from './terms.ts'

/** Who locks or reopens which month, an ISO first day. */
export type Deed = { month: string; username: string; address: string }
export type Reopening = Deed & { reason: string }

/** Months are locked one after the other, because each carries its balances into the next. */
async function refuseOutOfTurn(sql: Sql, month: string) {
  const lock = await closedBy(sql, month)
  if (lock?.month === month)
    throw new HttpError(
      409,
      `${monthName(month)} is locked already: ${lock.username} locked it on ${day(lock.locked_at)}`,
      { code: 'locked' },
    )
  if (lock) throw new HttpError(409, closedSentence(month, lock))
  const [first] = await sql.query<{ month: string }>(
    `select min(month) as month from month_with_data
      where month > coalesce((select max(month) from month_lock where reopened_at is null), '-infinity')`,
  )
  if (!first?.month || first.month > month)
    throw new HttpError(409, `${monthName(month)} holds nothing that could be locked`)
  if (first.month < month)
    throw new HttpError(409, `${monthName(first.month)} is still open: months are locked one after the other`)
}

const day = (at: Date) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
    .format(at)
    .concat(' UTC')

function refuseUnsound(findings: Finding[]) {
  const stops = findings.filter(({ severity }) => severity === 'stop')
  if (stops.length > 0)
    throw new HttpError(409, stops.map(({ what, where }) => `${what}: ${where}`).join('. '), {
      findings: stops,
    })
}

async function write(tx: Tx, { month, username, address }: Deed): Promise<MonthLock> {
  const source = await monthSource(tx, month, { agents: null })
  const [lock] = await tx.query<MonthLock>(
    `insert into month_lock (month, version, hash, username, terms)
      select $1, coalesce(max(version), 0) + 1, '', $2, $3::jsonb from month_lock where month = $1
      returning id, month, version, hash, username, locked_at`,
    [month, username, JSON.stringify(await readTerms(tx))],
  )
  await tx.query(freeze(source), [...source.values, lock!.id])
  const findings = await checkSnapshot(tx, month, lock!.id)
  refuseUnsound(findings)
  const hash = await hashOf(tx, lock!.id)
  await tx.query('update month_lock set hash = $2, findings = $3::jsonb where id = $1', [
    lock!.id,
    hash,
    JSON.stringify(findings),
  ])
  await countSubscriptions(tx, lock!.id, -1)
  await audit(tx, {
    username,
    address,
    action: 'lock',
    entity: 'month',
    entityid: month.slice(0, 7),
    after: { version: lock!.version, hash },
  })
  return { ...lock!, hash }
}

/** A subscription that ends after so many months counts those that are locked. */
const countSubscriptions = (tx: Tx, lockid: number, step: 1 | -1) =>
  tx.query(
    `update collection_subscription set remaining = remaining + $2
      where remaining is not null and id in (select source from locked_statement_line where lockid = $1 and kind = 'subscription')`,
    [lockid, step],
  )

/**
 * Freezes a month: from now on its relations come from the snapshot. Throws a Refusal (409) when it is locked already, when an
 * earlier month with data is open, or when its agents stand in a circle.
 */
export const lockMonth = (db: Db, deed: Deed): Promise<MonthLock> => db.transaction((tx) => lockIn(tx, deed))

/** The same inside a transaction that does more. */
export async function lockIn(tx: Tx, deed: Deed): Promise<MonthLock> {
  await holdMonth(tx, deed.month)
  await holdMonthsAlone(tx)
  await refuseOutOfTurn(tx, deed.month)
  return write(tx, deed)
}

/** Opens the newest locked month again. Its snapshot stays, to be compared with that of the next lock. Throws a Refusal (409, 422). */
export const reopenMonth = (db: Db, deed: Reopening): Promise<MonthLock> =>
  db.transaction((tx) => reopenIn(tx, deed))

/** The same inside a transaction that does more. */
export async function reopenIn(tx: Tx, { month, reason, username, address }: Reopening): Promise<MonthLock> {
  const why = reason.trim()
  if (why === '') throw new HttpError(422, 'Reason is required', { fields: { reason: 'Reason is required' } })
  await holdMonth(tx, month)
  await holdMonthsAlone(tx)
  const lock = await lockOf(tx, month)
  if (!lock) throw new HttpError(409, `${monthName(month)} is not locked`)
  const newest = await newestLock(tx)
  if (newest !== month)
    throw new HttpError(
      409,
      `${monthName(newest)} after it is locked: only the newest locked month can be reopened`,
    )
  await tx.query('update month_lock set reopened_at = now(), reopened_by = $2, reason = $3 where id = $1', [
    lock.id,
    username,
    why,
  ])
  await countSubscriptions(tx, lock.id, 1)
  const { version, hash } = lock
  await audit(tx, {
    username,
    address,
    action: 'reopen',
    entity: 'month',
    entityid: month.slice(0, 7),
    before: { version, hash },
    after: { reason: why },
  })
  return lock
}

const newestLock = async (sql: Sql) =>
  (
    await sql.query<{ month: string }>('select max(month) as month from month_lock where reopened_at is null')
  )[0]!.month
