import { once } from 'node:events'
import { crc32, createDeflateRaw } from 'node:zlib'

/** One file of an archive; its text is asked for when its turn comes. */
export type Part = { name: string; text: AsyncIterable<string> | Iterable<string> }

/** 1 January 1980, the first day an archive can name: the same content is the same bytes. */
const date = 0x0021
/** Sizes follow the data; names are UTF-8. */
const flags = 0x0808
const most = 0xffffffff

const fields = (bytes: number, values: readonly (readonly [at: number, value: number, size: 2 | 4])[]) => {
  const record = Buffer.alloc(bytes)
  for (const [at, value, size] of values) record.writeUIntLE(value, at, size)
  return record
}

/** A ZIP archive, streamed: as much is read as is taken. Throws when a part or the whole is larger than 4 GB. */
export async function* archive(parts: AsyncIterable<Part> | Iterable<Part>): AsyncGenerator<Buffer> {
  const directory: Buffer[] = []
  let at = 0
  for await (const { name, text } of parts) {
    const path = Buffer.from(name)
    const start = at
    const header = fields(30, [
      [0, 0x04034b50, 4],
      [4, 20, 2],
      [6, flags, 2],
      [8, 8, 2],
      [12, date, 2],
      [26, path.length, 2],
    ])
    yield Buffer.concat([header, path])
    const sums = { crc: 0, size: 0, packed: 0 }
    for await (const chunk of deflated(text, sums)) yield chunk
    at += 30 + path.length + sums.packed + 16
    if (sums.size > most || at > most) throw new Error('The workbook would be larger than 4 GB')
    yield fields(16, [
      [0, 0x08074b50, 4],
      [4, sums.crc, 4],
      [8, sums.packed, 4],
      [12, sums.size, 4],
    ])
    const entry = fields(46, [
      [0, 0x02014b50, 4],
      [4, 20, 2],
      [6, 20, 2],
      [8, flags, 2],
      [10, 8, 2],
      [14, date, 2],
      [16, sums.crc, 4],
      [20, sums.packed, 4],
      [24, sums.size, 4],
      [28, path.length, 2],
      [42, start, 4],
    ])
    directory.push(entry, path)
  }
  const listing = Buffer.concat(directory)
  const files = directory.length / 2
  const end = fields(22, [
    [0, 0x06054b50, 4],
    [8, files, 2],
    [10, files, 2],
    [12, listing.length, 4],
    [16, at, 4],
  ])
  yield Buffer.concat([listing, end])
}

async function* deflated(
  text: Part['text'],
  sums: { crc: number; size: number; packed: number },
): AsyncGenerator<Buffer> {
  const deflate = createDeflateRaw({ level: 3 })
  const feed = async () => {
    for await (const piece of text) {
      const bytes = Buffer.from(piece)
      sums.crc = crc32(bytes, sums.crc)
      sums.size += bytes.length
      if (!deflate.write(bytes)) await once(deflate, 'drain')
    }
    deflate.end()
  }
  const feeding = feed().catch((error: Error) => void deflate.destroy(error))
  try {
    for await (const chunk of deflate as AsyncIterable<Buffer>) {
      sums.packed += chunk.length
      yield chunk
    }
    await feeding
  } finally {
    deflate.destroy()
  }
}
