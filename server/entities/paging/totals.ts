import type { Entity } from '../../../schemas/entities/entity.ts'
import type { Db } from '../../db/db.ts'
import { isStateNumbered, stateSql } from '../rowCounts.ts'
import { cacheKey, putInCache } from './cache.ts'

/** The most totals that a process caches; the least recently used one is evicted. */
const maxTotals = 1_000
type TotalCache = Map<string, { state: number; n: number }>
const cacheOf = new WeakMap<Db, TotalCache>()

/** How many rows a statement `select count(*) as n …` counts; `isFrequent` when its text comes often. */
export type Count = { sql: string; values: readonly unknown[]; isFrequent: boolean }

/** How many rows a list has, and the state of the records in which; null where writes are not numbered. */
export type Total = { n: number; state: number | null }

/**
 * How many rows a list has. A count is cached together with the state of the records in which it was made,
 * and used while the database is in that state: a write of any process is counted at once (decision 31).
 */
export async function listTotal(db: Db, entity: Entity, { sql, values, isFrequent }: Count): Promise<Total> {
  const run = isFrequent ? db.prepared : db.query
  if (!isStateNumbered(entity)) return { ...(await run<{ n: number }>(sql, values))[0]!, state: null }
  const cache: TotalCache = cacheOf.get(db) ?? new Map()
  cacheOf.set(db, cache)
  const key = cacheKey(sql, values)
  const known = cache.get(key)
  if (known) {
    const [now] = await db.prepared<{ state: number }>(`select (${stateSql}) as state`)
    if (now!.state === known.state) {
      putInCache(cache, key, known, maxTotals)
      return known
    }
  }
  // One statement has one snapshot: the count is that of the state.
  const [counted] = await run<{ n: number; state: number }>(
    `select n, (${stateSql}) as state from (${sql}) c`,
    values,
  )
  putInCache(cache, key, counted!, maxTotals)
  return counted!
}
