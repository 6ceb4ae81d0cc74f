import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify'
import type { Config } from '../config/config.ts'
import { HttpError } from './errors.ts'

const sentences = {
  address: 'The address is not well-formed',
  longPart: 'A part of the address is too long',
  request: 'The request is not well-formed HTTP',
  largeHeaders: 'The headers of the request are too large',
  slow: 'The request took too long to arrive',
  host: 'The request names no host',
  expect: 'The header Expect may only be 100-continue',
  connect: 'The portal is no proxy: there is no CONNECT',
}
/** The answer to a request that comes too slowly (operations 24). */
export const slowAnswer = [408, sentences.slow] as const

const bySocketError: Record<string, readonly [status: number, sentence: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: slowAnswer,
  HPE_HEADER_OVERFLOW: [431, sentences.largeHeaders],
}

/** The headers of answers that no route gives (errors 1). */
const bareHeaders = (config: Config) => ({
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  ...(config.publicUrl?.startsWith('https:') && {
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
  }),
})

/** Milliseconds in which an answer is read before its connection is cut off. */
const lingerMillis = 1_000

/**
 * Writes an answer to a connection on which no route answers, and ends it, also when its client goes on
 * sending.
 */
export type AnswerOnSocket = (socket: Duplex, status: number, sentence: string) => void
export const createAnswerOnSocket =
  (config: Config): AnswerOnSocket =>
  (socket, status, sentence) => {
    const body = JSON.stringify({ error: sentence, requestId: randomUUID() })
    const lines = Object.entries({
      ...bareHeaders(config),
      connection: 'close',
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
    setTimeout(() => socket.destroy(), lingerMillis).unref()
  }

/**
 * Answers requests that Node itself would answer without a body (one without a Host header, one with another
 * Expect than 100-continue) or not at all (CONNECT). Node refuses a request without a Host header before any
 * hook runs unless the server is created with requireHostHeader: false.
 */
export function answerBareRequests(app: FastifyInstance, answer: AnswerOnSocket) {
  app.server.on('checkExpectation', ({ socket }) => answer(socket, 417, sentences.expect))
  app.server.on('connect', (_, socket) => answer(socket, 405, sentences.connect))
  app.addHook('onRequest', async ({ raw, headers }, reply) => {
    if (headers.host !== undefined || raw.httpVersion === '1.0') return
    reply.header('connection', 'close')
    throw new HttpError(400, sentences.host)
  })
}

/**
 * Throws an HttpError (400) where the query holds a % that begins no character: the framework would take it
 * as it stands and search for it.
 */
export function assertReadableQuery(url: string) {
  const query = url.indexOf('?')
  if (query < 0) return
  try {
    decodeURIComponent(url.slice(query))
  } catch {
    throw new HttpError(400, sentences.address)
  }
}

/**
 * Answers requests that never come to a route, with the same body and headers as any other error (errors 1):
 * an address that cannot be decoded, and bytes that are no HTTP.
 */
export function malformedRequests(
  config: Config,
): Pick<Required<FastifyServerOptions>, 'frameworkErrors' | 'clientErrorHandler'> {
  const answer = createAnswerOnSocket(config)
  return {
    frameworkErrors(error: { code: string }, request: FastifyRequest, reply: FastifyReply) {
      const isLong = error.code === 'FST_ERR_MAX_PARAM_LENGTH'
      void reply
        .code(isLong ? 414 : 400)
        .headers(bareHeaders(config))
        .send({ error: isLong ? sentences.longPart : sentences.address, requestId: request.id })
    },
    clientErrorHandler(error: NodeJS.ErrnoException, socket) {
      if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
      answer(socket, ...(bySocketError[error.code ?? ''] ?? ([400, sentences.request] as const)))
    },
  }
}
