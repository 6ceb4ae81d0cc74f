import type { Entity } from '../../../schemas/entities/entity.ts'
import type { Db } from '../../db/db.ts'
import { isStateNumbered, stateSql } from '../rowCounts.ts'
import { keepIn, cacheKey } from './kept.ts'

/** The most totals that a process keeps; the one that was asked for longest ago makes room. */
const maxKept = 1_000
type Kept = Map<string, { state: number; n: number }>
const keptOf = new WeakMap<Db, Kept>()

/** How many rows a statement `select count(*) as n …` counts; `isFrequent` when its text comes often. */
export type Count = { sql: string; values: readonly unknown[]; isFrequent: boolean }

/** How many rows a list has, and the state of the records in which; null where writes are not numbered. */
export type Total = { n: number; state: number | null }

/**
 * How many rows a list has. A count is kept together with the state of the records in which it was made, and
 * used while the database is in that state: a write of any process is counted at once (decision 31).
 */
export async function listTotal(db: Db, entity: Entity, { sql, values, isFrequent }: Count): Promise<Total> {
  const run = isFrequent ? db.prepared : db.query
  if (!isStateNumbered(entity)) return { ...(await run<{ n: number }>(sql, values))[0]!, state: null }
  const kept = keptOf.get(db) ?? new Map()
  keptOf.set(db, kept)
  const key = cacheKey(sql, values)
  const known = kept.get(key)
  if (known) {
    const [now] = await db.prepared<{ state: number }>(`select (${stateSql}) as state`)
    if (now!.state === known.state) {
      keepIn(kept, key, known, maxKept)
      return known
    }
  }
  // One statement has one snapshot: the count is that of the state.
  const [counted] = await run<{ n: number; state: number }>(
    `select n, (${stateSql}) as state from (${sql}) c`,
    values,
  )
  keepIn(kept, key, counted!, maxKept)
  return counted!
}
