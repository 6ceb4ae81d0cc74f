import { CsvError, parse } from 'csv-parse'
import { maxHeaderLines, type ImportLimits } from '../../config/importLimits.ts'
import { HttpError } from '../../http/errors.ts'
import { decodeUtf8, detectEncoding, readChunks, type Encoding } from './encoding.ts'
import { invalidFile } from './fileErrors.ts'
import type { Workbook } from './sheet.ts'

const separators = [',', ';', '\t', '|']

async function* stripByteOrderMark(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let isFirst = true
  for await (const piece of pieces) {
    yield isFirst && piece.startsWith('\ufeff') ? piece.slice(1) : piece
    isFirst = false
  }
}

async function* readText(path: string, encoding: Encoding): AsyncGenerator<string> {
  if (encoding === 'utf-8') {
    const text = decodeUtf8(readChunks(path), () => invalidFile('The file is not valid UTF-8'))
    return yield* stripByteOrderMark(text)
  }
  const decoder = new TextDecoder(encoding, { fatal: encoding !== 'windows-1252' })
  try {
    for await (const chunk of readChunks(path)) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch {
    throw invalidFile('The file is not valid UTF-16')
  }
}

/** ="00123" as a whole cell, by which exports keep a spreadsheet from taking digits for a number. */
const protectedCell = /(?<=^|[,;|\t])=(?="[^"\r\n,;|\t]+"(?:[,;|\t]|$))/gm
/**
 * Takes away the equals sign of such cells, so that a quoted value is left (imports 9). In a quoted value
 * such a cell cannot stand, because there quotation marks are doubled. What follows the last line end is held
 * back.
 */
async function* unprotectCells(pieces: AsyncIterable<string>, most: number): AsyncGenerator<string> {
  let rest = ''
  const freed = (text: string) => (text.includes('="') ? text.replace(protectedCell, '') : text)
  for await (const piece of pieces) {
    const text = rest + piece
    const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1
    const isTooLong = end === 0 && text.length > most
    rest = isTooLong ? '' : text.slice(end)
    yield freed(isTooLong ? text : text.slice(0, end))
  }
  yield freed(rest)
}

const rowError = (row: number, message: string) =>
  new HttpError(422, `Row ${row}: ${message}. Nothing was stored.`, {
    rows: [{ row, column: null, value: '', message }],
    more: 0,
  })

const messagesByCode: Partial<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quotation mark is opened and never closed',
  INVALID_OPENING_QUOTE: 'a quotation mark stands inside a value that does not begin with one',
  CSV_INVALID_CLOSING_QUOTE: 'a quotation mark is followed by something other than a separator',
  CSV_MAX_RECORD_SIZE: 'the row is too long to be read',
}
const describeCsvError = (error: unknown) => {
  const message = error instanceof CsvError && messagesByCode[error.code]
  return message ? rowError(Number(error['records']) + Number(error['empty_lines']) + 1, message) : error
}

/** Titles and totals have other widths than the rows, so widths are checked where the heading is known. */
const strict = { record_delimiter: ['\r\n', '\n', '\r'], skip_empty_lines: true, relax_column_count: true }

type TextLine = { row: number; cells: string[] }
async function* readLines(
  path: string,
  encoding: Encoding,
  separator: string,
  limits: ImportLimits,
): AsyncGenerator<TextLine[]> {
  const isTooWide = ({ cells }: TextLine) =>
    cells.length > limits.columns &&
    cells.some((cell, index) => index >= limits.columns && cell.trim() !== '')
  let records: TextLine[] = []
  const parser = parse({
    ...strict,
    delimiter: separator,
    max_record_size: limits.rowCharacters,
    // Records are collected here and not read from the parser's stream, which would double the cost of each.
    on_record(cells: string[], { records: count, empty_lines }) {
      records.push({ row: count + empty_lines, cells })
      return null
    },
  }).resume()
  // The callback of the failing write gets the error; without a listener it would also be thrown.
  parser.on('error', () => {})
  const errorOf = (write: (done: (error?: Error | null) => void) => unknown) =>
    new Promise<Error | null | undefined>((resolve) => write(resolve))
  /** Yields the records parsed so far, then throws if one of them is too wide or the parser failed. */
  const takeRecords = function* (error: unknown): Generator<TextLine[]> {
    const batch = records
    records = []
    const tooWide = batch.findIndex(isTooWide)
    const valid = tooWide < 0 ? batch : batch.slice(0, tooWide)
    if (valid.length > 0) yield valid
    if (tooWide >= 0) throw invalidFile(`Row ${batch[tooWide]!.row} has more than ${limits.columns} columns`)
    if (error) throw describeCsvError(error)
  }
  try {
    for await (const text of unprotectCells(readText(path, encoding), limits.rowCharacters))
      yield* takeRecords(await errorOf((done) => parser.write(text, done)))
    yield* takeRecords(await errorOf((done) => parser.end(done)))
  } finally {
    parser.destroy()
  }
}

async function readFirstRows(source: AsyncGenerator<TextLine[]>): Promise<string[][]> {
  const rows: string[][] = []
  try {
    for await (const batch of source) {
      rows.push(...batch.map(({ cells }) => cells))
      if (rows.length >= maxHeaderLines) break
    }
  } catch {
    // A wrong separator can make the quotes invalid. Errors of the right one come up when the file is read.
  }
  return rows.slice(0, maxHeaderLines)
}

/**
 * Opens a text file; encoding and separator are detected (imports 5). The separator is the first that gives a
 * row for which `isHeading` holds; else the one that gives the most cells, so that the error can name what
 * was found.
 */
export async function openCsv(
  path: string,
  limits: ImportLimits,
  isHeading: (cells: string[]) => boolean,
): Promise<Workbook> {
  const encoding = await detectEncoding(path, limits)
  let best = { separator: separators[0]!, cells: 0 }
  for (const separator of separators) {
    // A heading that is too wide still shows the separator; it is refused when it is read.
    const head = await readFirstRows(readLines(path, encoding, separator, { ...limits, columns: Infinity }))
    if (head.some(isHeading)) {
      best = { separator, cells: 0 }
      break
    }
    const cells = Math.max(0, ...head.map((row) => row.length))
    if (cells > best.cells) best = { separator, cells }
  }
  return {
    sheets: [{ name: '', lines: () => readLines(path, encoding, best.separator, limits) }],
    verify: async () => {},
  }
}
