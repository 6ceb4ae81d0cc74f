import type { Import, ImportColumn } from '../../../schemas/imports/imports.ts'
import { isBlank, type Cell, type Line } from '../formats/sheet.ts'
import type { AmountSums } from './amountSums.ts'
import { containsCardNumber, redactNumbers } from './cardNumbers.ts'
import { cellFault, type CellReading } from './cellReading.ts'
import { cellReaders, cellToText, maxLengthOf, stagingTypes } from './cells.ts'
import { columnName, type Heading } from './heading.ts'
import type { RowRule } from './rowRules.ts'

/** Takes a fault of a cell or, with null as the column, of a row. `value` is redacted. */
export type AddFault = (row: number, column: string | null, value: string, message: string) => void
type Table = {
  definition: Import
  heading: Heading
  rule: RowRule
  /** Every row must be as long as the heading. */
  strict: boolean
  /** Takes the amounts of the rows. */
  sums: AmountSums
}

const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const special = /[\\\t\n\r]/
/** One value in PostgreSQL's COPY text format. */
const escapeCopyValue = (value: string | null): string => {
  if (value === null) return '\\N'
  return special.test(value) ? value.replace(/[\\\t\n\r]/g, (sign) => escapes[sign]!) : value
}
type CopiedRow = {
  row: number
  values: (string | null)[]
  extra: string | null
  /** The columns with faults; null where the row has none. */
  broken: readonly string[] | null
}
const copyLine = ({ row, values, extra, broken }: CopiedRow): string => {
  let text = String(row)
  for (const value of values) text += `\t${escapeCopyValue(value)}`
  return `${text}\t${escapeCopyValue(extra)}\t${broken === null ? '\\N' : `{${broken.join(',')}}`}\n`
}

const cardNumberFault = 'holds what looks like a full card number; remove it'
const nulFault = 'holds a NUL character'
const storesLast4 = (kind: string) => kind === 'cardlast4' || kind === 'taxidlast4'
const clearMarker = /^(?:-|null)$/i
const isFault = (value: Cell | undefined): value is { fault: string; text?: string } =>
  typeof value === 'object' && value !== null && 'fault' in value

/**
 * Whether a cell clears what is stored (imports 13). Where blank cells keep nothing, a lone "-" is left to
 * the reader of the cell, for which it is 0 in amounts.
 */
const isClearMarker = (cell: Cell, { kind }: ImportColumn, { blankKeepsStored }: Import): boolean =>
  typeof cell === 'string' &&
  cell.length < 8 &&
  clearMarker.test(cell.trim()) &&
  kind !== 'choice' &&
  (blankKeepsStored === true || cell.trim() !== '-')

function readColumn(definition: Import, column: ImportColumn, cell: Cell): CellReading {
  const { blankKeepsStored } = definition
  if (isFault(cell)) return cell
  if (isClearMarker(cell, column, definition)) {
    if (column.required) return cellFault('is required and cannot be cleared')
    return blankKeepsStored ? stagingTypes[column.kind].cleared : null
  }
  const value = cellReaders[column.kind](cell, column)
  if (value === null) {
    const isMissing = column.required && (column.kind === 'id' || !blankKeepsStored)
    return isMissing ? cellFault('is required') : null
  }
  if (typeof value === 'object') return value
  if (value.length > maxLengthOf(column))
    return cellFault(`may have at most ${maxLengthOf(column)} characters`)
  if (value.includes('\0')) return cellFault(nulFault)
  // The id of a merchant may look like a card number.
  if (column.field !== 'xmid' && containsCardNumber(storesLast4(column.kind) ? cellToText(cell) : value))
    return cellFault(cardNumberFault)
  return value
}

/**
 * What is wrong with a row of a text file that is not as long as its heading (imports 5); null when nothing
 * is.
 */
export function lengthFault(
  { cells }: Line,
  { width, names }: Pick<Heading, 'width' | 'names'>,
): string | null {
  const wanted = cells.length < width ? width : names.length
  const isLonger = cells.some((cell, at) => at >= names.length && !isBlank(cell))
  if (cells.length >= width && !isLonger) return null
  return `The row has ${cells.length} cells where the heading has ${wanted}`
}

