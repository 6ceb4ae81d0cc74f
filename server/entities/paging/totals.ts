import type { Entity } from '../../../schemas/entities/entity.ts'
import type { Db } from '../../db/db.ts'
import { writeCountSql } from '../../db/merchantCount.ts'
import { isWriteCounted } from '../rowCounts.ts'
import { cacheKey, putInCache } from './cache.ts'

/** The most totals that a process caches; the least recently used one is evicted. */
const maxTotals = 1_000
type TotalCache = Map<string, { writes: number; n: number }>
const cacheOf = new WeakMap<Db, TotalCache>()

/** How many rows a statement `select count(*) as n …` counts; `isFrequent` when its text comes often. */
export type Count = { sql: string; values: readonly unknown[]; isFrequent: boolean }

/** How many rows a list has, after how many writes; null where writes are not counted. */
export type Total = { n: number; writes: number | null }

/**
 * How many rows a list has. A count is cached together with the number of writes before it, and used as long
 * as that number is the same: a write of any process is counted at once (decision 31).
 */
export async function listTotal(db: Db, entity: Entity, { sql, values, isFrequent }: Count): Promise<Total> {
  const run = isFrequent ? db.prepared : db.query
  if (!isWriteCounted(entity)) return { ...(await run<{ n: number }>(sql, values))[0]!, writes: null }
  const cache: TotalCache = cacheOf.get(db) ?? new Map()
  cacheOf.set(db, cache)
  const key = cacheKey(sql, values)
  const known = cache.get(key)
  if (known) {
    const [now] = await db.prepared<{ writes: number }>(`select (${writeCountSql}) as writes`)
    if (now!.writes === known.writes) {
      putInCache(cache, key, known, maxTotals)
      return known
    }
  }
  // One statement has one snapshot: no write comes between the count and the number.
  const [counted] = await run<{ n: number; writes: number }>(
    `select n, (${writeCountSql}) as writes from (${sql}) c`,
    values,
  )
  putInCache(cache, key, counted!, maxTotals)
  return counted!
}
