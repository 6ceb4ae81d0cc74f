import type { ReportRow, ReportColumn } from '../../schemas/reports.ts'

type Key = string | number

/** Small and capital letters, with and without accents, stand beside each other. */
const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/**
 * The rows in the order of a column: '{name}' upwards, '-{name}' downwards, '' as the server gave them. Blanks come
 * last either way, and equal rows keep their order.
 */
export const sorted = (columns: readonly ReportColumn[], rows: readonly ReportRow[], sort: string): readonly ReportRow[] => {
  const [name, sign] = sort.startsWith('-') ? [sort.slice(1), -1] : [sort, 1]
  if (!columns.some((column) => column.name === name)) return rows
  const keyed: { row: ReportRow; key: Key }[] = []
  const blank: ReportRow[] = []
  for (const row of rows) {
    const value = row[name]
    if (value === null || value === undefined || value === '') blank.push(row)
    else keyed.push({ row, key: typeof value === 'string' ? folded(value) : Number(value) })
  }
  keyed.sort((a, b) => (a.key < b.key ? -sign : a.key > b.key ? sign : 0))
  return [...keyed.map(({ row }) => row), ...blank]
}
