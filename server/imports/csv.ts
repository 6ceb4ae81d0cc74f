import { CsvError, parse, type Parser } from 'csv-parse'
import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { Refusal } from '../errors.ts'
import type { Book, Line } from './book.ts'
import { headerLines, type Limits } from './limits.ts'
import { decodeUtf8 } from './utf8.ts'

const separators = [',', ';', '\t', '|']
const refuse = (sentence: string) => new Refusal(422, sentence)
const chunks = (path: string) => createReadStream(path, { highWaterMark: 131_072 }) as AsyncIterable<Buffer>

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** UTF-16 without a mark: nearly every other byte of an English table is zero. */
const halfZero = (head: Buffer, offset: 0 | 1) => {
  const pairs = Math.floor(head.length / 2)
  let zeros = 0
  for (let index = 0; index < pairs; index += 1) if (head[index * 2 + offset] === 0) zeros += 1
  return pairs > 1 && zeros > pairs * 0.7
}

/** A mark decides; then bytes that are valid UTF-8 to the last are UTF-8, and what is left is Windows-1252. */
async function encodingOf(path: string): Promise<Encoding> {
  const file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0).finally(() => file.close())
  const head = buffer.subarray(0, bytesRead)
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  if (halfZero(head, 1)) return 'utf-16le'
  if (halfZero(head, 0)) return 'utf-16be'
  let line = 1
  let valid = true
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks(path)) {
    const zero = chunk.indexOf(0)
    if (zero >= 0) {
      for (let at = chunk.indexOf(10); at >= 0 && at < zero; at = chunk.indexOf(10, at + 1)) line += 1
      throw refuse(`Line ${line} holds a NUL byte: the file is no text file`)
    }
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) line += 1
    if (!valid) continue
    const bytes = rest.length ? Buffer.concat([rest, chunk]) : chunk
    // A character may be cut by the end of the chunk: look only as far as the last line end.
    const cut = bytes.lastIndexOf(10) + 1
    valid = isUtf8(bytes.subarray(0, cut))
    rest = bytes.subarray(cut)
  }
  return valid && isUtf8(rest) ? 'utf-8' : 'windows-1252'
}

async function* texts(path: string, encoding: Encoding): AsyncGenerator<string> {
  if (encoding === 'utf-8') return yield* decodeUtf8(chunks(path), () => refuse('The file is not valid UTF-8'))
  const decoder = new TextDecoder(encoding, { fatal: encoding !== 'windows-1252' })
  try {
    for await (const chunk of chunks(path)) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch {
    throw refuse('The file is not valid UTF-16')
  }
}

const said: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'a quotation mark is opened and never closed',
  INVALID_OPENING_QUOTE: 'a quotation mark stands inside a value that does not begin with one',
  CSV_INVALID_CLOSING_QUOTE: 'a quotation mark is followed by something other than a separator',
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: 'a quotation mark is followed by something other than a separator',
  CSV_MAX_RECORD_SIZE: 'the row is too long to be read',
}
function explained(error: unknown): unknown {
  if (!(error instanceof CsvError)) return error
  const row = (error as CsvError & { records: number }).records + 1
  const message = said[error.code] ?? 'the row cannot be read'
  const rows = [{ row, column: null, value: '', message }]
  return new Refusal(422, `Row ${row}: ${message}. Nothing was stored.`, { rows, more: 0 })
}

const parser = (delimiter: string, limits: Limits): Parser =>
  parse({
    delimiter,
    bom: true,
    // A file made of pieces mixes line ends; naming all three keeps its rows apart.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: limits.rowSize,
  })

async function* lines(path: string, encoding: Encoding, delimiter: string, limits: Limits): AsyncGenerator<Line[]> {
  const source = Readable.from(texts(path, encoding))
  const rows = parser(delimiter, limits)
  source.on('error', (error) => rows.destroy(error))
  source.pipe(rows)
  let row = 0
  let batch: Line[] = []
  try {
    for await (const cells of rows as AsyncIterable<string[]>) {
      row += 1
      if (cells.length > limits.columns && cells.some((cell, index) => index >= limits.columns && cell.trim() !== ''))
        throw refuse(`Row ${row} has more than ${limits.columns} columns`)
      batch.push({ row, cells })
      if (batch.length < 500 && row > headerLines) continue
      yield batch
      batch = []
    }
  } catch (error) {
    if (batch.length) yield batch
    throw explained(error)
  } finally {
    source.destroy()
    rows.destroy()
  }
  if (batch.length) yield batch
}

async function firstCells(source: AsyncGenerator<Line[]>): Promise<string[][]> {
  const found: string[][] = []
  try {
    for await (const batch of source) {
      found.push(...batch.map((line) => line.cells as string[]))
      if (found.length >= headerLines) break
    }
  } catch {
    // The wrong separator may run into quotes that make no sense to it; the right one is told of its own.
  }
  return found.slice(0, headerLines)
}

/**
 * Encoding and separator are found out: `fits` says whether a row is the heading that is looked for. When no
 * separator makes one, the one that splits the most cells is taken, for the error to name what was found.
 */
export async function openCsv(path: string, limits: Limits, fits: (cells: string[]) => boolean): Promise<Book> {
  const encoding = await encodingOf(path)
  let best = { separator: separators[0]!, cells: 0 }
  for (const separator of separators) {
    const head = await firstCells(lines(path, encoding, separator, limits))
    if (head.some(fits)) {
      best = { separator, cells: 0 }
      break
    }
    const cells = Math.max(0, ...head.map((row) => row.length))
    if (cells > best.cells) best = { separator, cells }
  }
  return { sheets: [{ name: '', lines: () => lines(path, encoding, best.separator, limits) }], finish: async () => {} }
}
