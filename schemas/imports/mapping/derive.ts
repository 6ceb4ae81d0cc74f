import { formatDecimal, parseDecimal, sumDecimals, type AmountRules } from './decimal.ts'
import type { ColumnRef, FieldSource } from './mapping.ts'

/** The text of a derived cell, null for a blank one, or the name of the column that is no amount. */
type Derived = string | null | { noAmount: string }

/**
 * Fills digits with zeros from the left, also those that a spreadsheet protects by an apostrophe or as ="12";
 * any other text stays as it is.
 */
function padDigits(text: string, pad: number | undefined): string {
  const digits = text.replace(/^="(.*)"$/, '$1').replace(/^'/, '')
  return pad !== undefined && /^\d+$/.test(digits) ? digits.padStart(pad, '0') : text
}

/** Whether the value of a source is the cell of its one column as it is. */
export const isCopied = (source: FieldSource): boolean =>
  'columns' in source &&
  source.columns.length === 1 &&
  source.columns[0]!.sign === 1 &&
  source.pad === undefined

/** The exact sum of the columns of one row; blank cells count 0, and a row of blank cells is blank. */
function deriveSum(
  columns: readonly ColumnRef[],
  rules: AmountRules,
  textOf: (column: ColumnRef) => string | null,
): Derived {
  const parts = []
  for (const column of columns) {
    const text = textOf(column)
    if (text === null || text.trim() === '') continue
    const value = parseDecimal(text, rules)
    if (!value) return { noAmount: column.name }
    parts.push({ value, sign: column.sign })
  }
  return parts.length ? formatDecimal(sumDecimals(parts)) : null
}

/**
 * What a source gives for one row (mapping 2). `summed` holds the rules of a field whose columns are added
 * up, null for another. `textOf` is the text of a column's cell in that row, null for a blank one. Of an id
 * with a column in each of several sheets, the first that is filled counts.
 */
export function deriveText(
  source: FieldSource,
  summed: AmountRules | null,
  textOf: (column: ColumnRef) => string | null,
): Derived {
  if ('constant' in source) return source.constant
  const [first] = source.columns
  if (summed && (source.columns.length > 1 || first?.sign === -1))
    return deriveSum(source.columns, summed, textOf)
  for (const column of source.columns) {
    const text = textOf(column)
    if (text !== null && text.trim() !== '') return padDigits(text.trim(), source.pad)
  }
  return null
}
