/**
 * `number` has the digits as stored, `pad` is the number of digits that the format pads with zeros, 0 for
 * none. A format of percentages shows 0.5 as 50%. `dayOffset` is added to a number that is no date by its
 * format and is read as one.
 */
type NumericCell = {
  number: string
  pad: number
  isDate: boolean
  isPercent?: boolean
  dayOffset?: number
}
/**
 * A cell as its file holds it; null is blank. A `fault` says why the value of the cell cannot be known,
 * `text` what stands there all the same.
 */
export type Cell = string | null | NumericCell | { fault: string; text?: string }
/**
 * One row of a sheet; `row` counts from 1 as a spreadsheet does. `fault` is what is wrong with the whole row.
 * `cellRows` are the rows of the cells where they come of several sheets.
 */
export type Line = { row: number; cells: Cell[]; fault?: string; cellRows?: readonly number[] }

/**
 * Where several sheets are merged, a row that only a further sheet has is numbered by its sheet and its row:
 * 2000007 is row 7 of the second. No sheet has more rows than this (mapping 6).
 */
export const rowsPerSheet = 2_000_000
/** The row of a sheet, and the name of the sheet where several are merged. */
export const placeOfRow = (row: number, sheets: readonly string[]): { row: number; sheet: string | null } =>
  sheets.length < 2
    ? { row, sheet: null }
    : { row: row % rowsPerSheet, sheet: sheets[Math.floor(row / rowsPerSheet)] ?? null }
/**
 * Sheets of a workbook in the order in which they are looked through: those that are visible first, because
 * who sends the file sees no other (imports 3).
 */
export const visibleFirst = <T>(sheets: readonly T[], isHidden: (sheet: T, at: number) => boolean): T[] => [
  ...sheets.filter((sheet, at) => !isHidden(sheet, at)),
  ...sheets.filter(isHidden),
]

/** `lines` reads the sheet from its beginning and yields its lines in batches, in order. */
export type Worksheet = { name: string; lines(): AsyncGenerator<Line[]> }
/**
 * `verify` reads what has not been read yet and throws HttpError 422 when any part of the file is damaged.
 */
export type Workbook = { sheets: Worksheet[]; verify(): Promise<void> }

export const isNumeric = (cell: Cell | undefined): cell is NumericCell =>
  typeof cell === 'object' && cell !== null && 'number' in cell
/** A cell whose value cannot be known, such as an error of a formula. */
export const isFault = (cell: Cell): cell is Extract<Cell, { fault: string }> =>
  typeof cell === 'object' && cell !== null && 'fault' in cell

/** A number that its format shows neither as a date nor as a percentage. */
export const isPlainNumber = (cell: Cell | undefined): cell is NumericCell =>
  isNumeric(cell) && !cell.isDate && !cell.isPercent
export const isBlank = (cell: Cell | undefined) =>
  cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '')

/** '50%' of 0.5: the 15 digits that a spreadsheet keeps, without the noise of the multiplication. */
const percentText = (value: number): string => `${Number((value * 100).toPrecision(15))}%`

/** The text that a cell shows, trimmed; '' for a blank or faulty one. A date shows its serial number. */
export const displayText = (cell: Cell | undefined): string => {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'string') return cell.trim()
  if ('fault' in cell) return ''
  const value = Number(cell.number)
  if (cell.isPercent) return percentText(value)
  const plain = Number.isInteger(value) && Math.abs(value) < 1e15 ? String(value) : cell.number
  return cell.pad > 0 && /^\d+$/.test(plain) ? plain.padStart(cell.pad, '0') : plain
}
