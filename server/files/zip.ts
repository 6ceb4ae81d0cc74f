import { once } from 'node:events'
import { crc32, createDeflateRaw } from 'node:zlib'

/** One file of an archive; its text is read when the entry is written. */
export type ZipEntry = { name: string; text: AsyncIterable<string> | Iterable<string> }

/** 1 January 1980, the first day ZIP knows: a fixed date makes equal content equal bytes. */
const date = 0x0021
/** General purpose bits: sizes follow the data, names are UTF-8. */
const flags = 0x0808
/** Without the ZIP64 extension sizes and offsets have 32 bits. */
const maxSize = 0xffffffff

const binaryRecord = (
  bytes: number,
  values: readonly (readonly [at: number, value: number, size: 2 | 4])[],
) => {
  const record = Buffer.alloc(bytes)
  for (const [at, value, size] of values) record.writeUIntLE(value, at, size)
  return record
}

/** Yields a ZIP archive as it is consumed. Throws when an entry or the archive is larger than 4 GB. */
export async function* zipStream(
  parts: AsyncIterable<ZipEntry> | Iterable<ZipEntry>,
): AsyncGenerator<Buffer> {
  const directory: Buffer[] = []
  let at = 0
  for await (const { name, text } of parts) {
    const path = Buffer.from(name)
    const start = at
    const header = binaryRecord(30, [
      [0, 0x04034b50, 4],
      [4, 20, 2],
      [6, flags, 2],
      [8, 8, 2],
      [12, date, 2],
      [26, path.length, 2],
    ])
    yield Buffer.concat([header, path])
    const sums = { crc: 0, size: 0, packed: 0 }
    for await (const chunk of deflateText(text, sums)) yield chunk
    at += 30 + path.length + sums.packed + 16
    if (sums.size > maxSize || at > maxSize) throw new Error('The workbook would be larger than 4 GB')
    yield binaryRecord(16, [
      [0, 0x08074b50, 4],
      [4, sums.crc, 4],
      [8, sums.packed, 4],
      [12, sums.size, 4],
    ])
    const entry = binaryRecord(46, [
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
  const end = binaryRecord(22, [
    [0, 0x06054b50, 4],
    [8, files, 2],
    [10, files, 2],
    [12, listing.length, 4],
    [16, at, 4],
  ])
  yield Buffer.concat([listing, end])
}

async function* deflateText(
  text: ZipEntry['text'],
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
