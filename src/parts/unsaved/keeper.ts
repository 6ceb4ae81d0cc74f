import { createContext } from 'react'

// A file of its own, because the shell needs it: what keeps texts is loaded with the forms alone.

/** The session, which knows whose texts are kept in this tab. */
type Keeper = { getSnapshot: () => { context: { user: { username: string } | null } } }
/** Nothing is kept without it. */
export const KeeperContext = createContext<Keeper | null>(null)

/** Who is signed in at this moment; undefined for nobody. */
export const signedIn = (keeper: Keeper | null): string | undefined =>
  keeper?.getSnapshot().context.user?.username
