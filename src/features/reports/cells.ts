import type { ColumnKind, ReportColumn, ReportRow } from '../../../schemas/api/reports.ts'
import { escapeFormula } from '../../../schemas/formulas.ts'
import { wordOfHeading } from '../../../schemas/help/headingWords.ts'
import { formatCount, formatDollars, formatMonth, formatPercent, formatUtcDate } from '../../parts/format.ts'
import { paperColumns } from '../../parts/table/paperTables.ts'

type Value = ReportRow[string] | undefined
export const isBlank = (value: Value) => value === null || value === undefined || value === ''

/** Columns of these kinds are aligned to the end of the cell. */
export const isNumeric = (kind: ColumnKind): boolean => ['count', 'money', 'percent', 'number'].includes(kind)

/** A figure below zero, which is shown in another colour. */
export const isNegative = ({ datatype }: ReportColumn, value: Value): boolean =>
  typeof value === 'number' && value < 0 && isNumeric(datatype)

const formats: Partial<Record<ColumnKind, (value: number) => string>> = {
  money: formatDollars,
  percent: formatPercent,
  count: formatCount,
  number: new Intl.NumberFormat('en-US', { maximumFractionDigits: 4 }).format,
  date: formatUtcDate,
}

/** The text that the screen shows for a value (reports 4). */
export const formatValue = (kind: ColumnKind, value: Value): string => {
  if (isBlank(value)) return ''
  if (kind === 'flag') return value === true ? 'Yes' : 'No'
  // The word of the totals stands in the first column, of whatever kind that is.
  if (kind === 'month') return formatMonth(value) || String(value)
  return (typeof value === 'number' && formats[kind]?.(value)) || String(value)
}

/**
 * A value for a spreadsheet: a bare number, or a text that is not run as a formula (reports 6, reports 12).
 */
const clipboardValue = (kind: ColumnKind, value: Value): string => {
  if (typeof value === 'number' && isNumeric(kind)) return kind === 'money' ? value.toFixed(2) : String(value)
  return escapeFormula(formatValue(kind, value).replace(/[\t\r\n]+/g, ' '))
}

/** The whole table for the clipboard: a line per row, cells separated by tabs. */
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

/** In characters; longer texts are cut off. In narrow windows they get less room, at least so much. */
const maxTextWidth = 36
const minTextWidth = 10
const minFirstWidth = 22
/** Their least room where the columns are scrolled sideways in any case. */
const scrolledTextWidth = 22
/** In characters: the room that a heading needs for its sort mark. */
const sortMarkWidth = 2
/** In characters: the room of the button of the help. */
const helpWidth = 2

/** In characters: what a total needs more, whose digits are bold and wider than those of the rows. */
const boldWidth = 1

/** The size of the letters of a heading against those of a row. */
const headSize = 0.85

/** In characters: the room of a text whose words stand on two lines. */
const twoLineWidth = (text: string): number => {
  const words = text.split(' ')
  const widths = words.map((_, index) =>
    Math.max(words.slice(0, index).join(' ').length, words.slice(index).join(' ').length),
  )
  return Math.min(...widths)
}

/**
 * The CSS widths of columns in a box of which `100cqi` is the width: each text has its least width, and of
 * what is left a share by what more it needs. Where nothing is left, so that the columns are scrolled, each
 * has its room in a scrolled table. `least` is the least width of all together.
 */
export const columnStyles = (
  columns: readonly ReportColumn[],
  widths: readonly number[],
): { least: string; styles: string[] } => {
  const leastOf = (index: number) => (index === 0 ? minFirstWidth : minTextWidth)
  const isFlexible = (index: number) => widths[index]! > leastOf(index) && columns[index]!.datatype === 'text'
  const padding = `${widths.length * cellPadding}px`
  const least = widths.reduce(
    (total, width, index) => total + (isFlexible(index) ? leastOf(index) : width),
    0,
  )
  const wanted = widths.reduce((total, width) => total + width, 0) - least
  const rest = `(100cqi - ${least}ch - ${padding})`
  const share = (index: number) => ((widths[index]! - leastOf(index)) / wanted).toFixed(4)
  // What is missing, a thousand times, is more than these digits unless nothing is.
  const whereScrolled = (digits: number) => `clamp(0ch, ${rest} * -1000, ${digits}ch)`
  const moreOf = (index: number) => Math.max(0, Math.min(widths[index]!, scrolledTextWidth) - leastOf(index))
  const more = widths.reduce((total, _, index) => total + (isFlexible(index) ? moreOf(index) : 0), 0)
  const shared = (from: number, index: number, most: number) =>
    `clamp(${from}ch, ${from}ch + ${rest} * ${share(index)}, ${most}ch)`
  return {
    least: `calc(${least}ch + ${padding} + ${whereScrolled(more)})`,
    styles: widths.map((width, index) =>
      isFlexible(index)
        ? `calc(${shared(leastOf(index), index, width)} + ${whereScrolled(moreOf(index))} + ${cellPadding}px)`
        : `calc(${width}ch + ${cellPadding}px)`,
    ),
  }
}
/** In pixels: the room on both sides of a cell's text, with its line. */
const cellPadding = 14

/** What the width of a column comes from: its heading's, and how long its longest value is, in characters. */
type ColumnLengths = { head: number; value: number }

/** Of each column, from all rows, so that it stays the same while the rows scroll. */
export const columnLengths = (
  columns: readonly ReportColumn[],
  rows: readonly ReportRow[],
  totals: ReportRow | null,
): ColumnLengths[] =>
  columns.map(({ name, displayname, datatype }) => {
    const allRows = totals ? [...rows, totals] : rows
    const head =
      Math.ceil(twoLineWidth(displayname) * headSize) +
      sortMarkWidth +
      (wordOfHeading(displayname) === null ? 0 : helpWidth)
    const longest = () => maximum(allRows, (row) => formatValue(datatype, row[name]).length)
    if (datatype === 'date') return { head, value: 10 }
    if (datatype !== 'money' && datatype !== 'count') return { head, value: longest() }
    const amount = (row: ReportRow) => Number(row[name] ?? 0)
    // The lowest and the highest amount have the longest texts.
    const extremes = [-maximum(rows, (row) => -amount(row)), maximum(rows, amount)]
    const lengthOf = (value: Value) => formatValue(datatype, value).length
    const total = totals ? lengthOf(totals[name] ?? null) + boldWidth : 0
    return { head, value: Math.max(...extremes.map(lengthOf), total) }
  })

/** The width of each column in digits. */
export const columnWidths = (columns: readonly ReportColumn[], lengths: readonly ColumnLengths[]): number[] =>
  lengths.map(({ head, value }, index) =>
    Math.max(head, columns[index]!.datatype === 'text' ? Math.min(maxTextWidth, value) : value),
  )

/** The size of the type and the widths of the columns on paper, as the variables that report.css reads. */
export const paperStyles = (columns: readonly ReportColumn[], lengths: readonly ColumnLengths[]) => {
  const { size, widths } = paperColumns(
    columns.map(({ displayname, datatype }, index) => ({
      head: displayname,
      value: (datatype === 'text' ? 'A' : '0').repeat(lengths[index]!.value),
      isText: datatype === 'text',
    })),
  )
  return {
    table: { '--paper-size': `${size}px` },
    columns: widths.map((width) => ({ '--paper-width': `${width.toFixed(2)}%` })),
  }
}

/** The greatest measure of the rows, at least 0. */
const maximum = (rows: readonly ReportRow[], measure: (row: ReportRow) => number) =>
  rows.reduce((greatest, row) => Math.max(greatest, measure(row)), 0)
