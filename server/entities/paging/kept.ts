import { createHash } from 'node:crypto'

/** A short key of values that may be long, such as the ids of a scope. */
export const keyOf = (...parts: unknown[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64')

/** Puts an entry last. Of more than `max` the one that was put longest ago makes room. */
export function keepIn<V>(kept: Map<string, V>, key: string, value: V, max: number): void {
  kept.delete(key)
  kept.set(key, value)
  if (kept.size > max) kept.delete(kept.keys().next().value!)
}
