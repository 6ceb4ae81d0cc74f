import { useSelector } from '@xstate/react'
import { useEffect } from 'react'
import { Navigate, useRoutes } from 'react-router-dom'
import { effectivePermissions, reasonOf, type Viewer } from '../../schemas/permissions.ts'
import type { Portal } from '../api/portal.ts'
import { provideMachines } from '../api/provide.ts'
import { viewerOf } from '../api/storedSession.ts'
import { useDocumentTitle } from '../parts/browser.ts'
import { deleteDraftsOfOthers } from '../parts/unsaved/otherDrafts.ts'
import { SessionContext, signedIn } from '../parts/unsaved/sessionContext.ts'
import { screens, type Screen } from './screenTable.tsx'

/** The screen of the current path; an unknown path redirects to '/' (shell 1). */
export const Screens = ({ portal }: { portal: Portal }) => {
  // This tab stores the drafts of the signed-in user and of nobody else (lists 12).
  const { session } = portal
  useEffect(() => deleteDraftsOfOthers(signedIn(session)), [session])
  const shown = useRoutes([
    ...screens.map((screen) => ({
      path: screen.path + (screen.rest ?? ''),
      element: <PermittedScreen key={screen.path} portal={portal} screen={screen} />,
    })),
    { path: '*', element: <Navigate to="/" replace /> },
  ])
  return <SessionContext value={session}>{shown}</SessionContext>
}

/** Whether permissions and seeing all agents open this screen, without the administrator flag. */
const isGrantable = ({ allow }: Screen, viewer: Viewer) =>
  allow({ ...viewer, permissions: effectivePermissions(true, viewer.permissions), seesall: true })

/** A screen, or the permission that is missing (shell 2). */
const PermittedScreen = ({ portal, screen }: { portal: Portal; screen: Screen }) => {
  const user = useSelector(portal.session, (snapshot) => snapshot.context.user)
  useDocumentTitle(screen.title)
  if (!user) return null
  const viewer = viewerOf(user)
  if (screen.allow(viewer)) return screen.render(provideMachines(portal), viewer, user.email)
  return (
    <section className="plain-note">
      <h1>{screen.title}</h1>
      <p>You do not have permission to see this screen. {reasonOf(screen.allow, viewer)}.</p>
      {isGrantable(screen, viewer) && <p>An administrator can grant it to you.</p>}
    </section>
  )
}
