import { stringify } from 'csv-stringify/sync'

/** What a plain table holds in a cell; null is blank. */
export type TableValue = string | number | null

const csvFormat = { record_delimiter: '\r\n', quoted_match: /[\r\n]|^\s|\s$/ }

/**
 * Rows as lines of CSV (RFC 4180), each ended by CR LF. A text with a blank at one of its ends is quoted,
 * because a reader may trim bare ones. Formulas are not escaped.
 */
export const csvLines = (rows: readonly (readonly TableValue[])[]): string =>
  // Typed as mutable, but only read.
  stringify(rows as TableValue[][], csvFormat)
