import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { slowAnswer, type AnswerOnSocket } from './malformedRequests.ts'

/** How long a client may take to send a request (operations 24). All but the rate are milliseconds. */
export const clientTimes = {
  /** For the first line and the headers. */
  head: 30_000,
  /** Without a byte in either direction. */
  silence: 120_000,
  /** Every body may take so long; a larger one must come at the rate from then on. */
  body: 120_000,
  bytesPerSecond: 10_000,
  /** Between two checks of what has come. */
  checkInterval: 5_000,
}
export type ClientTimes = typeof clientTimes

/** Whether a body of which so many bytes came in so many milliseconds has come too slowly. */
export const isTooSlow = (bytes: number, millis: number, { body, bytesPerSecond }: ClientTimes): boolean =>
  millis >= body && bytes < (bytesPerSecond * millis) / 1000

/**
 * Answers 408 to requests whose head or body comes too slowly, and ends their connection. An upload takes as
 * long as it needs while it keeps coming: Node's own limit of a whole request would end it (errors 8).
 */
export function endSlowClients(app: FastifyInstance, times: ClientTimes, answer: AnswerOnSocket): void {
  app.server.headersTimeout = times.head
  const receiving = new Map<IncomingMessage, { response: ServerResponse; since: number; before: number }>()
  const endSlow = () => {
    for (const [request, { response, since, before }] of receiving) {
      const { complete, socket } = request
      const isSlow = isTooSlow(socket.bytesRead - before, Date.now() - since, times)
      if (!complete && !isSlow) continue
      receiving.delete(request)
      if (complete) continue
      if (response.headersSent) socket.destroy()
      else answer(socket, ...slowAnswer)
    }
  }
  const timer = setInterval(endSlow, times.checkInterval)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
  app.addHook('onRequest', async ({ raw, headers }, { raw: response }) => {
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return
    // A request that comes over no connection is all there, and is never closed.
    if (raw.complete !== false) return
    receiving.set(raw, { response, since: Date.now(), before: raw.socket.bytesRead })
    raw.once('close', () => receiving.delete(raw))
    // Browsers read an answer only once they have sent all of the body. Node reads on by itself where nothing
    // of the body was read, but not where a reader stopped in its middle.
    response.once('finish', () => {
      if (!raw.complete) raw.unpipe().resume()
    })
  })
}
