import { fromPromise } from 'xstate'
import { sessionMachine, type Login, type Reply } from '../../machines/session.machine.ts'
import type { User } from '../../schemas/api/session.ts'
import { Failure } from './failure.ts'
import type { Entrance } from './sessionClient.ts'
import { renewOnce, type Store } from './storedSession.ts'

/** What the session does outside itself. */
export type SessionEffects = { leaving: () => void; reloadScreen: () => void; startOver: () => void }

/** The session with its calls and its effects on the stored user. */
export const wireSession = (
  api: Entrance,
  store: Store,
  { leaving, reloadScreen, startOver }: SessionEffects,
) => {
  const named = async (reply: Promise<object>, username: string) => ({ ...(await reply), username }) as User
  const renewed = (user: Reply, signal: AbortSignal) =>
    named(api.renew(user.access_token, signal), user.username)
  const signedIn = (user: Reply | null) => {
    if (!user) throw new Failure(401, 'Please sign in')
    return user as User
  }
  return sessionMachine.provide({
    actors: {
      login: fromPromise<Reply, Login>(({ input, signal }) =>
        named(api.login(input, signal), input.username),
      ),
      renew: fromPromise<Reply, { user: Reply | null }>(async ({ input, signal }) => {
        const user = signedIn(input.user)
        return renewOnce({ user, store, signal, renew: () => renewed(user, signal) })
      }),
      acceptTerms: fromPromise<Reply, { user: Reply | null }>(async ({ input, signal }) => {
        const user = signedIn(input.user)
        await api.acceptTerms(user.access_token, signal)
        return renewed(user, signal)
      }),
    },
    actions: {
      storeUser: ({ context }) => context.user && store.keep(context.user as User),
      clearStoredUser: ({ context }) => store.clear(context.user?.access_token ?? null),
      revokeToken: ({ context }) => {
        leaving()
        // Best effort: the token ends by itself 15 minutes later.
        if (context.user) void api.logout(context.user.access_token).catch(() => {})
      },
      reloadScreen,
      startOver,
    },
  })
}
