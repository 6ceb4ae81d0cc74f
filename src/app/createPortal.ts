import type { AxiosAdapter } from 'axios'
import { createBrowserRouter, createMemoryRouter } from 'react-router-dom'
import { createActor } from 'xstate'
import { failureMachine } from '../../machines/failure.machine.ts'
import { createDoneMessages, type DoneMessages } from '../api/doneMessages.ts'
import { createHeldCalls } from '../api/heldCalls.ts'
import { createCall, type CallHooks } from '../api/http.ts'
import type { Portal } from '../api/portal.ts'
import { provideSession } from '../api/provide/session.ts'
import { sessionClientOf } from '../api/sessionClient.ts'
import { createStore, isSignedIn, watchTabs } from '../api/storedSession.ts'
import type { ActorEnvironment } from '../parts/hooks/actorEnvironment.ts'
import { routesOf } from './routes.tsx'

type PortalOptions = ActorEnvironment & {
  /** Replaces the network of the browser. */
  adapter?: AxiosAdapter
  /** Addresses of a history in memory, which replaces that of the browser. */
  history?: string[]
}

export type OpenPortal = Portal & { router: ReturnType<typeof createBrowserRouter> }

/** Creates the session, the error dialog, the calls and the router. Nothing runs before `start`. */
export const createPortal = ({ adapter, history, ...environment }: PortalOptions = {}): OpenPortal => {
  const actorEnvironment = withoutUndefined(environment)
  const failure = createActor(failureMachine, actorEnvironment)
  const doneMessages = createDoneMessages()
  const created = createSession(failure, doneMessages, actorEnvironment, adapter)
  const { session, call, hasLeft, stopWatching } = created
  const portal: Portal = {
    session,
    failure,
    call,
    doneMessages,
    actorEnvironment,
    hasLeft,
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
  const routes = routesOf(portal)
  const router: OpenPortal['router'] = history
    ? createMemoryRouter(routes, { initialEntries: history })
    : createBrowserRouter(routes)
  return Object.assign(portal, { router })
}

/** An option that is present but undefined would replace the default clock. */
const withoutUndefined = (environment: ActorEnvironment) =>
  Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined),
  ) as ActorEnvironment

/** The session and the calls: each needs the other. */
const createSession = (
  failure: Portal['failure'],
  doneMessages: DoneMessages,
  actorEnvironment: ActorEnvironment,
  adapter: AxiosAdapter | undefined,
) => {
  const store = createStore()
  const heldCalls = createHeldCalls()
  const hooks: CallHooks = {
    token: () => session.getSnapshot().context.user?.access_token ?? null,
    unauthorized: () => session.send({ type: 'http.unauthorized' }),
    termsRequired: async (signal) => {
      session.send({ type: 'http.termsRequired' })
      return session.getSnapshot().matches('termsPrompt') && heldCalls.hold(signal)
    },
    showFailure: ({ message, requestId = null }) =>
      failure.send({ type: 'fail', failure: { message, requestId } }),
    showDone: doneMessages.show,
  }
  const call = createCall(hooks, adapter)
  let hasLeft = false
  const logic = provideSession(sessionClientOf(call), store, {
    onLogout: () => {
      hasLeft = true
    },
    resendCalls: heldCalls.resend,
    startOver: () => window.location.assign('/'),
  })
  const session: Portal['session'] = createActor(logic, {
    ...actorEnvironment,
    input: { stored: store.read()?.user ?? null },
  })
  let wasSignedIn = false
  session.subscribe((snapshot) => {
    const isIn = isSignedIn(snapshot)
    if (isIn) hasLeft = false
    else if (wasSignedIn) {
      heldCalls.drop()
      failure.send({ type: 'dismiss' })
      doneMessages.show(null)
    }
    wasSignedIn = isIn
  })
  const stopWatching = watchTabs(store, {
    signedIn: (user) => session.send({ type: 'tab.signedIn', user }),
    signedOut: () => session.send({ type: 'tab.signedOut' }),
  })
  return { session, call, hasLeft: () => hasLeft, stopWatching }
}
