import { isAscii, isUtf8 } from 'node:buffer'
import { damagedWorkbook } from '../fileErrors.ts'

// ASCII codes: XML is scanned in bytes, because decoding all of it would take most of the time.
export const space = 32
export const doubleQuote = 34
const singleQuote = 39
export const slash = 47
export const lessThan = 60
export const equalsSign = 61
export const greaterThan = 62

/**
 * A block of a part of a workbook. `consume(upTo)` says how many bytes were read: the others begin the next
 * block. After `skipRest` no further block comes, while the part is still read to its end. `text` caches what
 * blockText decodes.
 */
export type Block = { bytes: Buffer; text?: string | null; consume(upTo: number): void; skipRest(): void }

/** Divides a part into blocks. Throws HttpError 422, which names the part as `what`, when it is not UTF-8. */
export async function* readBlocks(part: AsyncIterable<Buffer>, what: string): AsyncGenerator<Block> {
  let rest: Buffer = Buffer.alloc(0)
  let isSkipped = false
  const skipRest = () => void (isSkipped = true)
  for await (const chunk of part) {
    if (isSkipped) continue
    const bytes = rest.length ? Buffer.concat([rest, chunk]) : chunk
    const consume = (upTo: number) => {
      if (!isUtf8(bytes.subarray(0, upTo))) throw damagedWorkbook(`${what} is not valid UTF-8`)
      rest = bytes.subarray(upTo)
    }
    yield { bytes, consume, skipRest }
  }
}

/**
 * The text between two byte offsets. An ASCII block is decoded as a whole the first time, because slicing a
 * string is much faster than decoding bytes.
 */
export function blockText(block: Block, from: number, to: number): string {
  const { bytes } = block
  const text =
    block.text === undefined ? (block.text = isAscii(bytes) ? bytes.toString('latin1') : null) : block.text
  return text === null ? bytes.toString('utf8', from, to) : text.slice(from, to)
}

export const hasBytesAt = (bytes: Buffer, at: number, wanted: Buffer): boolean => {
  if (at + wanted.length > bytes.length) return false
  for (let index = 0; index < wanted.length; index += 1) if (bytes[at + index] !== wanted[index]) return false
  return true
}

/** The first offset from `at` on that is not white space; the length when there is none. */
export const skipWhitespace = (bytes: Buffer, at: number): number => {
  let place = at
  while (place < bytes.length && bytes[place]! <= space) place += 1
  return place
}

/** The offset of the next '<'; the length when there is none. */
export function findTagStart(bytes: Buffer, from: number): number {
  const { length } = bytes
  let at = from
  while (at < length && bytes[at] !== lessThan) at += 1
  return at
}

/** The integer written in these bytes; -1 when they are not digits alone. */
function parseDigits(bytes: Buffer, from: number, to: number): number {
  let value = 0
  for (let at = from; at < to; at += 1) {
    const digit = bytes[at]! - 48
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  return from < to ? value : -1
}

/**
 * The tag of a row or a cell: column from 0, row from 1, style; -1 for an attribute it does not have. A cell
 * without a type is a number (ISO/IEC 29500-1, 18.3.1.4). One object is reused for a whole sheet, so that
 * cells allocate nothing.
 */
export type Tag = { empty: boolean; column: number; row: number; style: number; type: string }
export const createTag = (): Tag => ({ empty: false, column: -1, row: -1, style: -1, type: 'n' })

/**
 * Sets column and row from a reference (ISO/IEC 29500-1, 18.18.7 ST_CellRef): 'BC7' is column 54 of row 7.
 * The reference of a row is digits alone.
 */
function readReference(bytes: Buffer, from: number, to: number, tag: Tag): void {
  let column = 0
  let at = from
  for (; at < to; at += 1) {
    const letter = bytes[at]! - 64
    if (letter < 1 || letter > 26) break
    column = column * 26 + letter
  }
  tag.column = column - 1
  tag.row = parseDigits(bytes, at, to)
  if (tag.row < 1)
    throw damagedWorkbook(`${bytes.toString('utf8', from, to).slice(0, 20)} is no place in a sheet`)
}

const letterR = 114
const letterS = 115
const letterT = 116
function readAttribute(bytes: Buffer, name: number, from: number, to: number, tag: Tag): void {
  if (name === letterR) readReference(bytes, from, to, tag)
  else if (name === letterS) tag.style = parseDigits(bytes, from, to)
  else if (name === letterT)
    tag.type = to - from === 1 ? String.fromCharCode(bytes[from]!) : bytes.toString('latin1', from, to)
}

/**
 * Reads the attributes r, s and t of the tag whose name ends at `at` into `tag`. Returns the offset behind
 * the tag, or -1 when the bytes end before it does.
 */
export function readTag(bytes: Buffer, at: number, tag: Tag): number {
  const { length } = bytes
  tag.column = tag.row = tag.style = -1
  tag.type = 'n'
  let place = at
  while (place < length) {
    let byte = bytes[place]!
    if (byte <= space) {
      place += 1
      continue
    }
    if (byte === greaterThan) {
      tag.empty = false
      return place + 1
    }
    if (byte === slash) {
      if (place + 1 >= length) return -1
      if (bytes[place + 1] !== greaterThan) break
      tag.empty = true
      return place + 2
    }
    const start = place
    while (place < length && (byte = bytes[place]!) !== equalsSign && byte > space && byte !== greaterThan)
      place += 1
    const isShort = place - start === 1
    place = skipWhitespace(bytes, place)
    if (place >= length) return -1
    if (bytes[place] !== equalsSign) break
    place = skipWhitespace(bytes, place + 1)
    if (place >= length) return -1
    const quote = bytes[place]!
    if (quote !== doubleQuote && quote !== singleQuote) break
    const from = place + 1
    place = from
    while (place < length && bytes[place] !== quote) place += 1
    if (place >= length) return -1
    if (isShort) readAttribute(bytes, bytes[start]!, from, place, tag)
    place += 1
  }
  if (place >= length) return -1
  throw damagedWorkbook('a tag of a worksheet cannot be read')
}
