import { createHash } from 'node:crypto'

/** The key of a cache for values that may be long, such as the ids of a scope: their SHA-256. */
export const cacheKey = (...parts: unknown[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64')

/** Puts an entry into a cache of at most `max`, of which the least recently put one is removed. */
export function keepIn<V>(kept: Map<string, V>, key: string, value: V, max: number): void {
  kept.delete(key)
  kept.set(key, value)
  if (kept.size > max) kept.delete(kept.keys().next().value!)
}
