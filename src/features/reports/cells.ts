import type { ColumnKind, ReportColumn, ReportRow } from '../../../schemas/api/reports.ts'
import { count, dollars, percent, shortDate } from '../../parts/format.ts'

type Value = ReportRow[string] | undefined
const isBlank = (value: Value) => value === null || value === undefined || value === ''

/** Figures stand at the right. */
export const isFigure = (kind: ColumnKind): boolean => ['count', 'money', 'percent', 'number'].includes(kind)

const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 4 })

/** What the screen shows of a value. */
export const shown = (kind: ColumnKind, value: Value): string => {
  if (isBlank(value)) return ''
  if (typeof value !== 'number') return kind === 'flag' ? (value === true ? 'Yes' : 'No') : String(value)
  switch (kind) {
    case 'money':
      return dollars(value)
    case 'percent':
      return percent(value)
    case 'count':
      return count(value)
    case 'number':
      return number.format(value)
    case 'date':
      return shortDate(value)
    default:
      return String(value)
  }
}

/** A value as a spreadsheet takes it from the clipboard: bare figures, and no text that it would run as a formula. */
const copied = (kind: ColumnKind, value: Value): string => {
  if (typeof value === 'number' && isFigure(kind)) return kind === 'money' ? value.toFixed(2) : String(value)
  const text = shown(kind, value).replace(/[\t\r\n]+/g, ' ')
  return /^[=+\-@]/.test(text) ? `'${text}` : text
}

/** The whole table for the clipboard: one line a row, cells parted by tabs. */
export const tsv = (
  columns: readonly ReportColumn[],
  rows: readonly ReportRow[],
  totals: ReportRow | null,
): string =>
  [
    columns.map(({ displayname }) => displayname).join('\t'),
    ...[...rows, ...(totals ? [totals] : [])].map((row) =>
      columns.map(({ name, datatype }) => copied(datatype, row[name])).join('\t'),
    ),
  ].join('\r\n')

/** Most letters of a text that a column makes room for. */
const widest = 36
/** What a heading needs beside its letters: the mark that it is sorted. */
const mark = 3

/** How many digits wide each column must be, so that it does not change while the rows scroll. */
export const widths = (
  columns: readonly ReportColumn[],
  rows: readonly ReportRow[],
  totals: ReportRow | null,
): number[] =>
  columns.map(({ name, displayname, datatype }) => {
    const all = totals ? [...rows, totals] : rows
    const head = displayname.length + mark
    if (datatype === 'date') return Math.max(head, 10)
    if (!isFigure(datatype))
      return Math.max(
        head,
        Math.min(
          widest,
          longest(all, (row) => shown(datatype, row[name]).length),
        ),
      )
    if (datatype === 'number' || datatype === 'percent')
      return Math.max(
        head,
        longest(all, (row) => shown(datatype, row[name]).length),
      )
    const amount = (row: ReportRow) => Number(row[name] ?? 0)
    const ends = [-longest(all, (row) => -amount(row)), longest(all, amount)]
    return Math.max(head, ...ends.map((value) => shown(datatype, value).length))
  })

/** 0 or more. */
const longest = (rows: readonly ReportRow[], measure: (row: ReportRow) => number) =>
  rows.reduce((most, row) => Math.max(most, measure(row)), 0)
