import type { ReportColumn, ReportRow } from './api/reports.ts'

/** The accents that stand behind their letter in a decomposed text, as ranges of a regular expression. */
export const accents = '\\u0300-\\u036f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f'
const accentPattern = new RegExp(`[${accents}]`, 'g')

/** A text as it is sorted: capital letters and accents do not count. */
const foldCaseAndAccents = (text: string) => text.normalize('NFD').replace(accentPattern, '').toLowerCase()

/**
 * The rows sorted by a column: '{name}' ascending, '-{name}' descending, any other text as they came. Blanks
 * come last either way, and equal rows keep their order (reports 42).
 */
export const sortRows = (
  columns: readonly ReportColumn[],
  rows: readonly ReportRow[],
  sort: string,
): readonly ReportRow[] => {
  const [name, sign] = sort.startsWith('-') ? [sort.slice(1), -1] : [sort, 1]
  if (!columns.some((column) => column.name === name)) return rows
  const keyed: { row: ReportRow; key: string | number }[] = []
  const blank: ReportRow[] = []
  for (const row of rows) {
    const value = row[name]
    if (value === null || value === undefined || value === '') blank.push(row)
    else keyed.push({ row, key: typeof value === 'string' ? foldCaseAndAccents(value) : Number(value) })
  }
  keyed.sort((a, b) => (a.key < b.key ? -sign : a.key > b.key ? sign : 0))
  return [...keyed.map(({ row }) => row), ...blank]
}

type ReportSection = { key: string; rows: readonly ReportRow[] }

/**
 * The rows in groups of equal values of the columns `sections`, each group where its first row stood; one
 * group with key '' where there are no such columns (reports 38).
 */
export const groupRows = (
  sections: readonly string[],
  rows: readonly ReportRow[],
): readonly ReportSection[] => {
  if (sections.length === 0) return [{ key: '', rows }]
  const groups = new Map<string, ReportRow[]>()
  for (const row of rows) {
    const key = JSON.stringify(sections.map((name) => row[name] ?? null))
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return [...groups].map(([key, of]) => ({ key, rows: of }))
}
