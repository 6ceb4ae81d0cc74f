import type { Import, RowFault } from '../../../schemas/imports/imports.ts'
import { maxHeaderLines, maxListedFaults, type ImportLimits } from '../../config/importLimits.ts'
import { invalidFile } from '../formats/fileErrors.ts'
import { displayText, isBlank, type Line, type Workbook, type Worksheet } from '../formats/sheet.ts'
import { readMoney } from './amounts.ts'
import { findHeading, isRepeatedHeading, missingHeadingError, type Heading } from './heading.ts'
import type { RejectedRowsOptions, WriteRows } from './rejectedWriter.ts'
import { createRowReader, type AddFault } from './rowReader.ts'
import type { RowRule } from './rowRules.ts'

/** What reading a file gives beside its rows. */
export type TableReport = {
  /** All data rows, those with faults too. */
  rows: number
  /** The first faults; `faulty` counts all. */
  faults: RowFault[]
  faulty: number
  /** Rows with faults. */
  rejected: number
  /** The headings of unknown columns (imports 8). */
  ignored: string[]
  warnings: string[]
  /** The lines above the heading. */
  titles: string[]
}
type Options = {
  limits: ImportLimits
  rule: RowRule
  /** Every row must be as long as the heading. */
  strict: boolean
  /** Write the rejected rows as a fix file, and no others. */
  rejectedRows?: RejectedRowsOptions | undefined
}

async function readFirstLines(sheet: Worksheet): Promise<Line[]> {
  const firstLines: Line[] = []
  for await (const batch of sheet.lines()) {
    firstLines.push(...batch.filter((line) => line.row <= maxHeaderLines))
    if ((batch.at(-1)?.row ?? 0) >= maxHeaderLines) break
  }
  return firstLines
}

type ChosenSheet = { sheet: Worksheet; firstLines: Line[]; heading: Heading; others: string[] }
/**
 * The first sheet whose first lines hold the heading; `others` names the further ones that do too
 * (imports 3).
 */
async function chooseSheet(workbook: Workbook, definition: Import): Promise<ChosenSheet> {
  const candidates = []
  for (const sheet of workbook.sheets) candidates.push({ sheet, firstLines: await readFirstLines(sheet) })
  const fitting = candidates.flatMap(({ sheet, firstLines }) => {
    const heading = findHeading(definition, firstLines)
    return heading ? [{ sheet, firstLines, heading }] : []
  })
  const [best, ...others] = fitting
  if (best) return { ...best, others: others.map(({ sheet }) => sheet.name) }
  const fullest = candidates.sort((one, other) => other.firstLines.length - one.firstLines.length)[0]
  throw missingHeadingError(definition, fullest?.firstLines ?? [])
}

const totalWord = /^\W*(?:grand\s*|sub\s*-?)?totals?\b/i
/** Whether a line holds totals (imports 7); `idAt` is the column of the id. */
function isTotal({ cells }: Line, idAt: number): boolean {
  const id = displayText(cells[idAt])
  if (id !== '') return totalWord.test(id)
  const filled = cells.filter((cell) => !isBlank(cell))
  return (
    filled.some((cell) => totalWord.test(displayText(cell))) ||
    filled.every((cell) => typeof readMoney(cell) === 'string')
  )
}

function describeLeftOut(totals: number[], { sheet, others }: ChosenSheet): string[] {
  const warnings: string[] = []
  const subject = totals.length === 1 ? 'A row with totals was' : `${totals.length} rows with totals were`
  if (totals.length) warnings.push(`${subject} left out (row ${totals.slice(0, 5).join(', ')})`)
  if (others.length)
    warnings.push(
      `The sheet ${sheet.name} was read; ${others.join(', ')} looks like another table and was not`,
    )
  return warnings
}

/**
 * Reads the rows below the heading and writes those without faults in COPY's text format: row, columns,
 * extra. Throws HttpError 422 when there is no heading, no row, or more rows than the limit.
 */
export async function readTable(
  workbook: Workbook,
  definition: Import,
  { limits, rule, strict, rejectedRows }: Options,
  write: WriteRows,
): Promise<TableReport> {
  const chosen = await chooseSheet(workbook, definition)
  const { sheet, firstLines, heading } = chosen
  const idAt = heading.columns.find(({ column }) => column.kind === 'id' && column.required)!.at
  const ignored = heading.extras.map(({ name }) => name).filter((name) => !name.startsWith('Column '))
  const { titles } = heading
  const report: TableReport = { rows: 0, faults: [], faulty: 0, rejected: 0, ignored, warnings: [], titles }
  const totals: number[] = []
  let messages: string[] = []
  const addFault: AddFault = (row, column, value, message) => {
    report.faulty += 1
    messages.push(message)
    if (report.faults.length < maxListedFaults) report.faults.push({ row, column, value, message })
  }
  const readRow = createRowReader({ definition, heading, rule, strict }, addFault)
  // Imported here because its libraries are large and seldom needed.
  const rejectedWriter =
    rejectedRows &&
    (await (
      await import('./rejectedWriter.ts')
    ).createRejectedRowWriter({ definition, firstLines, heading, options: rejectedRows, write }))
  for await (const batch of sheet.lines()) {
    let text = ''
    for (const line of batch) {
      if (line.row <= heading.row || line.cells.every(isBlank) || isRepeatedHeading(heading, line)) continue
      if (isTotal(line, idAt)) {
        totals.push(line.row)
        continue
      }
      report.rows += 1
      if (report.rows > limits.rows)
        throw invalidFile(`The file has more than ${limits.rows.toLocaleString('en-US')} rows; divide it`)
      messages = []
      const row = readRow(line)
      if (row === null) report.rejected += 1
      else text += row
      if (rejectedWriter) await rejectedWriter.add(line, messages)
    }
    if (text && !rejectedWriter) await write(text)
  }
  await workbook.verify()
  await rejectedWriter?.end()
  if (report.rows === 0)
    throw invalidFile(`No ${definition.noun} row was found below the heading in row ${heading.row}`)
  report.warnings.push(...describeLeftOut(totals, chosen))
  return report
}
