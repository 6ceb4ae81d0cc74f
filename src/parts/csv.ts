/** A cell that a spreadsheet would take for a formula is made text; quotes are doubled. */
const cell = (value: string | number): string => {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The address of a small CSV file made in the page, for a link with `download`. */
export const csvLink = (head: readonly string[], rows: readonly (readonly (string | number)[])[] = []): string =>
  `data:text/csv;charset=utf-8,${encodeURIComponent([head, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join(''))}`
