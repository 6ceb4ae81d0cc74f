import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import type { Endpoint } from '../../schemas/api/endpoint.ts'
import { givenReasonOf, type Rule } from '../../schemas/permissions.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/db.ts'
import type { Call, Caller } from '../http/call.ts'
import { HttpError } from '../http/errors.ts'
import {
  createXsrfToken,
  isXsrfTokenValid,
  needsXsrfToken,
  xsrfCookie,
  xsrfHeader,
  type SetXsrfCookie,
} from '../http/xsrf.ts'
import { findCaller } from './sessions.ts'

/** 'You do not have permission to do this', and the right that is missing (permissions 7). */
function refusalOf(rule: Rule, caller: Caller): string {
  const reason = givenReasonOf(rule, caller)
  return ['You do not have permission to do this', ...(reason === null ? [] : [reason])].join('. ')
}

type CallerOf = Pick<Config, 'idleMinutes'> & { db: Db; endpoint: Endpoint }

/** Throws an HttpError (401) without a valid token. */
async function callerOf({ db, idleMinutes, endpoint }: CallerOf, request: FastifyRequest): Promise<Caller> {
  const token = /^Bearer (\S{1,200})$/i.exec(request.headers.authorization ?? '')?.[1]
  const use = { idleMinutes, isUserAction: !endpoint.unattended }
  const caller = token ? await findCaller(db, token, use) : null
  if (!caller) throw new HttpError(401, 'Please sign in')
  return caller
}

/** Throws an HttpError: 428 before the terms are accepted, 403 when the rule refuses the caller. */
function assertAllowed({ allow }: Endpoint, caller: Caller) {
  if (allow === 'anyone' || allow === 'pending') return
  if (!caller.tcAccepted) throw new HttpError(428, 'Please accept the Terms and Conditions to continue')
  if (!allow(caller)) throw new HttpError(403, refusalOf(allow, caller))
}

/**
 * What `authorize` adds to a request, unless anyone may call the endpoint. `isBodyAwaited`: the body had not
 * come when the call was authorized, so session and rights are checked again once it has (session 6).
 */
export type Authorized = Pick<Call, 'caller' | 'authorizeAgain'> & { isBodyAwaited: boolean }

type AuthorizeOptions = CallerOf & { secret: Buffer; setXsrfCookie: SetXsrfCookie }

/**
 * Authorizes calls of an endpoint before their body is read. Throws an HttpError: 401 without a valid token,
 * 403 without the cross-site token (api 3) or when the endpoint's rule refuses the caller, 428 before the
 * terms are accepted (errors 2).
 */
export const authorize =
  ({ secret, setXsrfCookie, ...from }: AuthorizeOptions): onRequestAsyncHookHandler =>
  async (request, reply) => {
    const { endpoint } = from
    const cookie = request.cookies[xsrfCookie]
    const isWrite = request.method !== 'GET'
    const caller = endpoint.allow === 'anyone' ? null : await callerOf(from, request)
    if (caller) {
      const authorizeAgain = async () => {
        const now = await callerOf(from, request)
        assertAllowed(endpoint, now)
        return now
      }
      const isBodyAwaited = request.raw.complete === false
      Object.assign(request, { caller, authorizeAgain, isBodyAwaited } satisfies Authorized)
      if (needsXsrfToken(secret, cookie, caller.tokenHash))
        setXsrfCookie(reply, createXsrfToken(secret, caller.tokenHash))
    }
    if (isWrite && !isXsrfTokenValid(secret, cookie, request.headers[xsrfHeader], caller?.tokenHash ?? null))
      throw new HttpError(
        403,
        'The request did not come from a page of the portal. Please reload the page and try again.',
        { code: 'xsrf' },
      )
    if (caller) assertAllowed(endpoint, caller)
  }
