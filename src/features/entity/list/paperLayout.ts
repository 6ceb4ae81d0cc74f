/** The width of a sheet of US Letter across, less its margins, in pixels; one of A4 is wider. */
const sheetWidth = 980
/** Beside the text of a cell, in pixels. */
const padding = 8
const sizes = { least: 5, most: 8 }
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

/**
 * How columns, each given as its texts, stand on a sheet: the size of the type in pixels, and the width of
 * each column in percent. Each has room for its longest word, the type becoming smaller where they are many,
 * and the texts that take more lines share what is left. So all columns are on the paper.
 */
export function paperLayout(columns: readonly (readonly string[])[]): { size: number; widths: number[] } {
  const words = columns.map((texts) =>
    widest(
      texts.flatMap((text) => text.split(' ')),
      limits.word,
    ),
  )
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
  const fitting = (sheetWidth - padding * columns.length) / sum(words)
  const size = Math.min(sizes.most, Math.max(sizes.least, Math.floor(fitting * 10) / 10))
  const wanted = columns.map((texts, at) => widest(texts, limits.text) - words[at]! + 1)
  const left = Math.max(0, sheetWidth - padding * columns.length - size * sum(words))
  const pixels = words.map((word, at) => word * size + padding + (left * wanted[at]!) / sum(wanted))
  return { size, widths: pixels.map((width) => (100 * width) / sum(pixels)) }
}
