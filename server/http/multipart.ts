import type { Multipart } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { HttpError } from './errors.ts'

/**
 * Whether the body of an upload is at fault, and not the portal. The errors of busboy have no code; that of a
 * boundary which is too long speaks of a needle.
 */
export const isUploadFault = ({ code = '', message }: { code?: string; message: string }): boolean =>
  code.startsWith('FST_') ||
  /boundary not found|part header|needle/i.test(message) ||
  isCutOff({ code, message })

/** Whether the upload ended before its last boundary. */
export const isCutOff = ({ code, message }: { code?: string; message: string }): boolean =>
  code === 'ERR_STREAM_PREMATURE_CLOSE' || /end of (multipart|form)|premature|aborted/i.test(message)

const partLimits = ['FST_FIELDS_LIMIT', 'FST_PARTS_LIMIT']

/** The answer to an error of reading an upload: an HttpError where the body is at fault, else the error. */
export function describeBodyFault(error: unknown): unknown {
  if (error instanceof HttpError) return error
  const fault = error as Error & { code?: string }
  if (isCutOff(fault)) return new HttpError(400, 'The upload was cut off')
  if (partLimits.includes(fault.code ?? ''))
    return new HttpError(400, 'The upload has more fields than this call takes')
  return isUploadFault(fault) ? new HttpError(400, 'The upload could not be read') : error
}

/** What is said of the first field that a form gives twice, by its name; null where none is. */
export function repeatedField(names: readonly string[]): Record<string, string> | null {
  const name = names.find((it, index) => names.indexOf(it) < index)
  return name === undefined ? null : { [name]: `${name} is given more than once` }
}

/**
 * The parts of a multipart body, with the names that their files have for the sender. Throws an HttpError
 * (400) when the connection has been closed: `parts` waits for its end alone, which does not come a second
 * time, and would never settle.
 */
export async function* partsOf(
  request: FastifyRequest,
  options?: Parameters<FastifyRequest['parts']>[0],
): AsyncGenerator<Multipart> {
  if (request.raw.destroyed) throw new HttpError(400, 'The upload was cut off')
  for await (const part of request.parts(options)) {
    // Browsers write a quote in the name of a file so.
    if (part.type === 'file' && part.filename) part.filename = part.filename.replaceAll('%22', '"')
    yield part
  }
}
