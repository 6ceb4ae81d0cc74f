import type { ReportColumn, ReportRow } from '../../schemas/reports.ts'

/** What is written to a file. `about` tells of the report, pair by pair, where the format has a place for it. */
export type Sheet = {
  title: string
  columns: readonly ReportColumn[]
  rows: AsyncIterable<ReportRow[]>
  /** Once all rows were read. */
  totals(): ReportRow | null
  about: readonly (readonly [name: string, value: string])[]
}
