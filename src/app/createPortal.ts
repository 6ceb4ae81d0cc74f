import type { AxiosAdapter } from 'axios'
import { createBrowserRouter, createMemoryRouter } from 'react-router-dom'
import { createActor } from 'xstate'
import { failureMachine } from '../../machines/failure.machine.ts'
import type { sessionMachine } from '../../machines/session.machine.ts'
import { createHeldCalls } from '../api/heldCalls.ts'
import { createCall } from '../api/http.ts'
import type { Portal } from '../api/portal.ts'
import { provideSession } from '../api/provideSession.ts'
import { createSessionClient } from '../api/sessionClient.ts'
import { createStore, isSignedIn, watchTabs } from '../api/storedSession.ts'
import type { ActorEnvironment } from '../parts/actorOptions.ts'
import { routesOf } from './routes.tsx'

type PortalOptions = ActorEnvironment & {
  /** In place of the browser's network. */
  adapter?: AxiosAdapter
  /** Addresses of a history kept in memory, in place of the browser's. */
  history?: string[]
}

export type OpenPortal = Portal & { router: ReturnType<typeof createBrowserRouter> }

export const createPortal = ({ adapter, history, ...given }: PortalOptions = {}): OpenPortal => {
  // An option that is there but undefined would replace the default clock.
  const options = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as ActorEnvironment
  const store = createStore()
  const room = createHeldCalls()
  const failure = createActor(failureMachine, options)
  const call = createCall(
    {
      token: () => session.getSnapshot().context.user?.access_token ?? null,
      unauthorized: () => session.send({ type: 'http.unauthorized' }),
      termsRequired: async (signal) => {
        session.send({ type: 'http.termsRequired' })
        return session.getSnapshot().matches('termsPrompt') && room.hold(signal)
      },
      showFailure: ({ message, requestId = null }) =>
        failure.send({ type: 'fail', failure: { message, requestId } }),
    },
    adapter,
  )
  const api = createSessionClient(call)
  let hasLeft = false
  const logic: typeof sessionMachine = provideSession(api, store, {
    onLogout: () => {
      hasLeft = true
    },
    reloadScreen: () => room.release(true),
    startOver: () => window.location.assign('/'),
  })
  const session: Portal['session'] = createActor(logic, {
    ...options,
    input: { stored: store.read()?.user ?? null },
  })
  const portal: Portal = {
    session,
    failure,
    call,
    actorEnvironment: options,
    hasLeft: () => hasLeft,
    start: () => {
      failure.start()
      session.start()
    },
    stop: () => {
      stopWatching()
      session.stop()
      failure.stop()
      router.dispose()
    },
  }
  let wasIn = false
  session.subscribe((snapshot) => {
    const isIn = isSignedIn(snapshot)
    if (isIn) hasLeft = false
    else if (wasIn) {
      room.release(false)
      failure.send({ type: 'dismiss' })
    }
    wasIn = isIn
  })
  const stopWatching = watchTabs(store, {
    signedIn: (user) => session.send({ type: 'tab.signedIn', user }),
    signedOut: () => session.send({ type: 'tab.signedOut' }),
  })
  const routes = routesOf(portal)
  const router: OpenPortal['router'] = history
    ? createMemoryRouter(routes, { initialEntries: history })
    : createBrowserRouter(routes)
  return Object.assign(portal, { router })
}
