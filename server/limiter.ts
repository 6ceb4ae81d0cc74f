import pLimit from 'p-limit'

/**
 * Runs at most `most` works at a time; the others wait in the order they came. What a work resolves with or
 * throws is passed on. An abort of `signal` ends the waiting at once with the signal's reason, and the work
 * never begins; a work that has begun watches the signal itself.
 */
export type Limiter = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>

/** Throws a TypeError unless `most` is a whole number above 0. */
export function createLimiter(most: number): Limiter {
  const limit = pLimit(most)
  return async (work, signal) => {
    if (!signal) return limit(work)
    signal.throwIfAborted()
    return new Promise((resolve, reject) => {
      const stop = () => reject(signal.reason as Error)
      signal.addEventListener('abort', stop, { once: true })
      // p-limit cannot take one work out of its queue, so an aborted one stays there and throws at its turn.
      const begin = () => {
        signal.removeEventListener('abort', stop)
        signal.throwIfAborted()
        return work()
      }
      limit(begin).then(resolve, reject)
    })
  }
}
