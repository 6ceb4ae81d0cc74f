import type { Credentials } from '../../schemas/api/session.ts'
import { sessionCalls } from '../../schemas/api/sessionCalls.ts'
import type { Call } from './http.ts'
import { memoize } from './memoize.ts'

/**
 * The calls of the session as typed functions, one client for each `call`: accepting the terms names the
 * version that was read last, by the login page or by the dialog (terms 4).
 */
export const sessionClientOf = memoize((call: Call) => {
  let shown: { id: number } | undefined
  return {
    login: (body: Credentials, signal?: AbortSignal) => call(sessionCalls.session.login, { body, signal }),
    renew: (token: string, signal?: AbortSignal) =>
      call(sessionCalls.session.renew, { token, signal, handlesSessionErrors: true }),
    logout: (token: string) => call(sessionCalls.session.logout, { token, handlesSessionErrors: true }),
    latestTerms: async (signal?: AbortSignal) => {
      const terms = await call(sessionCalls.terms.latest, { signal })
      shown = { id: terms.id }
      return terms
    },
    acceptTerms: (token: string, signal?: AbortSignal) =>
      call(sessionCalls.terms.accept, { token, signal, handlesSessionErrors: true, body: shown }),
  }
})
export type SessionClient = ReturnType<typeof sessionClientOf>
