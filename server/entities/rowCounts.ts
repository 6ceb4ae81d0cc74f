import type { Db, Sql } from '../db/db.ts'

/**
 * The counts that the database keeps of a large table (migration 005): exact totals without counting, and where a far
 * page begins. Only whole lists in their own order have them; a search or another order is counted as it stands.
 */
type RowCounts = {
  /** All rows in the scope. */
  total(sql: Sql, scope: number[] | null): Promise<number>
  /** Skipping `offset` rows of the scope is starting at id `from` and skipping `rest` more. */
  seek(sql: Sql, scope: number[] | null, offset: number): Promise<{ from: number; rest: number }>
}

const agentsOf = (scope: number[] | null) => scope ?? [0]
const runLength = 1024

const merchant: RowCounts = {
  async total(sql, scope) {
    const [sum] = await sql.query<{ n: number }>(
      'select coalesce(sum(n), 0) as n from merchant_tally where bucket = -1 and agent = any ($1)',
      [agentsOf(scope)],
    )
    return sum!.n
  },
  async seek(sql, scope, offset) {
    // Below a few runs the walk along the index is as quick.
    if (offset < 4 * runLength) return { from: 0, rest: offset }
    const [run] = await sql.query<{ bucket: number; before: number }>(
      `select bucket, before from (
          select bucket, sum(sum(n)) over (order by bucket) - sum(n) as before from merchant_tally where bucket >= 0 and agent = any ($1) group by bucket) runs
        where before <= $2 order by bucket desc limit 1`,
      [agentsOf(scope), offset],
    )
    return run ? { from: run.bucket * runLength, rest: offset - run.before } : { from: 0, rest: offset }
  },
}

export const rowCounts: Readonly<Record<string, RowCounts>> = { merchant }

/** Merges what writes have appended. At most one process does so at a time; the others' turn comes. */
export const mergeRowCounts = (db: Db): Promise<void> =>
  db.transaction(async (tx) => {
    const [turn] = await tx.query<{ mine: boolean }>(
      `select pg_try_advisory_xact_lock(hashtext('merge tallies')) as mine`,
    )
    if (turn?.mine) await tx.query('select merchant_tally_merge()')
  })
