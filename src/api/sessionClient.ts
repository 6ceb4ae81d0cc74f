import type { Credentials, LatestTerms, SessionReply } from '../../schemas/api/session.ts'
import { sessionCalls } from '../../schemas/api/sessionCalls.ts'
import type { Call } from './http.ts'

/** The calls of the session as typed functions. */
export const createSessionClient = (call: Call) => ({
  login: (body: Credentials, signal?: AbortSignal) =>
    call(sessionCalls.session.login, { body, signal }) as Promise<SessionReply>,
  renew: (token: string, signal?: AbortSignal) =>
    call(sessionCalls.session.renew, { token, signal, handlesSessionErrors: true }) as Promise<SessionReply>,
  logout: (token: string) =>
    call(sessionCalls.session.logout, { token, handlesSessionErrors: true }) as Promise<void>,
  latestTerms: (signal?: AbortSignal) => call(sessionCalls.terms.latest, { signal }) as Promise<LatestTerms>,
  acceptTerms: (token: string, signal?: AbortSignal) =>
    call(sessionCalls.terms.accept, { token, signal, handlesSessionErrors: true }) as Promise<void>,
})
export type SessionClient = ReturnType<typeof createSessionClient>
