import { createActor, fromPromise, type ActorRefFrom } from 'xstate'
import { widgetMachine } from '../../machines/widget.machine.ts'
import { emailCalls } from '../../schemas/email.ts'
import { isDeskReady, loadDesk, signInAtDesk, uninstallDesk } from '../desk.ts'
import type { Portal } from '../portal.ts'
import { isSignedIn, type SessionSnapshot } from '../session/viewer.ts'
import { once } from './once.ts'

/** 15 s, looking every 10 ms. */
const looks = 1_500

/** The help desk's widget. It lives beside the screens, for it must learn that the user has left when no screen is there any more. */
export const wireWidget = once(({ call, session, given }: Pick<Portal, 'call' | 'session' | 'given'>): ActorRefFrom<typeof widgetMachine> => {
  const token = async () => ((await call(emailCalls.deskToken)) as { token: string }).token
  const actor = createActor(
    widgetMachine.provide({
      actors: {
        loadScript: fromPromise<unknown, { script: string | null }>(({ input }) => loadDesk(input.script ?? '')),
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
})
