import type { Credentials } from '../../schemas/api/session.ts'
import { sessionCalls } from '../../schemas/api/sessionCalls.ts'
import type { Call } from './http.ts'

/** The calls of the session as typed functions. */
export const createSessionClient = (call: Call) => ({
  login: (body: Credentials, signal?: AbortSignal) => call(sessionCalls.session.login, { body, signal }),
  renew: (token: string, signal?: AbortSignal) =>
    call(sessionCalls.session.renew, { token, signal, handlesSessionErrors: true }),
  logout: (token: string) => call(sessionCalls.session.logout, { token, handlesSessionErrors: true }),
  latestTerms: (signal?: AbortSignal) => call(sessionCalls.terms.latest, { signal }),
  acceptTerms: (token: string, signal?: AbortSignal) =>
    call(sessionCalls.terms.accept, { token, signal, handlesSessionErrors: true }),
})
export type SessionClient = ReturnType<typeof createSessionClient>
