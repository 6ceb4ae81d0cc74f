import type { Import } from '../../../schemas/imports/imports.ts'
import { isBlank, type Cell, type Line } from '../formats/sheet.ts'
import { redactNumbers, containsCardNumber } from './cardNumbers.ts'
import { maxLengthOf, cellReaders, stagingTypes, cellToText } from './cells.ts'
import { columnName, type Heading } from './heading.ts'
import type { RowRule } from './rowRules.ts'

/** Hears what is wrong with a cell or, without a column, with a row. */
export type AddFault = (row: number, column: string | null, value: string, message: string) => void
type Parts = {
  it: Import
  heading: Heading
  rule: RowRule
  /** Every row must be as long as the heading. */ strict: boolean
}

/** One value of PostgreSQL's COPY text format. */
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const special = /[\\\t\n\r]/
const escapeCopyValue = (value: string | null): string => {
  if (value === null) return '\\N'
  return special.test(value) ? value.replace(/[\\\t\n\r]/g, (sign) => escapes[sign]!) : value
}

const cardNumberFault = 'holds what looks like a full card number; remove it'
const keepsLastFour = (kind: string) => kind === 'lastfour' || kind === 'tail'
const clearMarker = /^(?:-|null)$/i
const isFaultyCell = (cell: Cell | undefined): cell is { fault: string } =>
  typeof cell === 'object' && cell !== null && 'fault' in cell

/** Turns the lines below a heading into COPY's text format, 'row, columns, extra'; null for a row it had to complain of. */
export function createRowReader(
  { it, heading, rule, strict }: Parts,
  complain: AddFault,
): (line: Line) => string | null {
  const { columns, extras } = heading
  let faulty = 0
  const fault = (
    row: number,
    column: string | null,
    cell: Cell | undefined,
    message: string,
    isMerchant = false,
  ): undefined => {
    faulty += 1
    const text = cellToText(cell ?? null)
    complain(row, column, (isMerchant ? text : redactNumbers(text, it)).slice(0, 100), message)
  }

  /** Keeps the text of an unknown column, unless it may not be stored. */
  const keep = (kept: [string, string][], name: string, line: Line, at: number): void => {
    const cell = line.cells[at]
    if (isFaultyCell(cell)) return fault(line.row, name, cell, `${name} ${cell.fault}`)
    const text = cellToText(cell ?? null)
    if (text === '') return
    const refused = containsCardNumber(text)
      ? cardNumberFault
      : text.includes('\0')
        ? 'holds a NUL character'
        : null
    if (refused) fault(line.row, name, cell, `${name} ${refused}`)
    else kept.push([name, redactNumbers(text, it).slice(0, 2000)])
  }
  /** The unknown columns as JSON; null when they are blank. */
  const extraOf = (line: Line): string | null => {
    const kept: [string, string][] = []
    for (const { name, at } of extras) keep(kept, name, line, at)
    for (let at = heading.width; at < line.cells.length; at += 1) keep(kept, columnName(at), line, at)
    return kept.length ? JSON.stringify(Object.fromEntries(kept)) : null
  }

  /** What is wrong with a cell is noted, and undefined stands for it. */
  const wrong = (line: Line, { column, at }: Heading['columns'][number], message: string): undefined =>
    fault(line.row, column.head, line.cells[at], `${column.head} ${message}`, column.field === 'xmid')

  const valueOf = (place: Heading['columns'][number], line: Line): string | null | undefined => {
    const { column, at } = place
    const cell = at < 0 ? null : (line.cells[at] ?? null)
    const isId = column.kind === 'id'
    if (isFaultyCell(cell)) return wrong(line, place, cell.fault)
    if (
      typeof cell === 'string' &&
      cell.length < 8 &&
      clearMarker.test(cell.trim()) &&
      column.kind !== 'choice' &&
      (it.blankKeepsStored || cell.trim() !== '-')
    ) {
      if (column.required) return wrong(line, place, 'is required and cannot be cleared')
      return it.blankKeepsStored ? stagingTypes[column.kind].cleared : null
    }
    const read = cellReaders[column.kind](cell, column)
    if (read === null)
      return column.required && (isId || !it.blankKeepsStored) ? wrong(line, place, 'is required') : null
    if (typeof read === 'object') return wrong(line, place, read.fault)
    if (read.length > maxLengthOf(column))
      return wrong(line, place, `may have at most ${maxLengthOf(column)} characters`)
    if (read.includes('\0')) return wrong(line, place, 'holds a NUL character')
    // A merchant's number may look like a card's.
    if (column.field !== 'xmid' && containsCardNumber(keepsLastFour(column.kind) ? cellToText(cell) : read))
      return wrong(line, place, cardNumberFault)
    return read
  }

  const tooShort = (line: Line): boolean => {
    const wanted = line.cells.length < heading.width ? heading.width : heading.names.length
    const isLonger = line.cells.some((cell, at) => at >= heading.names.length && !isBlank(cell))
    if (line.cells.length >= heading.width && !isLonger) return false
    fault(line.row, null, null, `The row has ${line.cells.length} cells where the heading has ${wanted}`)
    return true
  }

  return (line) => {
    faulty = 0
    if (strict && tooShort(line)) return null
    const values: (string | null | undefined)[] = []
    for (const column of columns) values.push(valueOf(column, line))
    const extra = extraOf(line)
    if (faulty > 0) return null
    const broken = rule(values as (string | null)[])
    if (broken) {
      const { column, at } = columns.find((one) => one.column.field === broken.field)!
      fault(line.row, column.head, at < 0 ? null : line.cells[at], broken.message)
      return null
    }
    let text = String(line.row)
    for (const value of values) text += `\t${escapeCopyValue(value as string | null)}`
    return `${text}\t${escapeCopyValue(extra)}\n`
  }
}
