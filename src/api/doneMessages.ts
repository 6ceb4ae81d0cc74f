import type { Done } from '../../schemas/api/endpoint.ts'

/** The message after the latest call that succeeded (everywhere 3); null once it was closed. */
export type DoneMessages = {
  current: () => Done | null
  show: (done: Done | null) => void
  /** Returns a function that unsubscribes. */
  subscribe: (listener: () => void) => () => void
}

export const createDoneMessages = (): DoneMessages => {
  const listeners = new Set<() => void>()
  let current: Done | null = null
  return {
    current: () => current,
    show(done) {
      current = done
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
