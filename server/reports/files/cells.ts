import type { ColumnKind, ReportColumn, ReportRow } from '../../../schemas/api/reports.ts'

/** A report as it is written to a file. `about` describes the report where the format has a place for it. */
export type ReportSheet = {
  title: string
  columns: readonly ReportColumn[]
  rows: AsyncIterable<ReportRow[]>
  /** Complete once all rows were read. */
  totals(): ReportRow | null
  about: readonly (readonly [name: string, value: string])[]
}

export type CellValue = string | number | boolean | null | undefined

const decimals: Partial<Record<ColumnKind, number>> = { money: 2, count: 0 }

/** '10/31/2026' of epoch seconds. */
export const dateText = (seconds: number) => {
  const iso = new Date(seconds * 1000).toISOString()
  return `${iso.slice(5, 7)}/${iso.slice(8, 10)}/${iso.slice(0, 4)}`
}

/** A number as written in a file: money always with its cents, without exponents or group separators. */
export const numberText = (value: number, kind: ColumnKind) => {
  const places = decimals[kind]
  const text = places === undefined ? value.toFixed(6).replace(/\.?0+$/, '') : value.toFixed(places)
  return /^-0(\.0+)?$/.test(text) ? text.slice(1) : text
}

export const flagText = (value: boolean) => (value ? 'Yes' : 'No')
