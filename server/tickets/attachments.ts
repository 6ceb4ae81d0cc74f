import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { Attachment } from '../../schemas/api/tickets.ts'
import type { Db, Sql } from '../db/db.ts'
import type { ByteRange } from '../http/fileResponse.ts'
import type { ReceivedFile } from './receive.ts'

/** Bytes of one stored part, a row of ticket_attachment_part. */
const partSize = 1024 * 1024

/** Stores a received file part by part. */
export async function storeAttachment(
  sql: Sql,
  ticketid: number,
  { name, mimetype, size, path }: ReceivedFile,
): Promise<void> {
  const [made] = await sql.query<{ id: number }>(
    'insert into ticket_attachment (ticketid, name, mimetype, size) values ($1, $2, $3, $4) returning id',
    [ticketid, name, mimetype, size],
  )
  const file = await open(path)
  try {
    const part = Buffer.alloc(partSize)
    for (let n = 0; n * partSize < size; n++) {
      const { bytesRead } = await file.read(part, 0, partSize, n * partSize)
      await sql.query('insert into ticket_attachment_part (attachmentid, n, content) values ($1, $2, $3)', [
        made!.id,
        n,
        part.subarray(0, bytesRead),
      ])
    }
  } finally {
    await file.close()
  }
}

export const attachmentsOf = (sql: Sql, ticketid: number) =>
  sql.query<Attachment>(
    'select id, name, mimetype, size from ticket_attachment where ticketid = $1 order by id',
    [ticketid],
  )

/** Streams the bytes of a stored attachment, one part in memory at a time; `range` null for all of them. */
export function readAttachment(db: Db, { id, size }: Attachment, range: ByteRange | null): Readable {
  const { start, end } = range ?? { start: 0, end: size - 1 }
  async function* parts() {
    for (let n = Math.floor(start / partSize); n * partSize <= end; n++) {
      const [part] = await db.query<{ content: Buffer }>(
        'select content from ticket_attachment_part where attachmentid = $1 and n = $2',
        [id, n],
      )
      if (!part) throw new Error('The attachment was deleted while it was sent')
      yield part.content.subarray(Math.max(0, start - n * partSize), end + 1 - n * partSize)
    }
  }
  return Readable.from(parts(), { objectMode: false })
}
