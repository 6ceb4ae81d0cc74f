import { type ActorRefFrom, createActor, fromPromise } from 'xstate'
import { verificationMachine } from '../../machines/verification.machine.ts'
import { widgetMachine } from '../../machines/widget.machine.ts'
import { emailCalls } from '../../schemas/api/email.ts'
import { once } from './memoize.ts'
import type { Portal } from './portal.ts'
import { isSignedIn, type SessionSnapshot } from './storedSession.ts'

/** What the desk's script leaves on the page, by the vendor's published names. */
type Vendor = {
  ZohoDeskAsap?: { invoke?: (what: string, ...given: unknown[]) => unknown }
  ZohoDeskAsapReady?: (run?: () => void) => void
  ZohoDeskAsapReadyStatus?: boolean
  ZohoDeskAsap__asyncalls?: (() => void)[] | null
}
/** The widget asks for a token whenever it needs one, not only at first. */
type TokenWanted = (take: (token: string) => void, fail: (reason: unknown) => void) => void

const page = globalThis as Vendor
const scriptId = 'zohodeskasapscript'

/** The vendor's own queue: what is to run once the script is ready. */
const enqueue: NonNullable<Vendor['ZohoDeskAsapReady']> = (run) => {
  const waiting = (page.ZohoDeskAsap__asyncalls ??= [])
  if (run) waiting.push(run)
  if (!page.ZohoDeskAsapReadyStatus) return
  page.ZohoDeskAsap__asyncalls = null
  for (const each of waiting) each()
}

/** Puts the desk's script on the page. Rejects when it cannot be loaded. */
export const loadDesk = (address: string): Promise<void> =>
  new Promise((resolve, reject) => {
    page.ZohoDeskAsapReady = enqueue
    const script = Object.assign(document.createElement('script'), { id: scriptId, defer: true })
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => reject(new Error('the script of the help desk cannot be loaded')))
    script.src = address
    document.head.append(script)
  })

export const isDeskReady = (): boolean =>
  page.ZohoDeskAsapReadyStatus === true && typeof page.ZohoDeskAsap?.invoke === 'function'

/** Throws what the desk throws. */
export const signInAtDesk = (token: () => Promise<string>): void => {
  const wanted: TokenWanted = (take, fail) =>
    void token()
      .then(take, fail)
      .catch(() => {})
  page.ZohoDeskAsap?.invoke?.('login', wanted)
}

/** Signs out there and takes away all the script has left: elements of its name or its host, and its names. */
export const uninstallDesk = (address: string | null): void => {
  try {
    page.ZohoDeskAsap?.invoke?.('logout')
  } catch {
    // A broken script must not keep anybody from leaving.
  }
  const host = address === null ? '' : new URL(address).origin
  const own = [
    '[id^="zohodesk" i]',
    '[class^="zohodesk" i]',
    ...(host ? ['script', 'iframe'].map((tag) => `${tag}[src^="${host}/"]`) : []),
    ...(host ? [`link[href^="${host}/"]`] : []),
  ]
  for (const element of document.querySelectorAll(own.join(', '))) element.remove()
  delete page.ZohoDeskAsap
  delete page.ZohoDeskAsapReady
  delete page.ZohoDeskAsapReadyStatus
  delete page.ZohoDeskAsap__asyncalls
}

/** 15 s, looking every 10 ms. */
const looks = 1_500

/** The help desk's widget. It lives beside the screens, for it must learn that the user has left when no screen is there any more. */
export const wireWidget = once(
  ({
    call,
    session,
    given,
  }: Pick<Portal, 'call' | 'session' | 'given'>): ActorRefFrom<typeof widgetMachine> => {
    const token = async () => ((await call(emailCalls.deskToken)) as { token: string }).token
    const actor = createActor(
      widgetMachine.provide({
        actors: {
          loadScript: fromPromise<unknown, { script: string | null }>(({ input }) =>
            loadDesk(input.script ?? ''),
          ),
          look: fromPromise<boolean>(async () => isDeskReady()),
          signIn: fromPromise<unknown>(async () => signInAtDesk(token)),
        },
        actions: { uninstall: ({ context }) => uninstallDesk(context.script) },
      }),
      { ...given, input: { most: looks } },
    ).start()
    const leave = () => actor.send({ type: 'leave' })
    const hear = (snapshot: SessionSnapshot) => {
      if (!isSignedIn(snapshot) || !snapshot.context.user?.email) leave()
    }
    session.subscribe({
      next: hear,
      complete: () => {
        leave()
        actor.stop()
      },
    })
    return actor
  },
)

/** The dialog 'Email Validation'. Its success is the session's to learn. */
export const wireEmail = once(({ call, session }: Pick<Portal, 'call' | 'session'>) =>
  verificationMachine.provide({
    actors: {
      requestCode: fromPromise<unknown, { email: string }>(({ input, signal }) =>
        call(emailCalls.request, { body: { email: input.email }, signal }),
      ),
      verifyCode: fromPromise<unknown, { email: string; code: string }>(({ input, signal }) =>
        call(emailCalls.verify, { body: { email: input.email, otp: input.code }, signal }),
      ),
    },
    actions: { renewSession: () => session.send({ type: 'session.renew' }) },
  }),
)
