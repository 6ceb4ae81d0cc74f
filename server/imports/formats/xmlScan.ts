import { isAscii, isUtf8 } from 'node:buffer'
import { HttpError } from '../../http/errors.ts'

/** What a workbook that breaks its own rules is answered with. */
export const damagedWorkbook = (how: string) => new HttpError(422, `The workbook is damaged: ${how}`)

/**
 * A stretch of a part. `done` takes how far it was read, what is left begins the next block; after `end` the rest of
 * the part is passed over.
 */
export type Block = { bytes: Buffer; text?: string | null; consume(upTo: number): void; skipRest(): void }

/** A part in blocks; `what` it is, for the Refusal when it is no UTF-8. */
export async function* readBlocks(part: AsyncIterable<Buffer>, what: string): AsyncGenerator<Block> {
  let rest: Buffer = Buffer.alloc(0)
  let over = false
  const end = () => void (over = true)
  for await (const chunk of part) {
    if (over) continue
    const bytes = rest.length ? Buffer.concat([rest, chunk]) : chunk
    const done = (upTo: number) => {
      if (!isUtf8(bytes.subarray(0, upTo))) throw damagedWorkbook(`${what} is not valid UTF-8`)
      rest = bytes.subarray(upTo)
    }
    yield { bytes, consume: done, skipRest: end }
  }
}

/** The text between two places. All of an ASCII block is decoded the first time, for cutting a text is much faster than decoding bytes. */
export function blockText(block: Block, from: number, to: number): string {
  const { bytes } = block
  const text =
    block.text === undefined ? (block.text = isAscii(bytes) ? bytes.toString('latin1') : null) : block.text
  return text === null ? bytes.toString('utf8', from, to) : text.slice(from, to)
}

/** Do these bytes stand here? */
export const hasBytesAt = (bytes: Buffer, at: number, wanted: Buffer): boolean => {
  if (at + wanted.length > bytes.length) return false
  for (let index = 0; index < wanted.length; index += 1) if (bytes[at + index] !== wanted[index]) return false
  return true
}

/** The first place from `at` on that is no white space; the length when there is none. */
export const skipWhitespace = (bytes: Buffer, at: number): number => {
  let place = at
  while (place < bytes.length && bytes[place]! <= 32) place += 1
  return place
}

/** The place of the next '<'; the length when there is none. */
export function findTagStart(bytes: Buffer, from: number): number {
  const { length } = bytes
  let at = from
  while (at < length && bytes[at] !== 60) at += 1
  return at
}

/** The whole number that these bytes write, -1 for none. */
function parseDigits(bytes: Buffer, from: number, to: number): number {
  let value = 0
  for (let at = from; at < to; at += 1) {
    const digit = bytes[at]! - 48
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  return from < to ? value : -1
}

/** What the tag of a row or a cell says; -1 for what it does not. One serves a whole sheet, so that cells cost no objects. */
export type Tag = { empty: boolean; column: number; row: number; style: number; type: string }
export const createTag = (): Tag => ({ empty: false, column: -1, row: -1, style: -1, type: 'n' })

/** 'BC7' is column 54 of row 7; the reference of a row has no letters. */
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

function readAttribute(bytes: Buffer, name: number, from: number, to: number, tag: Tag): void {
  if (name === 114) readReference(bytes, from, to, tag)
  else if (name === 115) tag.style = parseDigits(bytes, from, to)
  else if (name === 116)
    tag.type = to - from === 1 ? String.fromCharCode(bytes[from]!) : bytes.toString('latin1', from, to)
}

/** Reads r, s and t of the tag whose name ends at `at`; the place behind the tag, or -1 when the bytes end before it does. */
export function readTag(bytes: Buffer, at: number, tag: Tag): number {
  const { length } = bytes
  tag.column = tag.row = tag.style = -1
  tag.type = 'n'
  let place = at
  while (place < length) {
    let byte = bytes[place]!
    if (byte <= 32) {
      place += 1
      continue
    }
    if (byte === 62) {
      tag.empty = false
      return place + 1
    }
    if (byte === 47) {
      if (place + 1 >= length) return -1
      if (bytes[place + 1] !== 62) break
      tag.empty = true
      return place + 2
    }
    const start = place
    while (place < length && (byte = bytes[place]!) !== 61 && byte > 32 && byte !== 62) place += 1
    const isShort = place - start === 1
    place = skipWhitespace(bytes, place)
    if (place >= length) return -1
    if (bytes[place] !== 61) break
    place = skipWhitespace(bytes, place + 1)
    if (place >= length) return -1
    const quote = bytes[place]!
    if (quote !== 34 && quote !== 39) break
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
