import { isAscii, isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { ImportLimits } from '../../config/importLimits.ts'
import { invalidFile } from './fileErrors.ts'

/** The number of bytes at the end that begin a UTF-8 character without completing it. */
const countIncompleteBytes = (bytes: Buffer): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0
  }
  return 0
}

/** Decodes a stream of UTF-8. Throws the error that `invalid` creates for bytes that are not UTF-8. */
export async function* decodeUtf8(
  chunks: AsyncIterable<Buffer>,
  invalid: () => Error,
): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = rest.length ? Buffer.concat([rest, chunk]) : chunk
    const end = bytes.length - countIncompleteBytes(bytes)
    const complete = bytes.subarray(0, end)
    if (!isUtf8(complete)) throw invalid()
    rest = bytes.subarray(end)
    if (complete.length) yield complete.toString('utf8')
  }
  if (rest.length) throw invalid()
}

const byteOrderMark = Buffer.from('\ufeff')
export const readChunks = (path: string) =>
  createReadStream(path, { highWaterMark: 131_072 }) as AsyncIterable<Buffer>

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** UTF-16 without a byte order mark: nearly every other byte of an English table is zero. */
const hasAlternateZeros = (head: Buffer, offset: 0 | 1) => {
  const pairs = Math.floor(head.length / 2)
  let zeros = 0
  for (let index = 0; index < pairs; index += 1) if (head[index * 2 + offset] === 0) zeros += 1
  return pairs > 1 && zeros > pairs * 0.7
}

const lineFeed = 10
const carriageReturn = 13
/** The byte that ends the lines of a file: CR where its beginning has no LF. */
const lineEndOf = (first: Buffer) =>
  !first.includes(lineFeed) && first.includes(carriageReturn) ? carriageReturn : lineFeed

const countLines = (bytes: Buffer, lineEnd: number): number => {
  let lines = 0
  for (let at = bytes.indexOf(lineEnd); at >= 0; at = bytes.indexOf(lineEnd, at + 1)) lines += 1
  return lines
}

/** Bytes that Windows-1252 leaves without a character; a decoder turns them into control characters. */
const unassignedBytes = [0x81, 0x8d, 0x8f, 0x90, 0x9d]
const hasUnassignedBytes = (text: Buffer) => unassignedBytes.some((byte) => text.includes(byte))

/**
 * Inspects complete lines, of which the first has the number `firstLine`: sets `found.utf8` when one holds
 * non-ASCII characters in UTF-8, `found.invalidLine` to the first line that is not UTF-8, and
 * `found.unknownLine` to the first that is not Windows-1252 either, unless one was found before.
 */
function inspectLines(
  bytes: Buffer,
  firstLine: number,
  lineEnd: number,
  found: { utf8: boolean; invalidLine: number; unknownLine: number },
): void {
  if (isAscii(bytes)) return
  if (isUtf8(bytes)) {
    found.utf8 = true
    return
  }
  let line = firstLine
  for (let from = 0; from < bytes.length; line += 1) {
    const end = bytes.indexOf(lineEnd, from) + 1 || bytes.length
    const text = bytes.subarray(from, end)
    if (!isUtf8(text)) {
      found.invalidLine ||= line
      if (hasUnassignedBytes(text)) found.unknownLine ||= line
    } else if (!isAscii(text)) found.utf8 = true
    from = end
  }
}

/**
 * The encoding of a text file (imports 5): by its byte order mark; else UTF-16 by its zero bytes; else UTF-8
 * if all bytes are valid UTF-8; else Windows-1252. Throws HttpError 422 with the line for a NUL byte, for a
 * file that is UTF-8 in some lines and not in others, and for bytes that are neither encoding.
 */
export async function detectEncoding(path: string, limits: ImportLimits): Promise<Encoding> {
  const file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0).finally(() => file.close())
  const head = buffer.subarray(0, bytesRead)
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  if (hasAlternateZeros(head, 1)) return 'utf-16le'
  if (hasAlternateZeros(head, 0)) return 'utf-16be'
  let lineEnd = 0
  let line = 1
  const found = { utf8: false, invalidLine: 0, unknownLine: 0 }
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of readChunks(path)) {
    lineEnd ||= lineEndOf(chunk)
    const zero = chunk.indexOf(0)
    if (zero >= 0) {
      const at = line + countLines(chunk.subarray(0, zero), lineEnd)
      throw invalidFile(`Line ${at} holds a NUL byte: the file is no text file`)
    }
    const bytes = rest.length ? Buffer.concat([rest, chunk]) : chunk
    // The end of the chunk may lie within a character, so only complete lines are inspected.
    const end = bytes.lastIndexOf(lineEnd) + 1
    inspectLines(bytes.subarray(0, end), line, lineEnd, found)
    line += countLines(chunk, lineEnd)
    rest = bytes.subarray(end)
    if (rest.length > 4 * limits.rowCharacters) throw invalidFile(`Row ${line} is too long to be read`)
  }
  inspectLines(rest, line, lineEnd, found)
  if (found.invalidLine === 0) return 'utf-8'
  if (found.utf8 || head.indexOf(byteOrderMark) === 0)
    throw invalidFile(`Line ${found.invalidLine} is not valid UTF-8, although other lines are`)
  if (found.unknownLine)
    throw invalidFile(
      `Line ${found.unknownLine} is neither UTF-8 nor Windows-1252. Please save the file as CSV UTF-8`,
    )
  return 'windows-1252'
}
