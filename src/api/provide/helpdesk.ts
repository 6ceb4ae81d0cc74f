import { type ActorRefFrom, createActor, fromPromise } from 'xstate'
import { widgetMachine } from '../../../machines/widget.machine.ts'
import { emailCalls } from '../../../schemas/api/accounts/email.ts'
import { memoize } from '../memoize.ts'
import type { Portal } from '../portal.ts'
import { isSignedIn, type SessionSnapshot } from '../storedSession.ts'

/** The global names of the vendor's script (tickets 9). */
type Vendor = {
  ZohoDeskAsap?: { invoke?: (what: string, ...given: unknown[]) => unknown }
  ZohoDeskAsapReady?: (run?: () => void) => void
  ZohoDeskAsapReadyStatus?: boolean
  ZohoDeskAsap__asyncalls?: (() => void)[] | null
}
/** The widget calls this whenever it needs a token, not only at first. */
type ProvideToken = (succeed: (token: string) => void, fail: (reason: unknown) => void) => void

const globals = globalThis as Vendor
const scriptId = 'zohodeskasapscript'

/** The vendor's queue of functions that run once the script is ready. */
const enqueue: NonNullable<Vendor['ZohoDeskAsapReady']> = (run) => {
  const waiting = (globals.ZohoDeskAsap__asyncalls ??= [])
  if (run) waiting.push(run)
  if (!globals.ZohoDeskAsapReadyStatus) return
  globals.ZohoDeskAsap__asyncalls = null
  for (const queued of waiting) queued()
}

/** Adds the script to the page. Rejects if it cannot be loaded. */
const loadHelpdeskScript = (address: string): Promise<void> =>
  new Promise((resolve, reject) => {
    globals.ZohoDeskAsapReady = enqueue
    const script = Object.assign(document.createElement('script'), { id: scriptId, defer: true })
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => reject(new Error('the script of the help desk cannot be loaded')))
    script.src = address
    document.head.append(script)
  })

const isHelpdeskReady = (): boolean =>
  globals.ZohoDeskAsapReadyStatus === true && typeof globals.ZohoDeskAsap?.invoke === 'function'

/** Signs the user in at the help desk. Throws what the script throws. */
const signInAtHelpdesk = (token: () => Promise<string>): void => {
  const provideToken: ProvideToken = (succeed, fail) =>
    void token()
      .then(succeed, fail)
      .catch(() => {})
  globals.ZohoDeskAsap?.invoke?.('login', provideToken)
}

/** Signs the user out and removes the script's elements, recognised by name or host, and its global names. */
export const uninstallHelpdesk = (address: string | null): void => {
  try {
    globals.ZohoDeskAsap?.invoke?.('logout')
  } catch {
    // An error of the script must not prevent logging out.
  }
  const host = address === null ? '' : new URL(address).origin
  const own = [
    '[id^="zohodesk" i]',
    '[class^="zohodesk" i]',
    ...(host ? ['script', 'iframe'].map((tag) => `${tag}[src^="${host}/"]`) : []),
    ...(host ? [`link[href^="${host}/"]`] : []),
  ]
  for (const element of document.querySelectorAll(own.join(', '))) element.remove()
  delete globals.ZohoDeskAsap
  delete globals.ZohoDeskAsapReady
  delete globals.ZohoDeskAsapReadyStatus
  delete globals.ZohoDeskAsap__asyncalls
}

/** 15 s, as it is checked every 10 ms. */
const maxReadinessChecks = 1_500

/**
 * Starts the help desk's widget. It is no part of a screen, because it must be removed after the last one is
 * closed.
 */
export const startHelpdeskWidget = memoize(
  ({
    call,
    session,
    actorEnvironment,
  }: Pick<Portal, 'call' | 'session' | 'actorEnvironment'>): ActorRefFrom<typeof widgetMachine> => {
    const token = async () => (await call(emailCalls.helpdeskToken)).token
    const actor = createActor(
      widgetMachine.provide({
        actors: {
          loadScript: fromPromise<unknown, { script: string | null }>(({ input }) =>
            loadHelpdeskScript(input.script ?? ''),
          ),
          checkReadiness: fromPromise<boolean>(async () => isHelpdeskReady()),
          signIn: fromPromise<unknown>(async () => signInAtHelpdesk(token)),
        },
        actions: { uninstall: ({ context }) => uninstallHelpdesk(context.script) },
      }),
      { ...actorEnvironment, input: { maxChecks: maxReadinessChecks } },
    ).start()
    const leave = () => actor.send({ type: 'leave' })
    const leaveWithoutEmail = (snapshot: SessionSnapshot) => {
      if (!isSignedIn(snapshot) || !snapshot.context.user?.email) leave()
    }
    session.subscribe({
      next: leaveWithoutEmail,
      complete: () => {
        leave()
        actor.stop()
      },
    })
    return actor
  },
)
