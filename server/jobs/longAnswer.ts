import type { FastifyReply } from 'fastify'
import type { Download, Downloads } from './downloads.ts'

/** Characters up to which an answer is kept in memory: writing a file costs more than sending them. */
export const mostInMemory = 1_000_000

/**
 * Reads a JSON text in chunks: into memory if it is short, else into a file like a download (operations 15).
 * Resolves after the last chunk, so that the source, such as a connection, is free before the answer is sent.
 * Throws what `Downloads.write` throws.
 */
export async function writeAnswer(
  downloads: Pick<Downloads, 'write'>,
  user: string,
  chunks: AsyncGenerator<string>,
  signal: AbortSignal,
): Promise<string | Download> {
  const first: string[] = []
  let size = 0
  while (size <= mostInMemory) {
    const next = await chunks.next()
    if (next.done) return first.join('')
    first.push(next.value)
    size += next.value.length
  }
  const all = async function* () {
    yield* first
    yield* chunks
  }
  return downloads.write(user, all(), signal)
}

/** Sends what `writeAnswer` has read. */
export async function sendAnswer(
  downloads: Pick<Downloads, 'send'>,
  reply: FastifyReply,
  answer: string | Download,
): Promise<FastifyReply> {
  reply.header('content-type', 'application/json; charset=utf-8')
  if (typeof answer === 'string') return reply.send(answer)
  await downloads.send(reply, answer)
  return reply
}
