/** The width of a sheet of US Letter across, less its margins, in pixels; one of A4 is wider. */
const sheetWidth = 980
/** Beside the text of a cell, in pixels. */
const padding = 8
/** Of the type, in pixels; what would be smaller than the least is not read on paper. */
const sizes = { least: 7, most: 8 }
/** A longer word is broken, and a longer text asks for no more room; in widths of the type. */
const limits = { word: 13, text: 26 }

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
  return tables.map((shown) => {
    const left = Math.max(0, sheetWidth - padding * shown.length - size * sum(shown.map((at) => words[at]!)))
    const share = left / sum(shown.map((at) => wanted[at]!))
    const pixels = shown.map((at) => words[at]! * size + padding + share * wanted[at]!)
    return { columns: shown, size, widths: pixels.map((width) => (100 * width) / sum(pixels)) }
  })
}
