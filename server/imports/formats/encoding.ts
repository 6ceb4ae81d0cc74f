import { isAscii, isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { ImportLimits } from '../../config/importLimits.ts'
import { HttpError } from '../../http/errors.ts'

/** How many bytes at the end begin a character that is not complete yet. */
const countIncompleteBytes = (bytes: Buffer): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0
  }
  return 0
}

/** Text of a stream of UTF-8; `wrong` makes the error for bytes that are none. */
export async function* decodeUtf8(chunks: AsyncIterable<Buffer>, wrong: () => Error): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = rest.length ? Buffer.concat([rest, chunk]) : chunk
    const cut = bytes.length - countIncompleteBytes(bytes)
    const whole = bytes.subarray(0, cut)
    if (!isUtf8(whole)) throw wrong()
    rest = bytes.subarray(cut)
    if (whole.length) yield whole.toString('utf8')
  }
  if (rest.length) throw wrong()
}

const invalidFile = (sentence: string) => new HttpError(422, sentence)
const byteOrderMark = Buffer.from('\ufeff')
export const readChunks = (path: string) =>
  createReadStream(path, { highWaterMark: 131_072 }) as AsyncIterable<Buffer>

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** UTF-16 without a mark: nearly every other byte of an English table is zero. */
const hasAlternateZeros = (head: Buffer, offset: 0 | 1) => {
  const pairs = Math.floor(head.length / 2)
  let zeros = 0
  for (let index = 0; index < pairs; index += 1) if (head[index * 2 + offset] === 0) zeros += 1
  return pairs > 1 && zeros > pairs * 0.7
}

const countLines = (bytes: Buffer): number => {
  let lines = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines += 1
  return lines
}

/** Notes whether whole lines hold letters written in UTF-8, and the first line that is none; `first` is the number of the first of them. */
function inspectLines(bytes: Buffer, first: number, found: { utf8: boolean; broken: number }): void {
  if (isAscii(bytes)) return
  if (isUtf8(bytes)) {
    found.utf8 = true
    return
  }
  let line = first
  for (let from = 0; from < bytes.length; line += 1) {
    const end = bytes.indexOf(10, from) + 1 || bytes.length
    const one = bytes.subarray(from, end)
    if (!isUtf8(one)) found.broken ||= line
    else if (!isAscii(one)) found.utf8 = true
    from = end
  }
}

/**
 * A mark decides; then bytes that are valid UTF-8 to the last are UTF-8, and what never is, is Windows-1252. A file that is
 * both was put together or damaged: its letters would come out wrong either way.
 */
export async function detectEncoding(path: string, limits: ImportLimits): Promise<Encoding> {
  const file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0).finally(() => file.close())
  const head = buffer.subarray(0, bytesRead)
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  if (hasAlternateZeros(head, 1)) return 'utf-16le'
  if (hasAlternateZeros(head, 0)) return 'utf-16be'
  let line = 1
  const found = { utf8: false, broken: 0 }
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of readChunks(path)) {
    const zero = chunk.indexOf(0)
    if (zero >= 0)
      throw invalidFile(
        `Line ${line + countLines(chunk.subarray(0, zero))} holds a NUL byte: the file is no text file`,
      )
    const bytes = rest.length ? Buffer.concat([rest, chunk]) : chunk
    // A character may be cut by the end of the chunk: look only as far as the last line end.
    const cut = Math.max(bytes.lastIndexOf(10), bytes.lastIndexOf(13)) + 1
    inspectLines(bytes.subarray(0, cut), line, found)
    line += countLines(chunk)
    rest = bytes.subarray(cut)
    if (rest.length > 4 * limits.rowCharacters) throw invalidFile(`Row ${line} is too long to be read`)
  }
  inspectLines(rest, line, found)
  if (found.broken === 0) return 'utf-8'
  if (found.utf8 || head.indexOf(byteOrderMark) === 0)
    throw invalidFile(`Line ${found.broken} is not valid UTF-8, although other lines are`)
  return 'windows-1252'
}
