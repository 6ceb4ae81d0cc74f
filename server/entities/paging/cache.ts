import { createHash } from 'node:crypto'

/** The key of a cache for values that may be long, such as the ids of a scope: their SHA-256. */
export const cacheKey = (...parts: unknown[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64')

/** Puts an entry into a cache of at most `max` entries; the least recently put one is evicted. */
export function putInCache<V>(cache: Map<string, V>, key: string, value: V, max: number): void {
  cache.delete(key)
  cache.set(key, value)
  if (cache.size > max) cache.delete(cache.keys().next().value!)
}
