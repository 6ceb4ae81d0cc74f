import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, preParsingAsyncHookHandler, preValidationAsyncHookHandler } from 'fastify'
import type { Endpoint } from '../../schemas/api/endpoint.ts'
import { HttpError } from './errors.ts'

/**
 * Reads bodies of the type application/json; one without a byte counts as none. Bytes that are not UTF-8 are
 * refused, because they would be stored as replacement characters.
 */
export function useJsonBodies(app: FastifyInstance) {
  app.removeContentTypeParser('text/plain')
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (body.length === 0) return done(null, undefined)
    if (!isUtf8(body)) return done(new HttpError(400, 'The body is not valid UTF-8'))
    const text = new TextDecoder().decode(body)
    void parse(request, text, (error, value) => done(error && new HttpError(400, jsonFault(text)), value))
  })
}

/**
 * The message for a body that the parser refuses. It has the position of the error where the error of
 * `JSON.parse` does, which is not the case for every error.
 */
function jsonFault(text: string): string {
  try {
    JSON.parse(text)
    return 'The body may have no field __proto__ or constructor.prototype'
  } catch (error) {
    const { message } = error as Error
    if (/unexpected end|unterminated/i.test(message)) return 'The body is not valid JSON: it ends too early'
    const position = /at position (\d+)/.exec(message)?.[1]
    return `The body is not valid JSON${position ? ` at character ${Number(position) + 1}` : ''}`
  }
}

/** Refuses a form where JSON is wanted: it has a parser of its own, which leaves the body empty. */
export const refusesForms =
  ({ upload }: Endpoint): preValidationAsyncHookHandler =>
  async (request) => {
    if (!upload && request.isMultipart()) throw new HttpError(415, 'The body must be JSON')
  }

/**
 * Refuses a body that is compressed, before it is read: its bytes would be taken for the JSON or the file
 * itself.
 */
export const refusesEncodings =
  ({ route }: Endpoint): preParsingAsyncHookHandler =>
  async ({ headers }, reply, payload) => {
    const encoding = headers['content-encoding'] ?? ''
    if (route.startsWith('GET') || ['', 'identity'].includes(encoding.trim().toLowerCase())) return payload
    reply.header('accept-encoding', 'identity')
    throw new HttpError(415, 'A compressed body is not read: send it without the header Content-Encoding')
  }
