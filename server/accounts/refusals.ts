import type { onErrorAsyncHookHandler } from 'fastify'
import type { Endpoint } from '../../schemas/api/endpoint.ts'
import { reasonOf } from '../../schemas/permissions.ts'
import type { Db } from '../db/db.ts'
import { auditRepeated } from '../db/repeatedAudit.ts'
import { addressOf } from '../http/address.ts'
import type { Caller } from '../http/call.ts'
import { HttpError } from '../http/errors.ts'
import { findUserByName } from './users.ts'

/**
 * Writes a failed sign-in to the audit (permissions 11). Of the name that was typed only that of an existing
 * user is stored: people type passwords into the wrong field. Both cases run the same statements.
 */
export async function auditFailedSignIn(db: Db, typed: string, address: string, error: HttpError) {
  const user = await findUserByName(db, typed)
  await auditRepeated(db, {
    username: user?.username ?? '',
    address,
    action: 'failedlogin',
    entity: 'user',
    entityid: user?.id ?? '',
    after: { reason: error.message },
  })
}

/**
 * Writes every call that is refused for a missing right to the audit, before it is answered: who, which
 * call, and what right is missing (permissions 11). An audit that cannot be written does not change the
 * answer.
 */
export const auditRefusals =
  (db: Db): onErrorAsyncHookHandler =>
  async (request, _reply, error: Error) => {
    const { caller } = request as { caller?: Caller }
    if (!caller || !(error instanceof HttpError) || error.status !== 403 || error.extra['code'] === 'xsrf')
      return
    const { endpoint } = request.routeOptions.config as { endpoint?: Endpoint }
    const rule = endpoint?.allow
    const missing = typeof rule === 'function' && !rule(caller) ? reasonOf(rule, caller) : error.message
    await auditRepeated(db, {
      username: caller.username,
      address: addressOf(request),
      action: 'denied',
      entity: 'call',
      entityid: endpoint?.route ?? request.method,
      after: { path: request.url.split('?')[0], missing },
    }).catch((reason: Error) => request.log.warn({ reason: reason.message }, 'refusal not in the audit'))
  }
