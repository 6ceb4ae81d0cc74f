import type { ColumnKind, ReportColumn, ReportRow } from '../../../schemas/api/reports.ts'
import { dateText, flagText, looksLikeFormula, numberText, type Sheet, type Value } from './cells.ts'

const quoted = (text: string) => (/[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
/** A spreadsheet shows a text behind an apostrophe as it is, and does not compute it. */
const harmless = (text: string) => quoted(looksLikeFormula(text) ? `'${text}` : text)

const cell = (value: Value, kind: ColumnKind): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return flagText(value)
  if (typeof value === 'number') return kind === 'date' ? dateText(value) : numberText(value, kind)
  return harmless(value)
}

const line = (columns: readonly ReportColumn[], row: ReportRow) =>
  `${columns.map(({ name, datatype }) => cell(row[name], datatype)).join(',')}\r\n`

/** RFC 4180 in UTF-8, with the mark by which spreadsheets know it. */
export async function* csv({ columns, rows, totals }: Sheet): AsyncGenerator<Buffer> {
  yield Buffer.from(`\ufeff${columns.map(({ displayname }) => harmless(displayname)).join(',')}\r\n`)
  for await (const batch of rows) yield Buffer.from(batch.map((row) => line(columns, row)).join(''))
  const sums = totals()
  if (sums) yield Buffer.from(line(columns, sums))
}
