import type { ColumnKind, ReportColumn, ReportRow } from '../../../schemas/api/reports.ts'

/** What is written to a file. `about` tells of the report, pair by pair, where the format has a place for it. */
export type Sheet = {
  title: string
  columns: readonly ReportColumn[]
  rows: AsyncIterable<ReportRow[]>
  /** Once all rows were read. */
  totals(): ReportRow | null
  about: readonly (readonly [name: string, value: string])[]
}

export type Value = string | number | boolean | null | undefined

/** A text a spreadsheet would take for a formula: also in the full-width forms that some convert, and behind blanks. */
export const looksLikeFormula = (text: string) =>
  /^[\s\u00a0\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n\0]/.test(text)

const decimals: Partial<Record<ColumnKind, number>> = { money: 2, count: 0 }

/** '10/31/2026' of epoch seconds. */
export const dateText = (seconds: number) => {
  const iso = new Date(seconds * 1000).toISOString()
  return `${iso.slice(5, 7)}/${iso.slice(8, 10)}/${iso.slice(0, 4)}`
}

/** A number as written in a file: money always with its cents, never in E-notation or grouped. */
export const numberText = (value: number, kind: ColumnKind) => {
  const places = decimals[kind]
  const text = places === undefined ? value.toFixed(6).replace(/\.?0+$/, '') : value.toFixed(places)
  return /^-0(\.0+)?$/.test(text) ? text.slice(1) : text
}

export const flagText = (value: boolean) => (value ? 'Yes' : 'No')
