import { fromPromise } from 'xstate'
import { loadMachine } from '../../../machines/load.machine.ts'
import { inboxCountCall } from '../../../schemas/api/inbox/inboxCount.ts'
import type { Call } from '../http.ts'
import { memoize } from '../memoize.ts'

/** Called with the number of waiting files after each answer. */
type OnWaiting = (waiting: number) => void

/** How many files wait in the inbox, which the bar shows on every screen (inbox 10). */
export const provideInboxCount = memoize((call: Call) => {
  const watchers = new Set<OnWaiting>()
  const report = (waiting: number) => {
    for (const onWaiting of watchers) onWaiting(waiting)
  }
  return {
    /** Asks how many files wait; every watcher gets it. */
    count: loadMachine.provide({
      actors: {
        load: fromPromise<unknown>(async ({ signal }) => {
          const reply = await call(inboxCountCall, { signal })
          report(reply.waiting)
          return reply
        }),
      },
    }),
    /**
     * Calls `onWaiting` after each later answer of `count` or of the inbox list. Returns a function that
     * stops this.
     */
    watchWaiting(onWaiting: OnWaiting): () => void {
      watchers.add(onWaiting)
      return () => void watchers.delete(onWaiting)
    },
    report,
  }
})
