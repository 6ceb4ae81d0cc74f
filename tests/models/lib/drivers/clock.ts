import { SimulatedClock } from 'xstate'

/** The machines' time: stands still until the test moves it, and knows when each running timer began. */
export function createClock(fault: (ms: number) => number = (ms) => ms) {
  const simulated = new SimulatedClock()
  const begun = new Map<unknown, { ms: number; at: number }>()
  return {
    setTimeout(run: (...given: any[]) => void, ms: number) {
      const id = simulated.setTimeout(() => {
        begun.delete(id)
        run()
      }, fault(ms))
      begun.set(id, { ms, at: simulated.now() })
      return id
    },
    clearTimeout(id: number) {
      begun.delete(id)
      simulated.clearTimeout(id)
    },
    pass: (ms: number) => simulated.increment(ms),
    /** How long until the newest running timer of `ms` milliseconds ends. */
    left(ms: number) {
      const timer = [...begun.values()].filter((one) => one.ms === ms).at(-1)
      if (!timer) throw new Error(`nothing waits for ${ms} ms`)
      return timer.at + ms - simulated.now()
    },
  }
}
