import { Refusal } from '../errors.ts'
import type { Import, RowFault } from '../../schemas/imports.ts'
import { readMoney } from './amounts.ts'
import { isBlank, shown, type Book, type Cell, type Line, type Sheet } from './book.ts'
import { holdsCard, maskCards } from './cards.ts'
import { mostOf, readers, staged, textOf } from './cells.ts'
import { columnName, headingOf, noHeading, repeats, type Heading } from './heading.ts'
import { faultsListed, headerLines, type Limits } from './limits.ts'
import type { RowRule } from './rules.ts'

/** What was read: the first faults and how many in all, the unknown columns, what a person should know. */
export type Report = { rows: number; faults: RowFault[]; faulty: number; ignored: string[]; warnings: string[] }
type Options = { limits: Limits; rule: RowRule; /** Every row must be as long as the heading. */ strict: boolean }

/** One value of PostgreSQL's COPY text format. */
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const special = /[\\\t\n\r]/
const copied = (value: string | null): string => {
  if (value === null) return '\\N'
  return special.test(value) ? value.replace(/[\\\t\n\r]/g, (sign) => escapes[sign]!) : value
}

async function firstLines(sheet: Sheet): Promise<Line[]> {
  const first: Line[] = []
  for await (const batch of sheet.lines()) {
    first.push(...batch.filter((line) => line.row <= headerLines))
    if ((batch.at(-1)?.row ?? 0) >= headerLines) break
  }
  return first
}

/** The sheet whose first lines hold the heading; another one that does too is worth a warning. */
async function chosen(book: Book, it: Import): Promise<{ sheet: Sheet; heading: Heading; others: string[] }> {
  const looked = []
  for (const sheet of book.sheets) looked.push({ sheet, first: await firstLines(sheet) })
  const fitting = looked.flatMap(({ sheet, first }) => {
    const heading = headingOf(it, first)
    return heading ? [{ sheet, heading }] : []
  })
  const [best, ...others] = fitting
  if (best) return { ...best, others: others.map(({ sheet }) => sheet.name) }
  const fullest = looked.sort((one, other) => other.first.length - one.first.length)[0]
  throw noHeading(it, fullest?.first ?? [])
}

const card = 'holds what looks like a full card number; remove it'
const total = /^\W*(?:grand\s*|sub\s*-?)?totals?\b/i
const cleared = /^(?:-|null)$/i

/** Reads the rows below the heading and gives them to `emit` in COPY's text format, 'row, columns, extra'. */
export async function readTable(book: Book, it: Import, options: Options, emit: (text: string) => Promise<void>): Promise<Report> {
  const { limits, rule, strict } = options
  const { sheet, heading, others } = await chosen(book, it)
  const { columns, extras } = heading
  const id = columns.find(({ column }) => column.kind === 'id' && column.required)!
  const ignored = extras.map(({ name }) => name).filter((name) => !name.startsWith('Column '))
  const report: Report = { rows: 0, faults: [], faulty: 0, ignored, warnings: [] }
  const totals: number[] = []
  const fault = (row: number, column: string | null, value: Cell | undefined, message: string, isId = false) => {
    report.faulty += 1
    if (report.faults.length < faultsListed) {
      const text = textOf(value ?? null)
      report.faults.push({ row, column, value: (isId ? text : maskCards(text)).slice(0, 100), message })
    }
  }

  const isTotal = (line: Line): boolean => {
    const key = shown(line.cells[id.at])
    if (key !== '') return total.test(key)
    const filled = line.cells.filter((cell) => !isBlank(cell))
    return filled.some((cell) => total.test(shown(cell))) || filled.every((cell) => typeof readMoney(cell) === 'string')
  }

  /** Keeps the text of an unknown column, unless it may not be stored. */
  const keep = (kept: [string, string][], name: string, line: Line, at: number): void => {
    const text = textOf(line.cells[at] ?? null)
    if (text === '') return
    const refused = holdsCard(text) ? card : text.includes('\0') ? 'holds a NUL character' : null
    if (refused) fault(line.row, name, line.cells[at], `${name} ${refused}`)
    else kept.push([name, text.slice(0, 2000)])
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
    void fault(line.row, column.head, line.cells[at], `${column.head} ${message}`, column.kind === 'id')

  const valueOf = (place: Heading['columns'][number], line: Line): string | null | undefined => {
    const { column, at } = place
    const cell = at < 0 ? null : (line.cells[at] ?? null)
    const isId = column.kind === 'id'
    if (cell !== null && typeof cell === 'object' && 'fault' in cell) return wrong(line, place, cell.fault)
    if (typeof cell === 'string' && cell.length < 8 && cleared.test(cell.trim()) && (it.keeps || cell.trim() !== '-')) {
      if (column.required) return wrong(line, place, 'is required and cannot be cleared')
      return it.keeps ? staged[column.kind].cleared : null
    }
    const read = readers[column.kind](cell, column)
    if (read === null) return column.required && (isId || !it.keeps) ? wrong(line, place, 'is required') : null
    if (typeof read === 'object') return wrong(line, place, read.fault)
    if (read.length > mostOf(column)) return wrong(line, place, `may have at most ${mostOf(column)} characters`)
    if (read.includes('\0')) return wrong(line, place, 'holds a NUL character')
    if (!isId && holdsCard(read)) return wrong(line, place, card)
    return read
  }

  const rowOf = (line: Line): string | null => {
    const before = report.faulty
    if (strict && line.cells.length < heading.width) {
      fault(line.row, null, null, `The row has ${line.cells.length} cells where the heading has ${heading.width}`)
      return null
    }
    if (strict && line.cells.some((cell, at) => at >= heading.names.length && !isBlank(cell))) {
      fault(line.row, null, null, `The row has ${line.cells.length} cells where the heading has ${heading.names.length}`)
      return null
    }
    const values: (string | null | undefined)[] = []
    for (const column of columns) values.push(valueOf(column, line))
    const extra = extraOf(line)
    if (report.faulty > before) return null
    const broken = rule(values as (string | null)[])
    if (broken) {
      const { column, at } = columns.find((one) => one.column.field === broken.field)!
      fault(line.row, column.head, line.cells[at], broken.message)
      return null
    }
    let text = String(line.row)
    for (const value of values) text += `\t${copied(value as string | null)}`
    return `${text}\t${copied(extra)}\n`
  }

  for await (const batch of sheet.lines()) {
    let text = ''
    for (const line of batch) {
      if (line.row <= heading.row || line.cells.every(isBlank) || repeats(heading, line)) continue
      if (isTotal(line)) {
        totals.push(line.row)
        continue
      }
      report.rows += 1
      if (report.rows > limits.rows) throw new Refusal(422, `The file has more than ${limits.rows.toLocaleString('en-US')} rows; divide it`)
      text += rowOf(line) ?? ''
    }
    if (text) await emit(text)
  }
  await book.finish()
  if (report.rows === 0) throw new Refusal(422, `No ${it.noun} row was found below the heading in row ${heading.row}`)
  const left = totals.length === 1 ? 'A row with totals was' : `${totals.length} rows with totals were`
  if (totals.length) report.warnings.push(`${left} left out (row ${totals.slice(0, 5).join(', ')})`)
  if (others.length) report.warnings.push(`The sheet ${sheet.name} was read; ${others.join(', ')} looks like another table and was not`)
  return report
}
