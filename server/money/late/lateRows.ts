import type { Sql } from '../../db/db.ts'
import type { LateShare } from './lateShares.ts'

/** A late adjustment as it is stored; `isopen`: no lock closes its month. */
export type Stored = LateShare & { id: number; month: string; state: string; isopen: boolean }

/** A row of the processors' files, of which the adjustments are those of a whole chain. */
export type FileRow = Pick<LateShare, 'xmid' | 'processor'>
export const rowOf = ({ xmid, processor }: FileRow) => JSON.stringify([processor, xmid])

/** The late adjustments of the files of a month, an ISO first day. */
export const storedRows = (sql: Sql, month: string) =>
  sql.query<Stored>(
    `select id, month, state, latexmid as xmid, lateprocessor as processor, masteragentid,
      amount::text as amount, lateflat as hasflat, reason,
      month > coalesce((select max(month) from month_lock where reopened_at is null), '-infinity') as isopen
    from adjustment where latexmid is not null and latemonth = $1 order by id`,
    [month],
  )

/** The agents and amounts of a row, in one order. */
const paidBy = (rows: readonly LateShare[] = []) =>
  JSON.stringify(rows.map((it) => [it.masteragentid, Number(it.amount)]).sort(([a], [b]) => a! - b!))

export function byRow<S extends LateShare>(rows: readonly S[]): Map<string, S[]> {
  const found = new Map<string, S[]>()
  for (const row of rows) found.set(rowOf(row), [...(found.get(rowOf(row)) ?? []), row])
  return found
}

/** What is decided for good: a row is decided about once, unless it is revised. */
export const settledRows = (stored: readonly Stored[], revised: readonly Stored[]) =>
  stored.filter((row) => row.state !== 'proposed' && !revised.includes(row))

/**
 * What of the stored rows goes, and what is proposed instead, where these are the shares besides what is
 * settled. What was refused goes only for another sum that is proposed: of a row that is gone nobody has to
 * decide anything.
 */
export function lateChanges(
  stored: readonly Stored[],
  revised: readonly Stored[],
  shares: readonly LateShare[],
): { gone: Stored[]; made: LateShare[] } {
  const settled = new Set(settledRows(stored, revised))
  const waiting = byRow(stored.filter((row) => !settled.has(row)))
  const now = byRow(shares)
  const isLeftOver = (row: string) => waiting.get(row)?.some(({ isopen }) => !isopen)
  const isRefused = (row: string) => waiting.get(row)?.every(({ state }) => state === 'refused')
  const changed = [...new Set([...now.keys(), ...waiting.keys()])].filter(
    (row) =>
      (isLeftOver(row) || paidBy(waiting.get(row)) !== paidBy(now.get(row))) &&
      (now.has(row) || !isRefused(row)),
  )
  return {
    gone: changed.flatMap((row) => waiting.get(row) ?? []),
    made: changed.flatMap((row) => now.get(row) ?? []),
  }
}
