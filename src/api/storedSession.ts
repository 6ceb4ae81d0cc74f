import type { SnapshotFrom } from 'xstate'
import type { sessionMachine } from '../../machines/account/session.machine.ts'
import type { User } from '../../schemas/api/session.ts'
import { permissions, type Permissions, type Viewer } from '../../schemas/permissions.ts'
import { parseJson, propertiesOf } from './untrusted.ts'

/**
 * The session in localStorage (session 4). `renewed` is the time of the last renewal in epoch milliseconds.
 */
export type StoredSession = { user: User; renewed: number }
export const storageKey = 'technology-portal.session'

/**
 * Reads the stored text. Null if it is not a session: an older version, another program or a person may have
 * written it.
 */
export const parseStored = (text: string | null): StoredSession | null => {
  const { user, renewed } = propertiesOf(parseJson(text))
  const { username, access_token, admin, email, masteragentid, seesall, tc_accepted, ...rest } =
    propertiesOf(user)
  if (
    typeof username !== 'string' ||
    username === '' ||
    typeof access_token !== 'string' ||
    !/^[\x21-\x7e]{1,200}$/.test(access_token)
  )
    return null
  if (tc_accepted !== true) return null
  const held = propertiesOf(rest.permissions)
  return {
    user: {
      username,
      access_token,
      tc_accepted,
      admin: admin === true,
      email: typeof email === 'string' ? email : null,
      masteragentid: Number.isInteger(masteragentid) ? (masteragentid as number) : null,
      seesall: seesall === true,
      permissions: Object.fromEntries(permissions.map((name) => [name, held[name] === true])) as Permissions,
    },
    renewed: typeof renewed === 'number' ? renewed : 0,
  }
}

/** The stored session of this browser. If localStorage is blocked, the session lasts as long as the page. */
export const createStore = (now: () => number = Date.now) => {
  let lastWritten: string | null = null
  const text = () => {
    try {
      return localStorage.getItem(storageKey)
    } catch {
      return lastWritten
    }
  }
  const write = (value: string | null) => {
    lastWritten = value
    try {
      if (value === null) localStorage.removeItem(storageKey)
      else localStorage.setItem(storageKey, value)
    } catch {
      // Storage is blocked: `text` answers `lastWritten`.
    }
  }
  return {
    read: () => parseStored(text()),
    save: (user: User) => write(JSON.stringify({ user, renewed: now() } satisfies StoredSession)),
    /** Removes the session unless another tab has stored a newer one. */
    clear: (token: string | null) => {
      const stored = parseStored(text())
      if (stored === null || stored.user.access_token === token) write(null)
    },
    /**
     * Whether this tab wrote this text. False for null, because another tab may have removed the session
     * too.
     */
    isOwnWrite: (value: string | null) => value !== null && value === lastWritten,
  }
}
export type Store = ReturnType<typeof createStore>

type TabHandlers = { signedIn: (user: User) => void; signedOut: () => void }

/**
 * Calls back when another tab of this browser stores or removes the session (session 10). Returns how to
 * stop.
 */
export const watchTabs = (store: Store, { signedIn, signedOut }: TabHandlers): (() => void) => {
  const handleStorage = ({ key, newValue }: StorageEvent) => {
    const isCleared = key === null
    if (!isCleared && (key !== storageKey || store.isOwnWrite(newValue))) return
    const stored = isCleared ? null : parseStored(newValue)
    if (stored) signedIn(stored.user)
    else signedOut()
  }
  window.addEventListener('storage', handleStorage)
  return () => window.removeEventListener('storage', handleStorage)
}

type Renewal = {
  user: User
  store: Store
  renew: () => Promise<User>
  signal: AbortSignal
  now?: () => number
}

/**
 * Renews once for all tabs (session 10): they queue for a lock, and a tab that gets it after another one has
 * renewed uses the stored result. Without Web Locks (a page without TLS) each tab renews.
 */
export const renewAcrossTabs = ({ user, store, renew, signal, now = Date.now }: Renewal): Promise<User> => {
  const began = now()
  const renewOrReuse = async () => {
    // Another tab had the lock: its write to localStorage becomes visible here a little later.
    if (now() - began > 20) await new Promise((resolve) => setTimeout(resolve, 50))
    signal.throwIfAborted()
    const stored = store.read()
    const isFresh = stored !== null && stored.renewed > began && stored.user.username === user.username
    if (isFresh) return stored.user
    const renewed = await renew()
    // Before the lock is released: the next tab reads the result.
    if (!signal.aborted) store.save(renewed)
    return renewed
  }
  const locks = (navigator as Partial<Navigator>).locks
  return locks ? locks.request('technology-portal renewal', { signal }, renewOrReuse) : renewOrReuse()
}

export type SessionSnapshot = SnapshotFrom<typeof sessionMachine>

/** Also true while the terms dialog is open. */
export const isSignedIn = (snapshot: SessionSnapshot) =>
  snapshot.matches('active') || snapshot.matches('termsPrompt')

/** The signed-in user as rules see them. */
export const viewerOf = ({ username, admin, permissions, masteragentid, seesall }: User): Viewer => ({
  username,
  admin,
  permissions,
  masteragentid,
  seesall,
})
