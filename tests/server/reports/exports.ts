import { parse } from 'csv-parse/sync'
import { readXlsx } from 'hucre'
import type { ColumnKind, ReportColumn, ReportRow } from '../../../schemas/api/reports.ts'
import { looksLikeFormula } from '../../../schemas/formulas.ts'
import { dateText, flagText } from '../../../server/reports/files/cells.ts'

/** A CSV file as rows of texts; an apostrophe that makes a text harmless is taken off. */
export const readCsv = (text: string): string[][] =>
  (parse(text, { bom: true, relax_column_count: false }) as string[][]).map((row) =>
    row.map((cell) => (cell.startsWith("'") && looksLikeFormula(cell.slice(1)) ? cell.slice(1) : cell)),
  )

/** The sheets of a workbook by name, as rows of values. */
export async function readSheets(bytes: Uint8Array): Promise<[string, unknown[][]][]> {
  const { sheets } = await readXlsx(bytes)
  return sheets.map(({ name, rows }) => [name, rows.map((row) => [...row])])
}

/** How the screen's figure stands in a CSV file. */
export const csvText = (value: ReportRow[string] | undefined, kind: ColumnKind): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return flagText(value)
  if (typeof value === 'string') return value
  return kind === 'date' ? dateText(value) : kind === 'money' ? value.toFixed(2) : String(value)
}

/** And in a workbook, where numbers are numbers and dates are days. */
export const sheetValue = (value: ReportRow[string] | undefined, kind: ColumnKind): unknown => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return flagText(value)
  return kind === 'date' ? new Date(Number(value) * 1000).toISOString() : value
}
export const plain = (value: unknown) => (value instanceof Date ? value.toISOString() : (value ?? ''))

export const table = (
  columns: ReportColumn[],
  rows: ReportRow[],
  totals: ReportRow | null,
  cell: typeof csvText | typeof sheetValue,
) =>
  [...rows, ...(totals ? [totals] : [])].map((row) =>
    columns.map(({ name, datatype }) => cell(row[name], datatype)),
  )
