import { useSelector } from '@xstate/react'
import { lazy, Suspense, useEffect, type ReactNode } from 'react'
import { Navigate, Outlet, useLocation, useSearchParams } from 'react-router-dom'
import { portalName } from '../schemas/constants.ts'
import { reason } from '../schemas/permissions.ts'
import type { Portal } from './portal.ts'
import type { Screen } from './routes.tsx'
import { loginPath, safeReturn } from './session/returnUrl.ts'
import { isSignedIn, viewerOf } from './session/viewer.ts'

const Shell = lazy(async () => ({ default: (await import('./shell/Shell.tsx')).Shell }))

/** Home guard (specification, section 2): a stranger is sent to the login with the attempted URL. */
export const Inside = ({ portal, screens }: { portal: Portal; screens: readonly Screen[] }) => {
  const isIn = useSelector(portal.session, isSignedIn)
  const user = useSelector(portal.session, (snapshot) => snapshot.context.user)
  const { pathname, search, hash } = useLocation()
  if (!isIn || !user) return <Navigate to={portal.hasLeft() ? '/login' : loginPath(pathname + search + hash)} replace />
  return (
    <Suspense fallback={<Opening />}>
      <Shell portal={portal} viewer={viewerOf(user)} screens={screens}>
        <Outlet />
      </Shell>
    </Suspense>
  )
}

/** Login guard: a signed-in user goes to where the login was asked for, else home. */
export const Outside = ({ portal, children }: { portal: Portal; children: ReactNode }) => {
  const isIn = useSelector(portal.session, isSignedIn)
  const [asked] = useSearchParams()
  useTitle('Login')
  return isIn ? <Navigate to={safeReturn(asked.get('returnUrl'))} replace /> : children
}

/** One screen behind the login, or the permission it lacks. */
export const Admitted = ({ portal, screen }: { portal: Portal; screen: Screen }) => {
  const user = useSelector(portal.session, (snapshot) => snapshot.context.user)
  useTitle(screen.title)
  if (!user) return null
  const viewer = viewerOf(user)
  if (screen.may(viewer)) return <Suspense fallback={<Opening />}>{screen.draw(portal, viewer)}</Suspense>
  return (
    <section className="plain-note">
      <h1>{screen.title}</h1>
      <p>You do not have permission to see this screen. {reason(screen.may)}.</p>
      <p>An administrator can grant it to you.</p>
    </section>
  )
}

/** Any other path redirects to the empty path. */
export const Elsewhere = () => <Navigate to="/" replace />

const Opening = () => (
  <p className="plain-opening" role="status">
    Loading
  </p>
)

const useTitle = (title: string) =>
  useEffect(() => {
    document.title = `${title} - ${portalName}`
  }, [title])
