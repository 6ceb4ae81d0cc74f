import { create } from 'content-disposition'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { HttpError } from './errors.ts'

/** Bytes from `start` to `end`, both included. */
export type ByteRange = { start: number; end: number }

/**
 * The one range of bytes that a Range header asks for. Null for the whole file: no header, or one that is
 * malformed, of another unit or of several ranges, which RFC 9110 permits to ignore. 'unsatisfiable' when the
 * file has no such bytes.
 */
function parseRange(header: string | undefined, size: number): ByteRange | null | 'unsatisfiable' {
  const [, first = '', last = ''] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? '') ?? []
  if (first === '' && last === '') return null
  if (first === '')
    return Number(last) === 0 || size === 0
      ? 'unsatisfiable'
      : { start: Math.max(0, size - Number(last)), end: size - 1 }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return null
  return start < size ? { start, end } : 'unsatisfiable'
}

/** `size` in bytes; null when it is known only after the last one. */
type DownloadInfo = { name: string; mimeType: string; size: number | null; etag: string }

/**
 * The range of a file that a call asks for; null for all of it. Throws an HttpError (416) for one beyond its
 * end.
 */
export function requestedRange(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { size, etag }: DownloadInfo,
): ByteRange | null {
  const ifRange = headers['if-range']
  if (size === null || (ifRange !== undefined && ifRange !== etag)) return null
  const range = parseRange(headers.range, size)
  if (range !== 'unsatisfiable') return range
  reply.header('content-range', `bytes */${size}`)
  throw new HttpError(
    416,
    `The file has ${size.toLocaleString('en-US')} bytes: there is nothing in this range`,
  )
}

/**
 * Sets the headers of a file that anybody may have made: saved under its name, never shown or run (drive 4).
 */
export function setDownloadHeaders(
  reply: FastifyReply,
  { name, mimeType, size, etag }: DownloadInfo,
  range: ByteRange | null,
) {
  reply
    .header('content-type', mimeType)
    .header('content-disposition', create(name))
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'; sandbox")
    .header('etag', etag)
    .header('accept-ranges', size === null ? 'none' : 'bytes')
  if (size !== null) reply.header('content-length', range ? range.end - range.start + 1 : size)
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`)
}

/**
 * Aborts with a 400 that says `reason` when the connection closes before the answer is done, or has closed.
 * It is done when its handler has ended it, unless `isDone` says otherwise.
 */
export function abortOnDisconnect(
  reply: FastifyReply,
  reason: string,
  isDone: () => boolean = () => reply.raw.writableEnded,
): AbortSignal {
  const controller = new AbortController()
  const end = () => {
    if (!isDone()) controller.abort(new HttpError(400, reason))
  }
  reply.raw.once('close', end)
  if (reply.raw.destroyed) end()
  return controller.signal
}

/**
 * Lets a connection be silent while `work` runs: it may wait long for its turn. Whether the other end is
 * still there is asked by the system meanwhile.
 */
export async function withoutSocketTimeout<T>(
  { raw: { socket } }: FastifyReply,
  work: () => Promise<T>,
): Promise<T> {
  const limit = socket?.timeout
  if (!socket || limit === undefined) return work()
  socket.setKeepAlive(true, 60_000).setTimeout(0)
  try {
    return await work()
  } finally {
    socket.setTimeout(limit)
  }
}

/** Answers a short ASCII text as a download under this name. */
export const sendTextFile = (reply: FastifyReply, { text, filename }: { text: string; filename: string }) =>
  reply
    .header('content-type', 'text/plain; charset=us-ascii')
    .header('content-disposition', create(filename))
    .send(text)
