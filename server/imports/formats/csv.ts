import { CsvError, parse } from 'csv-parse'
import { maxHeaderLines, type ImportLimits } from '../../config/importLimits.ts'
import { HttpError } from '../../http/errors.ts'
import { readChunks, decodeUtf8, type Encoding, detectEncoding } from './encoding.ts'
import type { Workbook } from './sheet.ts'

const separators = [',', ';', '\t', '|']
const invalidFile = (sentence: string) => new HttpError(422, sentence)

async function* stripByteOrderMark(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let isFirst = true
  for await (const piece of pieces) {
    yield isFirst && piece.startsWith('\ufeff') ? piece.slice(1) : piece
    isFirst = false
  }
}

async function* readText(path: string, encoding: Encoding): AsyncGenerator<string> {
  if (encoding === 'utf-8')
    return yield* stripByteOrderMark(
      decodeUtf8(readChunks(path), () => invalidFile('The file is not valid UTF-8')),
    )
  const decoder = new TextDecoder(encoding, { fatal: encoding !== 'windows-1252' })
  try {
    for await (const chunk of readChunks(path)) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch {
    throw invalidFile('The file is not valid UTF-16')
  }
}

const rowError = (row: number, message: string) =>
  new HttpError(422, `Row ${row}: ${message}. Nothing was stored.`, {
    rows: [{ row, column: null, value: '', message }],
    more: 0,
  })

const csvFaults: Partial<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quotation mark is opened and never closed',
  INVALID_OPENING_QUOTE: 'a quotation mark stands inside a value that does not begin with one',
  CSV_INVALID_CLOSING_QUOTE: 'a quotation mark is followed by something other than a separator',
  CSV_MAX_RECORD_SIZE: 'the row is too long to be read',
}
const describeCsvError = (error: unknown) => {
  const sentence = error instanceof CsvError && csvFaults[error.code]
  return sentence ? rowError(Number(error['records']) + Number(error['empty_lines']) + 1, sentence) : error
}

/** The preamble and the totals of a file have other widths than its rows, so widths are judged where the columns are known. */
const strict = { record_delimiter: ['\r\n', '\n', '\r'], skip_empty_lines: true, relax_column_count: true }

type TextLine = { row: number; cells: string[] }
async function* readLines(
  path: string,
  encoding: Encoding,
  separator: string,
  limits: ImportLimits,
): AsyncGenerator<TextLine[]> {
  const tooWide = ({ cells }: TextLine) =>
    cells.length > limits.columns &&
    cells.some((cell, index) => index >= limits.columns && cell.trim() !== '')
  let found: TextLine[] = []
  const parser = parse({
    ...strict,
    delimiter: separator,
    max_record_size: limits.rowCharacters,
    // Answers nothing: a record that went through a stream of its own would cost as much again.
    on_record(cells: string[], { records, empty_lines }) {
      found.push({ row: records + empty_lines, cells })
      return null
    },
  }).resume()
  // Whoever wrote what it chokes on is told.
  parser.on('error', () => {})
  const faultIn = (work: (done: (error?: Error | null) => void) => unknown) =>
    new Promise<Error | null | undefined>((resolve) => work(resolve))
  /** The records there are by now; what cannot be read ends them. */
  const takeRecords = function* (error: unknown): Generator<TextLine[]> {
    const batch = found
    found = []
    const wide = batch.findIndex(tooWide)
    const good = wide < 0 ? batch : batch.slice(0, wide)
    if (good.length > 0) yield good
    if (wide >= 0) throw invalidFile(`Row ${batch[wide]!.row} has more than ${limits.columns} columns`)
    if (error) throw describeCsvError(error)
  }
  try {
    for await (const text of readText(path, encoding))
      yield* takeRecords(await faultIn((done) => parser.write(text, done)))
    yield* takeRecords(await faultIn((done) => parser.end(done)))
  } finally {
    parser.destroy()
  }
}

async function readFirstRows(source: AsyncGenerator<TextLine[]>): Promise<string[][]> {
  const found: string[][] = []
  try {
    for await (const batch of source) {
      found.push(...batch.map(({ cells }) => cells))
      if (found.length >= maxHeaderLines) break
    }
  } catch {
    // The wrong separator may run into quotes that make no sense to it; the right one is told of its own.
  }
  return found.slice(0, maxHeaderLines)
}

/**
 * Encoding and separator are found out: `fits` says whether a row is the heading that is looked for. When no
 * separator makes one, the one that splits the most cells is taken, for the error to name what was found.
 */
export async function openCsv(
  path: string,
  limits: ImportLimits,
  fits: (cells: string[]) => boolean,
): Promise<Workbook> {
  const encoding = await detectEncoding(path, limits)
  let best = { separator: separators[0]!, cells: 0 }
  for (const separator of separators) {
    // A heading that is too wide still tells the separator; it is refused when it is read.
    const head = await readFirstRows(readLines(path, encoding, separator, { ...limits, columns: Infinity }))
    if (head.some(fits)) {
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
