import { createContext } from 'react'

// A file of its own, because the shell needs it: what stores drafts is loaded with the forms alone.

/** The session, which says whose drafts are stored in this tab. */
type Session = { getSnapshot: () => { context: { user: { username: string } | null } } }
/** Without it no draft is stored. */
export const SessionContext = createContext<Session | null>(null)

/** Who is signed in at this moment; undefined for nobody. */
export const signedIn = (session: Session | null): string | undefined =>
  session?.getSnapshot().context.user?.username
