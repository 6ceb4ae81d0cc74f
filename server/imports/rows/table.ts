import type { Import, RowFault } from '../../../schemas/imports/imports.ts'
import { maxListedFaults, maxHeaderLines, type ImportLimits } from '../../config/importLimits.ts'
import { HttpError } from '../../http/errors.ts'
import { isBlank, displayText, type Workbook, type Line, type Worksheet } from '../formats/sheet.ts'
import { readMoney } from './amounts.ts'
import { findHeading, missingHeadingError, isRepeatedHeading, type Heading } from './heading.ts'
import type { WriteRows, RejectedRowsOptions } from './rejectedWriter.ts'
import { createRowReader, type AddFault } from './rowReader.ts'
import type { RowRule } from './rowRules.ts'

/** What was read: the first faults and how many in all, the unknown columns, what a person should know. */
export type TableReport = {
  rows: number
  faults: RowFault[]
  faulty: number
  /** Rows with faults. */
  rejected: number
  ignored: string[]
  warnings: string[]
  /** What stands above the heading. */
  titles: string[]
}
/** `strict`: every row must be as long as the heading. With `fix` the rejected rows are written, not the others. */
type Options = { limits: ImportLimits; rule: RowRule; strict: boolean; fix?: RejectedRowsOptions | undefined }

async function readFirstLines(sheet: Worksheet): Promise<Line[]> {
  const first: Line[] = []
  for await (const batch of sheet.lines()) {
    first.push(...batch.filter((line) => line.row <= maxHeaderLines))
    if ((batch.at(-1)?.row ?? 0) >= maxHeaderLines) break
  }
  return first
}

type ChosenSheet = { sheet: Worksheet; first: Line[]; heading: Heading; others: string[] }
/** The sheet whose first lines hold the heading; another one that does too is worth a warning. */
async function chooseSheet(book: Workbook, it: Import): Promise<ChosenSheet> {
  const looked = []
  for (const sheet of book.sheets) looked.push({ sheet, first: await readFirstLines(sheet) })
  const fitting = looked.flatMap(({ sheet, first }) => {
    const heading = findHeading(it, first)
    return heading ? [{ sheet, first, heading }] : []
  })
  const [best, ...others] = fitting
  if (best) return { ...best, others: others.map(({ sheet }) => sheet.name) }
  const fullest = looked.sort((one, other) => other.first.length - one.first.length)[0]
  throw missingHeadingError(it, fullest?.first ?? [])
}

const total = /^\W*(?:grand\s*|sub\s*-?)?totals?\b/i

/** Reads the rows below the heading and gives them to `emit` in COPY's text format, 'row, columns, extra'. */
export async function readTable(
  book: Workbook,
  it: Import,
  options: Options,
  emit: WriteRows,
): Promise<TableReport> {
  const { limits, rule, strict, fix } = options
  const { sheet, first, heading, others } = await chooseSheet(book, it)
  const id = heading.columns.find(({ column }) => column.kind === 'id' && column.required)!
  const ignored = heading.extras.map(({ name }) => name).filter((name) => !name.startsWith('Column '))
  const report: TableReport = {
    rows: 0,
    faults: [],
    faulty: 0,
    rejected: 0,
    ignored,
    warnings: [],
    titles: heading.titles,
  }
  const totals: number[] = []
  let wrong: string[] = []
  const complain: AddFault = (row, column, value, message) => {
    report.faulty += 1
    wrong.push(message)
    if (report.faults.length < maxListedFaults) report.faults.push({ row, column, value, message })
  }
  const rowOf = createRowReader({ it, heading, rule, strict }, complain)
  // Its writers are large and seldom needed.
  const fixing =
    fix &&
    (await (await import('./rejectedWriter.ts')).createRejectedRowWriter({ it, first, heading, fix, emit }))

  const isTotal = (line: Line): boolean => {
    const key = displayText(line.cells[id.at])
    if (key !== '') return total.test(key)
    const filled = line.cells.filter((cell) => !isBlank(cell))
    return (
      filled.some((cell) => total.test(displayText(cell))) ||
      filled.every((cell) => typeof readMoney(cell) === 'string')
    )
  }

  for await (const batch of sheet.lines()) {
    let text = ''
    for (const line of batch) {
      if (line.row <= heading.row || line.cells.every(isBlank) || isRepeatedHeading(heading, line)) continue
      if (isTotal(line)) {
        totals.push(line.row)
        continue
      }
      report.rows += 1
      if (report.rows > limits.rows)
        throw new HttpError(
          422,
          `The file has more than ${limits.rows.toLocaleString('en-US')} rows; divide it`,
        )
      wrong = []
      const row = rowOf(line)
      if (row === null) report.rejected += 1
      else text += row
      if (fixing) await fixing.row(line, wrong)
    }
    if (text && !fixing) await emit(text)
  }
  await book.verify()
  await fixing?.end()
  if (report.rows === 0)
    throw new HttpError(422, `No ${it.noun} row was found below the heading in row ${heading.row}`)
  const left = totals.length === 1 ? 'A row with totals was' : `${totals.length} rows with totals were`
  if (totals.length) report.warnings.push(`${left} left out (row ${totals.slice(0, 5).join(', ')})`)
  if (others.length)
    report.warnings.push(
      `The sheet ${sheet.name} was read; ${others.join(', ')} looks like another table and was not`,
    )
  return report
}
