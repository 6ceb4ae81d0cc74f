import type { RouteObject } from 'react-router-dom'
import type { Portal } from '../api/portal.ts'
import { LoginPage } from '../features/login/LoginPage.tsx'
import { loadable, ScreenLoading } from '../parts/loadable.tsx'
import { RequireSignedIn, RequireSignedOut, LoadableScreens } from './guards.tsx'
import { RouteError } from './RouteError.tsx'

const TermsStep = loadable(
  async () => {
    const [{ TermsStep }, { provideTerms }] = await Promise.all([
      import('../features/login/TermsStep.tsx'),
      import('../api/provide/terms.ts'),
    ])
    return ({ portal }: { portal: Portal }) => (
      <TermsStep session={portal.session} failure={portal.failure} terms={provideTerms(portal)} />
    )
  },
  <ScreenLoading />,
)

/** The login page and all screens. The table of screens is only fetched after signing in. */
export const routesOf = (portal: Portal): RouteObject[] => [
  {
    errorElement: <RouteError />,
    children: [
      {
        path: '/login',
        element: (
          <RequireSignedOut portal={portal}>
            <LoginPage session={portal.session} terms={<TermsStep portal={portal} />} />
          </RequireSignedOut>
        ),
      },
      {
        element: <RequireSignedIn portal={portal} />,
        children: [{ path: '*', element: <LoadableScreens portal={portal} />, errorElement: <RouteError /> }],
      },
    ],
  },
]
