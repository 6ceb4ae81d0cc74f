import type { Credentials, LatestTerms, SessionReply } from '../../schemas/api/session.ts'
import { entrance } from '../../schemas/api/sessionCalls.ts'
import type { Call } from './http.ts'

/** The calls of the session, typed by what their rows take and answer. */
export const createEntrance = (call: Call) => ({
  login: (body: Credentials, signal?: AbortSignal) =>
    call(entrance.session.login, { body, signal }) as Promise<SessionReply>,
  renew: (token: string, signal?: AbortSignal) =>
    call(entrance.session.renew, { token, signal, judged: true }) as Promise<SessionReply>,
  logout: (token: string) => call(entrance.session.logout, { token, judged: true }) as Promise<void>,
  latestTerms: (signal?: AbortSignal) => call(entrance.terms.latest, { signal }) as Promise<LatestTerms>,
  acceptTerms: (token: string, signal?: AbortSignal) =>
    call(entrance.terms.accept, { token, signal, judged: true }) as Promise<void>,
})
export type Entrance = ReturnType<typeof createEntrance>
