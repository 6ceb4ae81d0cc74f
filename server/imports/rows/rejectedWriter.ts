import { utils, write } from '@e965/xlsx'
import { escapeFormula } from '../../../schemas/formulas.ts'
import type { Import } from '../../../schemas/imports/imports.ts'
import { csvLines, type TableValue } from '../../files/csv.ts'
import { writeTable } from '../../files/workbook.ts'
import type { FileFormat } from '../formats/detect.ts'
import { displayText, type Cell, type Line } from '../formats/sheet.ts'
import { redactNumbers } from './cardNumbers.ts'
import { cellToText } from './cells.ts'
import { reasonHeading, type Heading } from './heading.ts'

const sheetName = 'Rejected'

/** Resolves when the next part may be written. */
export type WriteRows = (part: string | Uint8Array) => Promise<void>
/** The format of a fix file, and the reasons for which the database rejects rows. */
export type RejectedRowsOptions = { format: FileFormat; reasons: [row: number, reason: string][] }
type TableWriter = { add(cells: TableValue[]): Promise<void>; end(): Promise<void> }

const writeXls = (rows: TableValue[][]) => {
  const workbook = utils.book_new()
  utils.book_append_sheet(workbook, utils.aoa_to_sheet(rows), sheetName)
  return write(workbook, { type: 'buffer', bookType: 'biff8' }) as Buffer
}

/** A signed amount, which a spreadsheet program takes for a number and not for a formula. */
const amount = /^[+-]\s?\$?\s?(?:\d[\d,]*\.?\d*|\.\d+)\s?%?$/
/** A text that could be taken for a formula, behind an apostrophe, which reading removes (imports 23). */
const escapeText = (value: TableValue): TableValue =>
  typeof value !== 'string' || amount.test(value) ? value : escapeFormula(value)

/** Writes rows of cells in a format; a workbook is written by `end`. */
function createTableWriter(format: FileFormat, writeRows: WriteRows): TableWriter {
  if (format === 'csv') {
    let isFirst = true
    return {
      async add(cells) {
        // By the byte order mark spreadsheet programs know that the text is UTF-8.
        await writeRows(`${isFirst ? '\ufeff' : ''}${csvLines([cells.map(escapeText)])}`)
        isFirst = false
      },
      end: async () => {},
    }
  }
  const rows: TableValue[][] = []
  return {
    add: async (cells) => void rows.push(cells),
    async end() {
      if (format === 'xls') return writeRows(writeXls(rows))
      for await (const chunk of writeTable(sheetName, rows)) await writeRows(chunk)
    },
  }
}

/**
 * A cell as it was uploaded, with card numbers and tax ids redacted unless it is the merchant's id
 * (imports 14).
 */
function redactCell(cell: Cell | undefined, definition: Import, isId: boolean): TableValue {
  if (cell === null || cell === undefined) return null
  if (typeof cell === 'object' && 'fault' in cell)
    return cell.text ? redactNumbers(cell.text, definition) : null
  const text = cellToText(cell)
  const isNumber =
    typeof cell === 'object' &&
    !cell.isDate &&
    cell.pad === 0 &&
    String(Number(cell.number)) === displayText(cell)
  const safe = isId ? text : redactNumbers(text, definition)
  return isNumber && safe === text ? Number(text) : safe
}

type RejectedTable = {
  definition: Import
  /** The first lines of the sheet, titles and heading among them. */
  firstLines: Line[]
  heading: Heading
  options: RejectedRowsOptions
  write: WriteRows
}

/**
 * Writes a fix file (imports 23): title lines and heading as they were, rejected rows, and a last column with
 * the reasons.
 */
export async function createRejectedRowWriter({
  definition,
  firstLines,
  heading,
  options: { format, reasons },
  write: writeRows,
}: RejectedTable) {
  const reasonsByRow = new Map<number, string[]>()
  for (const [row, reason] of reasons) reasonsByRow.set(row, [...(reasonsByRow.get(row) ?? []), reason])
  const writer = createTableWriter(format, writeRows)
  const id = heading.columns.find(({ column }) => column.field === 'xmid')!.at
  const width = heading.width - (heading.names[heading.width - 1] === reasonHeading ? 1 : 0)
  const addRow = (cells: Cell[], reason: string, isTitle = false) => {
    const values = (from: number, to: number) =>
      Array.from({ length: Math.max(0, to - from) }, (_, at) =>
        redactCell(cells[from + at], definition, !isTitle && from + at === id),
      )
    return writer.add([...values(0, width), reason, ...values(heading.width, cells.length)])
  }
  for (const { row, cells } of firstLines)
    if (row <= heading.row) await addRow(cells, row === heading.row ? reasonHeading : '', true)
  return {
    /** Writes a row if it has faults: those found while reading it, or any of the database. */
    async add({ row, cells }: Line, faults: string[]) {
      const all = [...faults, ...(reasonsByRow.get(row) ?? [])]
      if (all.length) await addRow(cells, all.join('; '))
    },
    end: () => writer.end(),
  }
}
