/**
 * A cell as its file holds it. Text is text; a number keeps the digits it is stored with and how many its format
 * pads it to; `day` says that its format is a date. A `fault` is a cell whose value cannot be known.
 */
export type NumericCell = { number: string; pad: number; isDate: boolean }
export type Cell = string | null | NumericCell | { fault: string }
/** `row` counts from 1 as a spreadsheet does. */
export type Line = { row: number; cells: Cell[] }
export type Worksheet = { name: string; lines(): AsyncGenerator<Line[]> }
/** What every reader answers; `finish` throws when the file proves damaged after all. */
export type Workbook = { sheets: Worksheet[]; verify(): Promise<void> }

export const isBlank = (cell: Cell | undefined) =>
  cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '')

/** What a cell shows, for messages, headings and columns that are kept as they are. */
export const displayText = (cell: Cell | undefined): string => {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'string') return cell.trim()
  if ('fault' in cell) return ''
  const value = Number(cell.number)
  const plain = Number.isInteger(value) && Math.abs(value) < 1e15 ? String(value) : cell.number
  return cell.pad > 0 && /^\d+$/.test(plain) ? plain.padStart(cell.pad, '0') : plain
}
