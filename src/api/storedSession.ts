import type { SnapshotFrom } from 'xstate'
import type { Reply, sessionMachine } from '../../machines/session.machine.ts'
import type { User } from '../../schemas/api/session.ts'
import { permissions, type Permissions, type Viewer } from '../../schemas/permissions.ts'

/** What the browser keeps of a session; `renewed` is when, in milliseconds, for the other tabs. */
export type Stored = { user: User; renewed: number }
export const storageKey = 'technology-portal.session'

/** Whatever stands in the storage, or null: an older version, another program or a person may have written it. */
export const parseStored = (text: string | null): Stored | null => {
  const { user, renewed } = record(json(text))
  const { username, access_token, admin, email, masteragentid, tc_accepted, ...rest } = record(user)
  if (
    typeof username !== 'string' ||
    username === '' ||
    typeof access_token !== 'string' ||
    !/^[\x21-\x7e]{1,200}$/.test(access_token)
  )
    return null
  if (tc_accepted !== true) return null
  const held = record(rest.permissions)
  return {
    user: {
      username,
      access_token,
      tc_accepted,
      admin: admin === true,
      email: typeof email === 'string' ? email : null,
      masteragentid: Number.isInteger(masteragentid) ? (masteragentid as number) : null,
      permissions: Object.fromEntries(permissions.map((name) => [name, held[name] === true])) as Permissions,
    },
    renewed: typeof renewed === 'number' ? renewed : 0,
  }
}

/** The stored session of this browser. A browser that forbids storage keeps it for this page alone. */
export const createStore = (now: () => number = Date.now) => {
  let written: string | null = null
  const text = () => {
    try {
      return localStorage.getItem(storageKey)
    } catch {
      return written
    }
  }
  const write = (value: string | null) => {
    written = value
    try {
      if (value === null) localStorage.removeItem(storageKey)
      else localStorage.setItem(storageKey, value)
    } catch {
      // Kept in `written`.
    }
  }
  return {
    read: () => parseStored(text()),
    keep: (user: User) => write(JSON.stringify({ user, renewed: now() } satisfies Stored)),
    /** Leaves alone what another tab has stored since. */
    clear: (token: string | null) => {
      const stored = parseStored(text())
      if (stored === null || stored.user.access_token === token) write(null)
    },
    /** Is this text what we wrote ourselves? That nothing is stored any more, another tab may have done as well. */
    isOwn: (value: string | null) => value !== null && value === written,
  }
}
export type Store = ReturnType<typeof createStore>

const record = (value: unknown) =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
const json = (text: string | null): unknown => {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}

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

type Renewal = {
  user: User
  store: Store
  renew: () => Promise<User>
  signal: AbortSignal
  now?: () => number
}

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

export type SessionSnapshot = SnapshotFrom<typeof sessionMachine>

/** In the portal, even if the terms dialog stands before it. */
export const isSignedIn = (snapshot: SessionSnapshot) =>
  snapshot.matches('active') || snapshot.matches('termsPrompt')

/** The signed-in user as rules see them. */
export const viewerOf = ({ username, admin, permissions, masteragentid }: Reply): Viewer => ({
  username,
  admin,
  // What the server answered and what was stored hold all thirteen.
  permissions: permissions as Permissions,
  masteragentid,
})
