import type { User } from '../../schemas/session.ts'
import { parseStored, storageKey, type Store } from './stored.ts'

type Heard = { signedIn: (user: User) => void; signedOut: () => void }

/** Hears what other tabs of this browser store or clear. Answers how to stop listening. */
export const watchTabs = (store: Store, { signedIn, signedOut }: Heard): (() => void) => {
  const hear = ({ key, newValue }: StorageEvent) => {
    const isCleared = key === null
    if (!isCleared && (key !== storageKey || store.isOwn(newValue))) return
    const stored = isCleared ? null : parseStored(newValue)
    if (stored) signedIn(stored.user)
    else signedOut()
  }
  window.addEventListener('storage', hear)
  return () => window.removeEventListener('storage', hear)
}