/** Reads a cell of an unknown column (imports 8). */
function readExtra(definition: Import, cell: Cell): CellReading {
  if (isFault(cell)) return cell
  const text = cellToText(cell)
  if (text === '') return null
  if (containsCardNumber(text)) return cellFault(cardNumberFault)
  return text.includes('\0') ? cellFault(nulFault) : redactNumbers(text, definition).slice(0, 2000)
}

/** The beginning of a faulty cell, redacted unless it is the id of a merchant. */
function describeValue(definition: Import, cell: Cell, isMerchant: boolean): string {
  const text = isFault(cell) ? (cell.text ?? '') : cellToText(cell)
  return (isMerchant ? text : redactNumbers(text, definition)).slice(0, 100)
}

/** A fault of a cell or, with null as the column, of a row. The value of a `merchant` id is not redacted. */
type CellFault = { column: string | null; cell?: Cell | undefined; message: string; isMerchant?: boolean }
type AddCellFault = (row: number, fault: CellFault) => void

/** The cells of a line in unknown columns as JSON, null where all are blank. */
function readExtras({ definition, heading }: Table, line: Line, addCellFault: AddCellFault): string | null {
  const extras: [string, string][] = []
  const keep = (name: string, at: number) => {
    const cell = line.cells[at] ?? null
    const value = readExtra(definition, cell)
    if (typeof value === 'string') extras.push([name, value])
    else if (value) addCellFault(line.row, { column: name, cell, message: `${name} ${value.fault}` })
  }
  for (const { name, at } of heading.extras) keep(name, at)
  for (let at = heading.width; at < line.cells.length; at += 1) keep(columnName(at), at)
  return extras.length ? JSON.stringify(Object.fromEntries(extras)) : null
}

/**
 * A line in COPY's text format: row, columns, extra, and the columns with faults. Null where its key or its
 * length is at fault, so that the row cannot be compared with others.
 */
type ReadRow = { text: string | null; isRejected: boolean }
const unreadable: ReadRow = { text: null, isRejected: true }

/** Creates a function that reads a line below the heading. Its faults go to `addFault`. */
export function createRowReader(table: Table, addFault: AddFault): (line: Line) => ReadRow {
  const { definition, heading, rule, strict, sums } = table
  const { columns } = heading
  let faults = 0
  const addCellFault: AddCellFault = (row, { column, cell = null, message, isMerchant = false }) => {
    faults += 1
    addFault(row, column, describeValue(definition, cell, isMerchant), message)
  }

  return (line) => {
    faults = 0
    const fault = line.fault ?? (strict ? lengthFault(line, heading) : null)
    if (fault) {
      sums.miss()
      addCellFault(line.row, { column: null, message: fault })
      return unreadable
    }
    const values: (string | null)[] = []
    const broken: string[] = []
    columns.forEach(({ column, at }, index) => {
      const cell = at < 0 ? null : (line.cells[at] ?? null)
      const value = readColumn(definition, column, cell)
      if (value === null || typeof value === 'string') {
        values.push(value)
        sums.add(index, value, cell)
      } else {
        sums.miss(index)
        values.push(null)
        broken.push(column.field)
        const isMerchant = column.field === 'xmid'
        addCellFault(line.row, {
          column: column.head,
          cell,
          message: `${column.head} ${value.fault}`,
          isMerchant,
        })
      }
    })
    const extra = readExtras(table, line, addCellFault)
    const differing = rule.fields.some((field) => broken.includes(field))
      ? null
      : rule.apply(values, line.row)
    if (differing) {
      const { column, at } = columns.find((one) => one.column.field === differing.field)!
      broken.push(column.field)
      const cell = at < 0 ? null : line.cells[at]
      addCellFault(line.row, { column: column.head, cell, message: differing.message })
    }
    if (definition.key.some((field) => broken.includes(field))) return unreadable
    const isRejected = faults > 0
    return {
      text: copyLine({ row: line.row, values, extra, broken: isRejected ? broken : null }),
      isRejected,
    }
  }
}
