/**
 * `number` has the digits as stored, `pad` is the number of digits that the format pads with zeros, 0 for
 * none.
 */
export type NumericCell = { number: string; pad: number; isDate: boolean }
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
/** `lines` reads the sheet from its beginning and yields its lines in batches, in order. */
export type Worksheet = { name: string; lines(): AsyncGenerator<Line[]> }
/**
 * `verify` reads what has not been read yet and throws HttpError 422 when any part of the file is damaged.
 */
export type Workbook = { sheets: Worksheet[]; verify(): Promise<void> }

export const isNumeric = (cell: Cell | undefined): cell is NumericCell =>
  typeof cell === 'object' && cell !== null && 'number' in cell
export const isBlank = (cell: Cell | undefined) =>
  cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '')

/** The text that a cell shows, trimmed; '' for a blank or faulty one. A date shows its serial number. */
export const displayText = (cell: Cell | undefined): string => {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'string') return cell.trim()
  if ('fault' in cell) return ''
  const value = Number(cell.number)
  const plain = Number.isInteger(value) && Math.abs(value) < 1e15 ? String(value) : cell.number
  return cell.pad > 0 && /^\d+$/.test(plain) ? plain.padStart(cell.pad, '0') : plain
}
