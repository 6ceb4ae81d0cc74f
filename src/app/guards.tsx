import { useSelector } from '@xstate/react'
import { lazy, Suspense, type ReactNode } from 'react'
import { Navigate, Outlet, useLocation, useSearchParams } from 'react-router-dom'
import type { Viewer } from '../../schemas/permissions.ts'
import type { Portal } from '../api/portal.ts'
import { isSignedIn, viewerOf } from '../api/storedSession.ts'
import { useDocumentTitle } from '../parts/browser.ts'
import { ScreenLoading } from '../parts/Opening.tsx'

/** Where to go after sign-in: a path of this site, else '/'. The login page itself is no place to return to. */
export const safeReturn = (asked: string | null): string => {
  if (asked === null || !/^\/(?!\/)[^\\]*$/.test(asked) || hasControls(asked)) return '/'
  try {
    const url = new URL(asked, window.location.origin)
    if (url.origin !== window.location.origin) return '/'
    const path = url.pathname + url.search + url.hash
    return path.startsWith('//') || /^\/login\/?$/i.test(url.pathname) ? '/' : path
  } catch {
    return '/'
  }
}

export const loginPath = (attempted: string) => `/login?returnUrl=${encodeURIComponent(attempted)}`

/** Browsers drop tabs and line breaks from addresses, which can turn '/\t/evil' into '//evil'. */
const hasControls = (text: string) => [...text].some((letter) => letter < ' ' || letter === '\x7f')

/** The shell with what it knows of the screens: two files, fetched at once. */
const Shell = lazy(async () => {
  const [{ Shell }, { screens }, { provideMachines: wire }] = await Promise.all([
    import('./shell/Shell.tsx'),
    import('./screenTable.tsx'),
    import('../api/provide.ts'),
  ])
  return {
    default: ({ portal, viewer }: { portal: Portal; viewer: Viewer }) => (
      <Shell portal={portal} wired={wire(portal)} viewer={viewer} screens={screens}>
        <Outlet />
      </Shell>
    ),
  }
})

/** Home guard (specification, section 2): a stranger is sent to the login with the attempted URL. */
export const RequireSignedIn = ({ portal }: { portal: Portal }) => {
  const isIn = useSelector(portal.session, isSignedIn)
  const user = useSelector(portal.session, (snapshot) => snapshot.context.user)
  const { pathname, search, hash } = useLocation()
  if (!isIn || !user)
    return <Navigate to={portal.hasLeft() ? '/login' : loginPath(pathname + search + hash)} replace />
  return (
    <Suspense fallback={<ScreenLoading />}>
      <Shell portal={portal} viewer={viewerOf(user)} />
    </Suspense>
  )
}

/** Login guard: a signed-in user goes to where the login was asked for, else home. */
export const RequireSignedOut = ({ portal, children }: { portal: Portal; children: ReactNode }) => {
  const isIn = useSelector(portal.session, isSignedIn)
  const [asked] = useSearchParams()
  useDocumentTitle('Login')
  return isIn ? <Navigate to={safeReturn(asked.get('returnUrl'))} replace /> : children
}
