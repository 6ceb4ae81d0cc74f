import { create } from 'content-disposition'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { HttpError } from './errors.ts'

/**
 * The one span of bytes that a Range header asks for; null for the whole: no header, one that is malformed, of another
 * unit or of several spans (RFC 9110 lets us). 'beyond' when the file has no such bytes.
 */
function parseRange(header: string | undefined, size: number): ByteRange | null | 'beyond' {
  const [, first = '', last = ''] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? '') ?? []
  if (first === '' && last === '') return null
  if (first === '')
    return Number(last) === 0 || size === 0
      ? 'beyond'
      : { start: Math.max(0, size - Number(last)), end: size - 1 }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return null
  return start < size ? { start, end } : 'beyond'
}

type DownloadInfo = { name: string; mimeType: string; size: number | null; etag: string }

/** The span of a file that is asked for, null for all of it. Throws 416 when there are no such bytes. */
export function requestedRange(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { size, etag }: DownloadInfo,
): ByteRange | null {
  const basedOn = headers['if-range']
  if (size === null || (basedOn !== undefined && basedOn !== etag)) return null
  const span = parseRange(headers.range, size)
  if (span !== 'beyond') return span
  reply.header('content-range', `bytes */${size}`)
  throw new HttpError(
    416,
    `The file has ${size.toLocaleString('en-US')} bytes: there is nothing in this range`,
  )
}

/** Sets the headers of a file that somebody else may have made: saved under its name, never shown, never run. */
export function setDownloadHeaders(
  reply: FastifyReply,
  { name, mimeType, size, etag }: DownloadInfo,
  span: ByteRange | null,
) {
  reply
    .header('content-type', mimeType)
    .header('content-disposition', create(name))
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('etag', etag)
    .header('accept-ranges', size === null ? 'none' : 'bytes')
  if (size !== null) reply.header('content-length', span ? span.end - span.start + 1 : size)
  if (span) reply.code(206).header('content-range', `bytes ${span.start}-${span.end}/${size}`)
}

/** Aborts when the browser goes away before its answer. */
export function abortOnDisconnect(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort(new HttpError(400, 'The download was cancelled'))
  })
  return gone.signal
}

/** Bytes from `start` to `end`, both included. */
export type ByteRange = { start: number; end: number }
