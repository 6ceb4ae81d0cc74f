import { permissions, type Permissions } from '../../schemas/permissions.ts'
import type { User } from '../../schemas/session.ts'

/** What the browser keeps of a session; `renewed` is when, in milliseconds, for the other tabs. */
export type Stored = { user: User; renewed: number }
export const storageKey = 'technology-portal.session'

/** Whatever stands in the storage, or null: an older version, another program or a person may have written it. */
export const parseStored = (text: string | null): Stored | null => {
  const { user, renewed } = record(json(text))
  const { username, access_token, admin, email, masteragentid, tc_accepted, ...rest } = record(user)
  if (typeof username !== 'string' || username === '' || typeof access_token !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(access_token)) return null
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

const record = (value: unknown) => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {})
const json = (text: string | null): unknown => {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}
