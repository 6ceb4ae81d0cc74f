import type { ColumnKind, ReportColumn, ReportRow } from '../../../schemas/api/reports.ts'
import { escapeFormula } from '../../../schemas/formulas.ts'
import { csvLines } from '../../files/csv.ts'
import { dateText, flagText, numberText, type ReportSheet, type CellValue } from './cells.ts'

const csvText = (value: CellValue, kind: ColumnKind): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return flagText(value)
  if (typeof value === 'number') return kind === 'date' ? dateText(value) : numberText(value, kind)
  return escapeFormula(value)
}

const csvRow = (columns: readonly ReportColumn[], row: ReportRow): string[] =>
  columns.map(({ name, datatype }) => csvText(row[name], datatype))

/** RFC 4180 in UTF-8, with the byte order mark by which spreadsheets recognise UTF-8 (reports 11). */
export async function* writeCsv({ columns, rows, totals }: ReportSheet): AsyncGenerator<Buffer> {
  yield Buffer.from(`\ufeff${csvLines([columns.map(({ displayname }) => escapeFormula(displayname))])}`)
  for await (const batch of rows) yield Buffer.from(csvLines(batch.map((row) => csvRow(columns, row))))
  const sums = totals()
  if (sums) yield Buffer.from(csvLines([csvRow(columns, sums)]))
}
