import type { SnapshotFrom } from 'xstate'
import type { Reply, sessionMachine } from '../../machines/session.machine.ts'
import type { Permissions, Viewer } from '../../schemas/permissions.ts'

export type SessionSnapshot = SnapshotFrom<typeof sessionMachine>

/** In the portal, even if the terms dialog stands before it. */
export const isSignedIn = (snapshot: SessionSnapshot) => snapshot.matches('active') || snapshot.matches('termsPrompt')

/** The signed-in user as rules see them. */
export const viewerOf = ({ username, admin, permissions, masteragentid }: Reply): Viewer => ({
  username,
  admin,
  // What the server answered and what was stored hold all thirteen.
  permissions: permissions as Permissions,
  masteragentid,
})
