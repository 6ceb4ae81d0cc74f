import { Readable } from 'node:stream'
import type { Endpoint } from '../../schemas/api/endpoint.ts'
import type { Db } from '../db/db.ts'
import { auditRepeated } from '../db/repeatedAudit.ts'
import type { Call, Handler } from '../http/call.ts'

type DownloadCall = Call<{ id?: string }, { id?: number }>

/**
 * Wraps the handler of a call so that each file it sends is in the audit before the first byte (permissions
 * 11). Returns the handler unchanged if the endpoint has no `auditedAs`.
 */
export const auditDownloads = (db: Db, { auditedAs }: Endpoint, handler: Handler): Handler =>
  auditedAs === undefined
    ? handler
    : async (call) => {
        const answer = await handler(call)
        if (!(answer instanceof Readable || Buffer.isBuffer(answer))) return answer
        const { caller, address, params, query } = call as DownloadCall
        await auditRepeated(db, {
          username: caller.username,
          address,
          action: 'export',
          entity: auditedAs,
          entityid: query.id ?? params.id ?? '',
        }).catch((error: Error) => {
          if (answer instanceof Readable) answer.destroy()
          throw error
        })
        return answer
      }
