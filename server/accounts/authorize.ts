import type { onRequestAsyncHookHandler } from 'fastify'
import type { Endpoint } from '../../schemas/api/endpoint.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/db.ts'
import type { Call, Caller } from '../http/call.ts'
import { HttpError } from '../http/errors.ts'
import { createXsrfToken, needsXsrfToken, isXsrfTokenValid, xsrfCookie, xsrfHeader } from '../http/xsrf.ts'
import { findCaller } from './sessions.ts'

/**
 * Before a body is even read: who calls (401), is it our own page (403), are the terms accepted (428), does the
 * row's rule let it (403).
 */
export const authorize =
  (
    db: Db,
    config: Config,
    secret: Buffer,
    row: Endpoint,
    setXsrf: (call: Pick<Call, 'reply'>, value: string) => void,
  ): onRequestAsyncHookHandler =>
  async (request, reply) => {
    const cookie = request.cookies[xsrfCookie]
    const writes = request.method !== 'GET'
    let caller: Caller | null = null
    if (row.allow !== 'anyone') {
      const token = /^Bearer (\S{1,200})$/i.exec(request.headers.authorization ?? '')?.[1]
      caller = token ? await findCaller(db, token, config.idleMinutes, !row.route.endsWith('/renew')) : null
      if (!caller) throw new HttpError(401, 'Please sign in')
      Object.assign(request, { caller })
      if (needsXsrfToken(secret, cookie, caller.tokenHash))
        setXsrf({ reply }, createXsrfToken(secret, caller.tokenHash))
    }
    if (writes && !isXsrfTokenValid(secret, cookie, request.headers[xsrfHeader], caller?.tokenHash ?? null))
      throw new HttpError(
        403,
        'The request did not come from a page of the portal. Please reload the page and try again.',
        { code: 'xsrf' },
      )
    if (!caller || row.allow === 'anyone' || row.allow === 'pending') return
    if (!caller.tcAccepted) throw new HttpError(428, 'Please accept the Terms and Conditions to continue')
    if (!row.allow(caller)) throw new HttpError(403, 'You do not have permission to do this')
  }
