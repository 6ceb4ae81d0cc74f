import type { User } from '../../schemas/session.ts'
import type { Store } from './stored.ts'

type Renewal = { user: User; store: Store; renew: () => Promise<User>; signal: AbortSignal; now?: () => number }

/**
 * One renewal serves all tabs: they queue for a lock, and who gets it after another tab has renewed takes that
 * result. A browser without Web Locks (a page without TLS) just renews.
 */
export const renewOnce = ({ user, store, renew, signal, now = Date.now }: Renewal): Promise<User> => {
  const began = now()
  const renewOrTake = async () => {
    // Who had to wait gives the browser a moment to tell what the other tab stored: it does so a little later.
    if (now() - began > 20) await new Promise((told) => setTimeout(told, 50))
    signal.throwIfAborted()
    const stored = store.read()
    const isFresh = stored !== null && stored.renewed > began && stored.user.username === user.username
    if (isFresh) return stored.user
    const renewed = await renew()
    // Before the lock is given up: who gets it next looks here.
    if (!signal.aborted) store.keep(renewed)
    return renewed
  }
  const locks = (navigator as Partial<Navigator>).locks
  return locks ? locks.request('technology-portal renewal', { signal }, renewOrTake) : renewOrTake()
}
