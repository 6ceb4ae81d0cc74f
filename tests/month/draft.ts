import type { FieldSource, Mapping } from '../../schemas/imports/mapping/mapping.ts'
import { csvOf, utf16, workbookOf, type Rows, type Value } from '../files/workbooks.ts'
import { netOf, type Figures, type Processor } from './book.ts'

/** A file as it is sent. */
export type MonthFile = { processor: Processor; filename: string; content: Buffer }

/** A sheet of a file that is still to be written; `totals` are the lines below the rows. */
export type DraftSheet = { name: string; titles: Rows; heading: string[]; rows: Rows; totals: Rows }
export type Draft = { processor: Processor; filename: string; sheets: DraftSheet[] }

/** How a column of a layout is filled; `total` makes it part of the row with totals. */
export type LayoutColumn = {
  name: string
  value(row: Figures, month: string): Value
  total?: (row: Figures) => number
}
/** Rows of the database in cents, as the layout lets them be known. */
export type Stored = {
  mid: string
  count: number
  sales: number
  income: number
  expense: number
  net: number
}

/** How a processor writes its file. */
export type Layout = {
  processor: Processor
  format: 'xlsx' | 'tabs' | ',' | ';' | '|'
  filename(month: string): string
  titles(month: string): Rows
  sheets: { name: string; columns: LayoutColumn[] }[]
  /** The text that begins the row with totals; null for a layout without one. */
  total: string | null
  /** The column in which it stands, where that is not the first. */
  idName?: string
  /** How its heading is to be read; null where the portal knows its names. */
  fields: Record<string, FieldSource> | null
  stored(row: Figures): Stored
}

/** 'October 2026' of '2026-10'. */
export const monthText = (month: string) =>
  new Date(`${month}-01T00:00:00Z`).toLocaleString('en-US', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })

export const textOfCents = (cents: number) => (cents / 100).toFixed(2)
/** `write` says how cents stand in a cell. */
export const money = (
  name: string,
  cents: (row: Figures) => number,
  write: (cents: number) => Value = textOfCents,
): LayoutColumn => ({ name, value: (row) => write(cents(row)), total: cents })

export const storesAll = (row: Figures): Stored => ({ ...row, net: netOf(row) })
/** Where a file says the net alone, it is the income (imports 27). */
export const storesNet = (row: Figures): Stored => ({
  mid: row.mid,
  count: 0,
  sales: 0,
  income: netOf(row),
  expense: 0,
  net: netOf(row),
})

const totalsOf = ({ total, idName }: Layout, columns: LayoutColumn[], figures: Figures[]): Rows => {
  if (total === null) return []
  const sums = columns.map((column): Value => {
    if (!column.total) return ''
    const sum = figures.reduce((cents, row) => cents + column.total!(row), 0)
    return typeof column.value(figures[0]!, '2026-01') === 'number' ? sum / 100 : textOfCents(sum)
  })
  const at = Math.max(
    0,
    columns.findIndex(({ name }) => name === idName),
  )
  return [sums.with(at, total)]
}

export const draftOf = (layout: Layout, figures: Figures[], month: string): Draft => ({
  processor: layout.processor,
  filename: layout.filename(month),
  sheets: layout.sheets.map(({ name, columns }) => ({
    name,
    titles: layout.titles(month),
    heading: columns.map((column) => column.name),
    rows: figures.map((row) => columns.map((column) => column.value(row, month))),
    totals: totalsOf(layout, columns, figures),
  })),
})

/** The lines of a sheet as they stand in the file. */
export const linesOf = ({ titles, heading, rows, totals }: DraftSheet): Rows => [
  ...titles,
  heading,
  ...rows,
  ...totals,
]
/** The row number that a spreadsheet shows for a row of a sheet, counted from 0. */
export const rowNumber = ({ titles }: DraftSheet, at: number) => titles.length + 2 + at

/** Several sheets need the format 'xlsx'. */
export function fileOf({ format }: Layout, { processor, filename, sheets }: Draft): MonthFile {
  if (format === 'xlsx') {
    const content = workbookOf(
      'xlsx',
      Object.fromEntries(sheets.map((sheet) => [sheet.name, linesOf(sheet)])),
    )
    return { processor, filename, content }
  }
  const text = csvOf(linesOf(sheets[0]!), format === 'tabs' ? '\t' : format)
  return { processor, filename, content: format === 'tabs' ? utf16(text) : Buffer.from(text) }
}

/** The mapping of a layout whose names the portal does not know, for the heading of a draft. */
export function mappingOf({ fields, format }: Layout, { sheets }: Draft): Mapping | null {
  if (fields === null) return null
  const name = (sheet: string) => (format === 'xlsx' ? sheet : '')
  return { sheets: sheets.map((sheet) => ({ name: name(sheet.name), heading: sheet.heading })), fields }
}
