import type { ReportColumn, ReportResult, ReportRow } from '../../../schemas/api/reports.ts'
import { groupRows, sortRows } from '../../../schemas/reportOrder.ts'
import { formatValue, isBlank } from './cells.ts'

/** A line of the result: a row, or the heading of a section with the number of its rows (reports 38). */
export type ShownLine = { row: ReportRow } | { section: string; path: string | null; count: number }

const cellPath = ({ link }: ReportColumn, row: ReportRow): string | null => {
  const path = link === undefined ? null : row[link]
  return typeof path === 'string' ? path : null
}

/** The lines in the order in which they are shown: the rows sorted within their sections (reports 42). */
export const shownLines = (
  { columns, data, sections = [] }: ReportResult,
  sort: string,
): readonly ShownLine[] => {
  const heads = columns.filter(({ name }) => sections.includes(name))
  return groupRows(sections, data).flatMap(({ rows }): ShownLine[] => {
    const lines = sortRows(columns, rows, sort).map((row): ShownLine => ({ row }))
    const [first] = rows
    if (heads.length === 0 || !first) return lines
    const words = heads.map(({ name, datatype }) => formatValue(datatype, first[name])).filter(Boolean)
    const path = heads.map((column) => cellPath(column, first)).find((it) => it !== null) ?? null
    return [{ section: words.join(' - ') || '(blank)', path, count: rows.length }, ...lines]
  })
}

export const rowsOf = (lines: readonly ShownLine[]): readonly ReportRow[] =>
  lines.flatMap((line) => ('row' in line ? [line.row] : []))

/**
 * The columns below the sections, without those that are blank in every row; `empty` is how many those are
 * (reports 38). The column of the figure is always among them.
 */
export const shownColumns = (
  { columns, data, totals, sections = [], figure }: ReportResult,
  withEmpty: boolean,
): { shown: readonly ReportColumn[]; empty: number } => {
  const below = columns.filter(({ name }) => !sections.includes(name))
  const isEmpty = ({ name }: ReportColumn) =>
    name !== figure?.column && (totals?.[name] ?? 0) === 0 && data.every((row) => isBlank(row[name]))
  const filled = data.length === 0 ? below : below.filter((column) => !isEmpty(column))
  return { shown: withEmpty ? below : filled, empty: below.length - filled.length }
}

/** The totals with their word in the first column that is shown (reports 38). */
export const shownTotals = (columns: readonly ReportColumn[], totals: ReportRow | null): ReportRow | null => {
  const [first] = columns
  if (!totals || !first || !isBlank(totals[first.name])) return totals
  const word = Object.values(totals).find((value) => typeof value === 'string') ?? null
  return { ...totals, [first.name]: word }
}
