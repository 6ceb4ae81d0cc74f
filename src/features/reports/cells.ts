import type { ColumnKind, ReportColumn, ReportRow } from '../../../schemas/api/reports.ts'
import { formatCount, formatDollars, formatPercent, formatUtcDate } from '../../parts/format.ts'

type Value = ReportRow[string] | undefined
const isBlank = (value: Value) => value === null || value === undefined || value === ''

/** Figures stand at the right. */
export const isNumeric = (kind: ColumnKind): boolean => ['count', 'money', 'percent', 'number'].includes(kind)

const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 4 })

/** What the screen shows of a value. */
export const formatValue = (kind: ColumnKind, value: Value): string => {
  if (isBlank(value)) return ''
  if (typeof value !== 'number') return kind === 'flag' ? (value === true ? 'Yes' : 'No') : String(value)
  switch (kind) {
    case 'money':
      return formatDollars(value)
    case 'percent':
      return formatPercent(value)
    case 'count':
      return formatCount(value)
    case 'number':
      return number.format(value)
    case 'date':
      return formatUtcDate(value)
    default:
      return String(value)
  }
}

/**
 * A value as a spreadsheet takes it from the clipboard: bare figures, and no text that it would run as a
 * formula.
 */
const clipboardValue = (kind: ColumnKind, value: Value): string => {
  if (typeof value === 'number' && isNumeric(kind)) return kind === 'money' ? value.toFixed(2) : String(value)
  const text = formatValue(kind, value).replace(/[\t\r\n]+/g, ' ')
  return /^[=+\-@]/.test(text) ? `'${text}` : text
}

/** The whole table for the clipboard: one line a row, cells parted by tabs. */
export const toTabSeparated = (
  columns: readonly ReportColumn[],
  rows: readonly ReportRow[],
  totals: ReportRow | null,
): string =>
  [
    columns.map(({ displayname }) => displayname).join('\t'),
    ...[...rows, ...(totals ? [totals] : [])].map((row) =>
      columns.map(({ name, datatype }) => clipboardValue(datatype, row[name])).join('\t'),
    ),
  ].join('\r\n')

/** Most letters of a text that a column makes room for. */
const maxTextWidth = 36
/** What a heading needs beside its letters: the mark that it is sorted. */
const sortMarkWidth = 3

/** How many digits wide each column must be, so that it does not change while the rows scroll. */
export const columnWidths = (
  columns: readonly ReportColumn[],
  rows: readonly ReportRow[],
  totals: ReportRow | null,
): number[] =>
  columns.map(({ name, displayname, datatype }) => {
    const all = totals ? [...rows, totals] : rows
    const head = displayname.length + sortMarkWidth
    if (datatype === 'date') return Math.max(head, 10)
    if (!isNumeric(datatype))
      return Math.max(
        head,
        Math.min(
          maxTextWidth,
          maximum(all, (row) => formatValue(datatype, row[name]).length),
        ),
      )
    if (datatype === 'number' || datatype === 'percent')
      return Math.max(
        head,
        maximum(all, (row) => formatValue(datatype, row[name]).length),
      )
    const amount = (row: ReportRow) => Number(row[name] ?? 0)
    const ends = [-maximum(all, (row) => -amount(row)), maximum(all, amount)]
    return Math.max(head, ...ends.map((value) => formatValue(datatype, value).length))
  })

/** 0 or more. */
const maximum = (rows: readonly ReportRow[], measure: (row: ReportRow) => number) =>
  rows.reduce((most, row) => Math.max(most, measure(row)), 0)
