import { Refusal } from '../errors.ts'
import type { Book, Line } from './book.ts'
import { chunksOf, encodingOf, type Encoding } from './encoding.ts'
import { headerLines, type Limits } from './limits.ts'
import { splitter, type Records } from './split.ts'
import { decodeUtf8 } from './utf8.ts'

const separators = [',', ';', '\t', '|']
const refuse = (sentence: string) => new Refusal(422, sentence)

async function* withoutMark(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let isFirst = true
  for await (const piece of pieces) {
    yield isFirst && piece.startsWith('\ufeff') ? piece.slice(1) : piece
    isFirst = false
  }
}

async function* texts(path: string, encoding: Encoding): AsyncGenerator<string> {
  if (encoding === 'utf-8') return yield* withoutMark(decodeUtf8(chunksOf(path), () => refuse('The file is not valid UTF-8')))
  const decoder = new TextDecoder(encoding, { fatal: encoding !== 'windows-1252' })
  try {
    for await (const chunk of chunksOf(path)) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch {
    throw refuse('The file is not valid UTF-16')
  }
}

const refusedAt = (row: number, message: string) =>
  new Refusal(422, `Row ${row}: ${message}. Nothing was stored.`, { rows: [{ row, column: null, value: '', message }], more: 0 })

async function* lines(path: string, encoding: Encoding, separator: string, limits: Limits): AsyncGenerator<Line[]> {
  const split = splitter(separator, limits.rowSize)
  let row = 0
  /** The records as lines; what cannot be read ends them. */
  const take = function* ({ records, fault }: Records): Generator<Line[]> {
    const found: Line[] = []
    for (const cells of records) {
      row += 1
      if (cells.length > limits.columns && cells.some((cell, index) => index >= limits.columns && cell.trim() !== '')) {
        if (found.length) yield found
        throw refuse(`Row ${row} has more than ${limits.columns} columns`)
      }
      // A blank line holds nothing, and a file may have a million of them.
      if (cells.length > 1 || cells[0] !== '') found.push({ row, cells })
    }
    if (found.length) yield found
    if (fault) throw refusedAt(row + 1, fault)
  }
  for await (const text of texts(path, encoding)) yield* take(split(text, false))
  yield* take(split('', true))
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
  const encoding = await encodingOf(path, limits)
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
