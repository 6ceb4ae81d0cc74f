/** The width of a sheet of US Letter across, less its margins, in pixels; one of A4 is wider. */
const sheetWidth = 980
/** Beside the text of a cell, in pixels. */
const padding = 8
/** Of the type, in pixels; what would be smaller than the least is not read on paper. */
const sizes = { least: 7, most: 8 }
/**
 * A longer word is broken, and a longer text asks for no more room; of many columns a text has this part
 * without being broken. In widths of the type.
 */
const limits = { word: 13, text: 26, part: 6 }

/** About how wide a text is in a wide and bold type, in widths of the type. */
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

/** The type's size at which each of the columns has room for its longest word. */
const fittingSize = (words: readonly number[]) =>
  Math.min(sizes.most, Math.floor(((sheetWidth - padding * words.length) / sum(words)) * 10) / 10)

/** The type's size in pixels, and the widths of columns in percent. */
type Fitted = { size: number; widths: number[] }

/**
 * Columns in one table of at most this size, each with room for its longest word; those that ask for more
 * share what is left. All in widths of the type.
 */
function fitted(words: readonly number[], wanted: readonly number[], most: number): Fitted {
  const size = Math.max(sizes.least, Math.min(most, fittingSize(words)))
  const left = Math.max(0, sheetWidth - padding * words.length - size * sum(words))
  const share = left / (sum(wanted) || 1)
  const pixels = words.map((word, at) => word * size + padding + share * wanted[at]!)
  return { size, widths: pixels.map((width) => (100 * width) / sum(pixels)) }
}

/**
 * How columns stand on paper in one table, however many they are. Each is given as its heading, which may be
 * broken behind a low line too, its longest value, and whether that is a text, which may be broken.
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

/** A table on paper: which columns it has, the size of its type in pixels, and their widths in percent. */
export type PaperTable = { columns: number[]; size: number; widths: number[] }

/**
 * How columns, each given as its texts, stand on paper. Each has room for its longest word, the type becoming
 * smaller where they are many, and the texts that take more lines share what is left. Where the type would be
 * smaller than the least, the columns stand in as few tables as they need, each beginning with the first one.
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
