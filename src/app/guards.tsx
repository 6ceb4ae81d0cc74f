import { useSelector } from '@xstate/react'
import { useEffect, type ReactNode } from 'react'
import { Navigate, Outlet, useLocation, useSearchParams } from 'react-router-dom'
import { homePath, type Viewer } from '../../schemas/permissions.ts'
import type { Portal } from '../api/portal.ts'
import { isSignedIn, viewerOf } from '../api/storedSession.ts'
import { useDocumentTitle } from '../parts/browser.ts'
import { loadable, ScreenLoading } from '../parts/loadable.tsx'

/**
 * Where to go after signing in (session 9): a path of this site other than the login page, else '/', which
 * stands for the screen on which the person begins.
 */
export const safeReturnPath = (returnUrl: string | null): string => {
  if (returnUrl === null || !/^\/(?!\/)[^\\]*$/.test(returnUrl) || hasControlCharacters(returnUrl)) return '/'
  try {
    const url = new URL(returnUrl, window.location.origin)
    if (url.origin !== window.location.origin) return '/'
    const path = url.pathname + url.search + url.hash
    return path.startsWith('//') || /^\/login\/?$/i.test(url.pathname) ? '/' : path
  } catch {
    return '/'
  }
}

export const loginPath = (attempted: string) => `/login?returnUrl=${encodeURIComponent(attempted)}`

/** Browsers drop tabs and line breaks from addresses, which turns '/\t/evil' into '//evil'. */
const hasControlCharacters = (text: string) =>
  [...text].some((character) => character < ' ' || character === '\x7f')

/** The portals whose login page was shown. */
const sawLogin = new WeakSet<Portal>()

export const LoadableScreens = loadable(async () => (await import('./Screens.tsx')).Screens)

/** The code of the shell, the table of screens and their machines: one file (decision 32). */
const importShell = () =>
  Promise.all([
    import('./shell/Shell.tsx'),
    import('./screenTable.tsx'),
    import('../api/provide.ts'),
    LoadableScreens.preload(),
  ])

/** Fetches what is drawn once somebody is signed in. A failure shows when it is drawn, and fetches again. */
export const preloadShell = (): void => void importShell().catch(() => {})

const Shell = loadable(
  async () => {
    const [{ Shell }, { screens }, { provideMachines }] = await importShell()
    return ({ portal, viewer }: { portal: Portal; viewer: Viewer }) => (
      <Shell
        portal={portal}
        machines={provideMachines(portal)}
        viewer={viewer}
        screens={screens}
        isFresh={sawLogin.has(portal)}
      >
        <Outlet />
      </Shell>
    )
  },
  <ScreenLoading />,
)

/** Without a session, redirects to the login page with the attempted address (session 9). */
export const RequireSignedIn = ({ portal }: { portal: Portal }) => {
  const isIn = useSelector(portal.session, isSignedIn)
  const user = useSelector(portal.session, (snapshot) => snapshot.context.user)
  const { pathname, search, hash } = useLocation()
  if (!isIn || !user)
    return <Navigate to={portal.hasLeft() ? '/login' : loginPath(pathname + search + hash)} replace />
  return <Shell portal={portal} viewer={viewerOf(user)} />
}

/**
 * With a session, redirects from the login page to the attempted address, else to the screen on which the
 * person begins (session 9).
 */
export const RequireSignedOut = ({ portal, children }: { portal: Portal; children: ReactNode }) => {
  const isIn = useSelector(portal.session, isSignedIn)
  const user = useSelector(portal.session, (snapshot) => snapshot.context.user)
  const [params] = useSearchParams()
  useDocumentTitle('Login')
  useEffect(() => {
    if (isIn) return
    sawLogin.add(portal)
    // While the person types.
    preloadShell()
  }, [isIn, portal])
  if (!isIn || !user) return children
  const path = safeReturnPath(params.get('returnUrl'))
  return <Navigate to={path === '/' ? homePath(viewerOf(user)) : path} replace />
}
