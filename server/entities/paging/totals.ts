import { createHash } from 'node:crypto'
import type { Db } from '../../db/db.ts'

/** The most totals that a process keeps; the one that was asked for longest ago makes room. */
const maxKept = 1_000
/** The tables whose writes are numbered (migration 037), by the names of their entities. */
const numbered: ReadonlySet<string> = new Set(['merchant', 'masteragent', 'equipment'])

/** The number of the state of the records: within a snapshot it says whether anything was written since. */
const stateSql = 'select coalesce(sum(n), 0) as state from merchant_tally where agent = 0 and bucket = -9'

type Kept = Map<string, { state: number; n: number }>
const keptOf = new WeakMap<Db, Kept>()

/** How many rows a statement `select count(*) as n …` counts; `isFrequent` when its text comes often. */
export type Count = { sql: string; values: readonly unknown[]; isFrequent: boolean }

/**
 * How many rows a list has. A count is kept together with the state of the records in which it was made, and
 * used while the database is in that state: a write of any process is counted at once (decision 31).
 */
export async function listTotal(db: Db, entity: string, { sql, values, isFrequent }: Count): Promise<number> {
  const run = isFrequent ? db.prepared : db.query
  if (!numbered.has(entity)) return (await run<{ n: number }>(sql, values))[0]!.n
  const kept = keptOf.get(db) ?? new Map()
  keptOf.set(db, kept)
  const key = createHash('sha256')
    .update(JSON.stringify([sql, values]))
    .digest('base64')
  const known = kept.get(key)
  if (known) {
    const [now] = await db.prepared<{ state: number }>(stateSql)
    if (now!.state === known.state) {
      kept.delete(key)
      kept.set(key, known)
      return known.n
    }
  }
  // One statement has one snapshot: the count is that of the state.
  const [counted] = await run<{ n: number; state: number }>(
    `select n, (${stateSql}) as state from (${sql}) c`,
    values,
  )
  kept.delete(key)
  kept.set(key, counted!)
  if (kept.size > maxKept) kept.delete(kept.keys().next().value!)
  return counted!.n
}
