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
    /** When the newest running timer of `ms` milliseconds began. */
    begun(ms: number) {
      const timer = [...begun.values()].findLast((one) => one.ms === ms)
      if (!timer) throw new Error(`nothing waits for ${ms} ms`)
      return timer.at
    },
    now: () => simulated.now(),
  }
}
