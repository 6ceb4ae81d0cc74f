import type { Import, RowFault } from '../../../schemas/imports/imports.ts'
import type { Mapping } from '../../../schemas/imports/mapping/mapping.ts'
import { maxHeaderLines, maxListedFaults, type ImportLimits } from '../../config/importLimits.ts'
import { invalidFile } from '../formats/fileErrors.ts'
import { isBlank, type Line, type Workbook, type Worksheet } from '../formats/sheet.ts'
import { createAmountSums } from './amountSums.ts'
import { findHeading, isRepeatedHeading, missingHeadingError, type Heading } from './heading.ts'
import type { RejectedRowsOptions, WriteRows } from './rejectedWriter.ts'
import { createRowReader, type AddFault } from './rowReader.ts'
import type { RowRule } from './rowRules.ts'
import { createTotalRows } from './totalRows.ts'

/** What reading a file gives besides its rows. */
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
  /** The mapping by which it was read, if any. */
  mapping: AppliedMapping | null
}
/**
 * `isGiven`: it was sent with the file, and is not yet saved (mapping 4). `sheets` are the names of the
 * file's sheets in the order of the mapping's.
 */
export type AppliedMapping = { mapping: Mapping; fingerprint: string; sheets: string[]; isGiven: boolean }

type TableRequest = {
  workbook: Workbook
  chosen: ChosenSheet
  definition: Import
  limits: ImportLimits
  rule: RowRule
  /** Every row must be as long as the heading. */
  strict: boolean
  /** Write the rejected rows as a fix file, and no others. */
  rejectedRows?: RejectedRowsOptions | undefined
  /** Takes the rows, or those of the fix file. */
  write: WriteRows
}

/** The lines in which a heading is looked for. */
export async function readFirstLines(sheet: Worksheet): Promise<Line[]> {
  const firstLines: Line[] = []
  for await (const batch of sheet.lines()) {
    firstLines.push(...batch.filter((line) => line.row <= maxHeaderLines))
    if ((batch.at(-1)?.row ?? 0) >= maxHeaderLines) break
  }
  return firstLines
}

/** The table of a file: its lines, and those up to its heading. */
export type ChosenSheet = {
  sheet: Worksheet
  firstLines: Line[]
  heading: Heading
  /** Further sheets that hold a heading and are not read. */
  others: string[]
  mapping: AppliedMapping | null
}
/**
 * The first sheet whose first lines hold the heading; `others` names the further ones that do too
 * (imports 3).
 */
export async function chooseSheet(workbook: Workbook, definition: Import): Promise<ChosenSheet> {
  const candidates = []
  for (const sheet of workbook.sheets) candidates.push({ sheet, firstLines: await readFirstLines(sheet) })
  const fitting = candidates.flatMap(({ sheet, firstLines }) => {
    const heading = findHeading(definition, firstLines)
    return heading ? [{ sheet, firstLines, heading }] : []
  })
  const [best, ...others] = fitting
  if (best) return { ...best, others: others.map(({ sheet }) => sheet.name), mapping: null }
  const fullest = candidates.sort((one, other) => other.firstLines.length - one.firstLines.length)[0]
  throw missingHeadingError(definition, fullest?.firstLines ?? [])
}

const describeOtherSheets = ({ sheet, others }: ChosenSheet): string[] =>
  others.length
    ? [`The sheet ${sheet.name} was read; ${others.join(', ')} looks like another table and was not`]
    : []

/**
 * Reads the rows below the heading and writes those whose key can be read in COPY's text format: row,
 * columns, extra, columns with faults. Throws HttpError 422 when there is no heading, no row, or more rows
 * than the limit.
 */
export async function readTable(request: TableRequest): Promise<TableReport> {
  const { workbook, chosen, definition, limits, rule, strict, rejectedRows, write } = request
  const { sheet, firstLines, heading, mapping } = chosen
  const idAt = heading.columns.find(({ column }) => column.kind === 'id' && column.required)!.at
  const ignored = heading.extras.map(({ name }) => name).filter((name) => !name.startsWith('Column '))
  const { titles } = heading
  const counts = { rows: 0, faulty: 0, rejected: 0 }
  const report: TableReport = { ...counts, faults: [], ignored, warnings: [], titles, mapping }
  let messages: string[] = []
  const addFault: AddFault = (row, column, value, message) => {
    report.faulty += 1
    messages.push(message)
    if (report.faults.length < maxListedFaults) report.faults.push({ row, column, value, message })
  }
  const sums = createAmountSums(definition, heading)
  const totalRows = createTotalRows(heading, idAt, sums, addFault)
  const readRow = createRowReader({ definition, heading, rule, strict, sums }, addFault)
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
      if (totalRows.take(line)) continue
      report.rows += 1
      if (report.rows > limits.rows)
        throw invalidFile(`The file has more than ${limits.rows.toLocaleString('en-US')} rows; divide it`)
      messages = []
      const row = readRow(line)
      if (row.isRejected) report.rejected += 1
      text += row.text ?? ''
      if (rejectedWriter) await rejectedWriter.add(line, messages)
    }
    if (text && !rejectedWriter) await write(text)
  }
  totalRows.finish()
  await workbook.verify()
  await rejectedWriter?.end()
  if (report.rows === 0)
    throw invalidFile(`No ${definition.noun} row was found below the heading in row ${heading.row}`)
  report.warnings.push(
    ...totalRows.describe(mapping?.sheets ?? []),
    ...describeOtherSheets(chosen),
    ...rule.describe(),
    ...sums.describeRoundings(),
  )
  return report
}
