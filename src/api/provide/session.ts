import { fromPromise } from 'xstate'
import { sessionMachine } from '../../../machines/account/session.machine.ts'
import type { Credentials, SessionReply, User } from '../../../schemas/api/session.ts'
import { Failure } from '../failure.ts'
import type { SessionClient } from '../sessionClient.ts'
import { renewAcrossTabs, type Store } from '../storedSession.ts'

/** Effects of the session on the rest of the portal. */
type SessionEffects = { onLogout: () => void; resendCalls: () => void; startOver: () => void }

/** The session machine with its calls and with the stored session. */
export const provideSession = (
  api: SessionClient,
  store: Store,
  { onLogout: leaving, resendCalls, startOver }: SessionEffects,
) => {
  const withUsername = async (reply: Promise<SessionReply>, username: string): Promise<User> => ({
    ...(await reply),
    username,
  })
  const renew = (user: User, signal: AbortSignal) =>
    withUsername(api.renew(user.access_token, signal), user.username)
  const requireUser = (user: User | null) => {
    if (!user) throw new Failure(401, 'Please sign in')
    return user
  }
  return sessionMachine.provide({
    actors: {
      login: fromPromise<User, Credentials>(({ input, signal }) =>
        withUsername(api.login(input, signal), input.username),
      ),
      renew: fromPromise<User, { user: User | null }>(async ({ input, signal }) => {
        const user = requireUser(input.user)
        return renewAcrossTabs({ user, store, signal, renew: () => renew(user, signal) })
      }),
      acceptTerms: fromPromise<User, { user: User | null }>(async ({ input, signal }) => {
        const user = requireUser(input.user)
        await api.acceptTerms(user.access_token, signal)
        return renew(user, signal)
      }),
    },
    actions: {
      storeUser: ({ context }) => context.user && store.save(context.user),
      clearStoredUser: ({ context }) => store.clear(context.user?.access_token ?? null),
      revokeToken: ({ context }) => {
        leaving()
        // Best effort: a token that is not renewed expires after 15 minutes (session 6).
        if (context.user) void api.logout(context.user.access_token).catch(() => {})
      },
      resendCalls,
      startOver,
    },
  })
}
