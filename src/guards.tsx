import { useSelector } from '@xstate/react'
import { lazy, Suspense, type ReactNode } from 'react'
import { Navigate, Outlet, useLocation, useSearchParams } from 'react-router-dom'
import { Opening } from './Opening.tsx'
import type { Portal } from './portal.ts'
import type { Viewer } from '../schemas/permissions.ts'
import { loginPath, safeReturn } from './session/returnUrl.ts'
import { isSignedIn, viewerOf } from './session/viewer.ts'
import { useTitle } from './title.ts'

/** The shell with what it knows of the screens: two files, fetched at once. */
const Shell = lazy(async () => {
  const [{ Shell }, { screens }, { wire }] = await Promise.all([import('./shell/Shell.tsx'), import('./routes.tsx'), import('./api/wire.ts')])
  return {
    default: ({ portal, viewer }: { portal: Portal; viewer: Viewer }) => (
      <Shell portal={portal} wired={wire(portal)} viewer={viewer} screens={screens}>
        <Outlet />
      </Shell>
    ),
  }
})

/** Home guard (specification, section 2): a stranger is sent to the login with the attempted URL. */
export const Inside = ({ portal }: { portal: Portal }) => {
  const isIn = useSelector(portal.session, isSignedIn)
  const user = useSelector(portal.session, (snapshot) => snapshot.context.user)
  const { pathname, search, hash } = useLocation()
  if (!isIn || !user) return <Navigate to={portal.hasLeft() ? '/login' : loginPath(pathname + search + hash)} replace />
  return (
    <Suspense fallback={<Opening />}>
      <Shell portal={portal} viewer={viewerOf(user)} />
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
