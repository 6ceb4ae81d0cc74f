/**
 * Runs at most `most` works at a time; the others wait in the order they came. What a work resolves with or
 * throws is passed on.
 */
export function createLimiter(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = most
  const waiting: (() => void)[] = []
  return async (work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The place of a work that ends is handed on, so that nobody who comes in between takes it.
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
