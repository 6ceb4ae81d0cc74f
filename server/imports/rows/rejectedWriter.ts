import { utils, write } from '@e965/xlsx'
import type { Import } from '../../../schemas/imports/imports.ts'
import { displayText, type Cell, type Line } from '../formats/sheet.ts'
import { redactNumbers } from './cardNumbers.ts'
import { cellToText } from './cells.ts'
import { reasonHeading, type Heading } from './heading.ts'

export type WriteRows = (part: string | Uint8Array) => Promise<void>
/** What a fix file is made from: its format, and why the database rejects rows. */
export type RejectedRowsOptions = { format: 'csv' | 'xlsx' | 'xls'; reasons: [row: number, reason: string][] }
export type TableWriter = { add(cells: Value[]): Promise<void>; end(): Promise<void> }
type Value = string | number | null

const quoteCsv = (value: Value) => {
  const text = String(value ?? '')
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Writes rows of cells in one of the formats that are read. */
function createTableWriter(format: RejectedRowsOptions['format'], emit: WriteRows): TableWriter {
  if (format === 'csv') {
    let isFirst = true
    return {
      async add(cells) {
        // The mark tells spreadsheets that the text is UTF-8.
        await emit(`${isFirst ? '\ufeff' : ''}${cells.map(quoteCsv).join(',')}\r\n`)
        isFirst = false
      },
      end: async () => {},
    }
  }
  const rows: Value[][] = []
  return {
    add: async (cells) => void rows.push(cells),
    async end() {
      const book = utils.book_new()
      utils.book_append_sheet(book, utils.aoa_to_sheet(rows), 'Rejected')
      await emit(
        write(book, {
          type: 'buffer',
          bookType: format === 'xls' ? 'biff8' : 'xlsx',
          compression: true,
        }) as Buffer,
      )
    },
  }
}

/** A cell as it was uploaded, but for card numbers and tax ids, which leave no more than their last four digits. */
function redactCell(cell: Cell | undefined, it: Import, isId: boolean): Value {
  if (cell === null || cell === undefined || (typeof cell === 'object' && 'fault' in cell)) return null
  const text = cellToText(cell)
  const isNumber =
    typeof cell === 'object' &&
    !cell.isDate &&
    cell.pad === 0 &&
    String(Number(cell.number)) === displayText(cell)
  const safe = isId ? text : redactNumbers(text, it)
  return isNumber && safe === text ? Number(text) : safe
}

type Rejected = {
  it: Import
  /** The first lines of the sheet, its titles and heading among them. */ first: Line[]
  heading: Heading
  fix: RejectedRowsOptions
  emit: WriteRows
}

/** Writes what is rejected, below the title lines and the heading as they were, with the reasons in a column behind. */
export async function createRejectedRowWriter({
  it,
  first,
  heading,
  fix: { format, reasons },
  emit,
}: Rejected) {
  const known = new Map<number, string[]>()
  for (const [row, reason] of reasons) known.set(row, [...(known.get(row) ?? []), reason])
  const writer = createTableWriter(format, emit)
  const id = heading.columns.find(({ column }) => column.field === 'xmid')!.at
  const width = heading.width - (heading.names[heading.width - 1] === reasonHeading ? 1 : 0)
  const add = (cells: Cell[], reason: string, isTitle = false) => {
    const values = (from: number, to: number) =>
      Array.from({ length: Math.max(0, to - from) }, (_, at) =>
        redactCell(cells[from + at], it, !isTitle && from + at === id),
      )
    return writer.add([...values(0, width), reason, ...values(heading.width, cells.length)])
  }
  for (const { row, cells } of first)
    if (row <= heading.row) await add(cells, row === heading.row ? reasonHeading : '', true)
  return {
    async row({ row, cells }: Line, found: string[]) {
      const all = [...found, ...(known.get(row) ?? [])]
      if (all.length) await add(cells, all.join('; '))
    },
    end: () => writer.end(),
  }
}
