/** The width of a sheet of US Letter across, less its margins, in pixels; one of A4 is wider. */
const sheetWidth = 980
/** The padding of a cell, in pixels. */
const padding = 8
/** Font sizes in pixels; a smaller font cannot be read on paper. */
const sizes = { least: 7, most: 8 }
/**
 * In em: longer words are broken, longer texts get no more width, and with many columns a text keeps at least
 * `part` in one line.
 */
const limits = { word: 13, text: 26, part: 6 }

/** The approximate width of a text in a wide bold font, in em. */
function widthOf(text: string): number {
  let width = 0
  for (const letter of text) width += /[MWmw@%]/.test(letter) ? 1.05 : /[A-Z]/.test(letter) ? 0.82 : 0.65
  return width
}

const widest = (texts: readonly string[], limit: number) =>
  Math.min(
    limit,
    texts.reduce((most, text) => Math.max(most, widthOf(text)), 0),
  )

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

/** The font size at which each column has room for its longest word. */
const fittingSize = (words: readonly number[]) =>
  Math.min(sizes.most, Math.floor(((sheetWidth - padding * words.length) / sum(words)) * 10) / 10)

/** The font size in pixels, and the widths of the columns in percent. */
type Fitted = { size: number; widths: number[] }

/**
 * Fits columns into one table: each gets room for its longest word, and columns with longer texts share the
 * rest. All widths in em.
 */
function fitted(words: readonly number[], wanted: readonly number[], most: number): Fitted {
  const size = Math.max(sizes.least, Math.min(most, fittingSize(words)))
  const left = Math.max(0, sheetWidth - padding * words.length - size * sum(words))
  const share = left / (sum(wanted) || 1)
  const pixels = words.map((word, at) => word * size + padding + share * wanted[at]!)
  return { size, widths: pixels.map((width) => (100 * width) / sum(pixels)) }
}

/**
 * Fits any number of columns into one printed table. Each column is given by its heading, which may also be
 * broken after an underscore, its longest value, and whether the value is a text, which may be broken.
 */
export const paperColumns = (
  columns: readonly { head: string; value: string; isText: boolean }[],
): Fitted => {
  const words = columns.map(({ head, value, isText }) =>
    Math.max(
      widest(head.split(/(?<=_)| /), limits.word),
      isText ? widest([value], limits.part) : widthOf(value),
    ),
  )
  const wanted = columns.map(({ value, isText }, at) =>
    isText ? Math.max(0, widest([value], limits.text) - words[at]!) : 0,
  )
  return fitted(words, wanted, sizes.most)
}

/** The numbers from 1 to `last` in `count` runs that differ by one in length at most. */
const runsOf = (last: number, count: number): number[][] =>
  Array.from({ length: count }, (_, run) => {
    const [from, to] = [run, run + 1].map((it) => Math.round((it * last) / count)) as [number, number]
    return Array.from({ length: to - from }, (__, at) => from + at + 1)
  })

/**
 * A printed table: the indexes of its columns, its font size in pixels, and the widths of the columns in
 * percent.
 */
export type PaperTable = { columns: number[]; size: number; widths: number[] }

/**
 * Divides columns, each given by its texts, into printed tables. Each column has room for its longest word,
 * and longer texts share the rest. The font becomes smaller with more columns. If it would be too small to
 * read, the columns are divided into as few tables as possible, each beginning with the first column.
 */
export function paperTables(columns: readonly (readonly string[])[]): PaperTable[] {
  const words = columns.map((texts) =>
    widest(
      texts.flatMap((text) => text.split(' ')),
      limits.word,
    ),
  )
  const wanted = columns.map((texts, at) => widest(texts, limits.text) - words[at]! + 1)
  const others = columns.length - 1
  const counts = Array.from({ length: Math.max(1, others) }, (_, at) => at + 1)
  const divisions = counts.map((count) => runsOf(others, count).map((run) => [0, ...run]))
  const sizeOf = (shown: number[]) => fittingSize(shown.map((at) => words[at]!))
  const tables =
    divisions.find((division) => division.every((shown) => sizeOf(shown) >= sizes.least)) ?? divisions.at(-1)!
  const size = Math.max(sizes.least, Math.min(...tables.map(sizeOf)))
  const pick = (of: readonly number[], shown: readonly number[]) => shown.map((at) => of[at]!)
  return tables.map((shown) => ({
    columns: shown,
    ...fitted(pick(words, shown), pick(wanted, shown), size),
  }))
}
