/**
 * A function that computes its result once per argument, which must be an object, and then returns the same
 * one.
 */
export const memoize = <Key extends object, Result>(compute: (key: Key) => Result) => {
  const results = new WeakMap<Key, Result>()
  return (key: Key): Result => {
    const known = results.get(key)
    if (known) return known
    const result = compute(key)
    results.set(key, result)
    return result
  }
}
