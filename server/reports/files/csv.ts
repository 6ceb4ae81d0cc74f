import type { ColumnKind, ReportColumn, ReportRow } from '../../../schemas/api/reports.ts'
import {
  dateText,
  flagText,
  looksLikeFormula,
  numberText,
  type ReportSheet,
  type CellValue,
} from './cells.ts'

const quoteField = (text: string) =>
  /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
/** A spreadsheet does not compute a text behind an apostrophe (reports 12). */
const escapeField = (text: string) => quoteField(looksLikeFormula(text) ? `'${text}` : text)

const csvCell = (value: CellValue, kind: ColumnKind): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return flagText(value)
  if (typeof value === 'number') return kind === 'date' ? dateText(value) : numberText(value, kind)
  return escapeField(value)
}

const csvLine = (columns: readonly ReportColumn[], row: ReportRow) =>
  `${columns.map(({ name, datatype }) => csvCell(row[name], datatype)).join(',')}\r\n`

/** RFC 4180 in UTF-8, with the byte order mark by which spreadsheets recognise UTF-8 (reports 11). */
export async function* writeCsv({ columns, rows, totals }: ReportSheet): AsyncGenerator<Buffer> {
  yield Buffer.from(`\ufeff${columns.map(({ displayname }) => escapeField(displayname)).join(',')}\r\n`)
  for await (const batch of rows) yield Buffer.from(batch.map((row) => csvLine(columns, row)).join(''))
  const sums = totals()
  if (sums) yield Buffer.from(csvLine(columns, sums))
}
