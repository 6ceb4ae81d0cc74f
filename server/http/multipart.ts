import type { FastifyRequest } from 'fastify'
import { HttpError } from './errors.ts'

/**
 * The parts of a multipart body. Throws an HttpError (400) when the connection has been closed: `parts` waits
 * for its end alone, which does not come a second time, and would never settle.
 */
export function partsOf(request: FastifyRequest, options?: Parameters<FastifyRequest['parts']>[0]) {
  if (request.raw.destroyed) throw new HttpError(400, 'The upload was cut off')
  return request.parts(options)
}
