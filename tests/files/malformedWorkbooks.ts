import { rawXlsx, rowXml } from './workbooks.ts'
import { zipOf, type Part } from './zips.ts'

export const headRow = rowXml(1, 'XMID', 'DBA', 'Master Agent')
/** A heading and what follows it. */
export const under = (...rows: string[]) => headRow + rows.join('')
export const shop = (row: number, id = String(row)) => rowXml(row, id, 'Shop', '7')
/** A cell of any type. */
export const cell = (place: string, type: string, value: string) =>
  `<c r="${place}" t="${type}"><v>${value}</v></c>`

/** A small good workbook, changed. */
export const changed = (change: (parts: Part[]) => Part[], sheet = under(shop(2))) =>
  rawXlsx({ sheet, change })
export const plus = (...more: Part[]) => changed((parts) => [...parts, ...more])
/** One part of it, changed. */
export const altered = (ending: string, change: (part: Part) => Partial<Part>) =>
  changed((parts) => parts.map((one) => (one.name.endsWith(ending) ? { ...one, ...change(one) } : one)))

export const good = rawXlsx({ sheet: under(shop(2), shop(3)) })
export const truncated = (share: number) => good.subarray(0, Math.floor(good.length * share))
/** One bit of the file is another, so far behind the first time that these bytes stand there. */
export function flipped(after: string, by: number): Buffer {
  const bytes = Buffer.from(good)
  const at = bytes.indexOf(after) + by
  bytes[at] = bytes[at]! ^ 1
  return bytes
}

export const spaces = (size: number) => Buffer.alloc(size, 32)
/** A part that says it is small and unpacks to much. */
export const understatedSize = () => plus({ name: 'xl/a.xml', data: spaces(20_000_000), size: 1000 })
const zipped = (name: string, data: Buffer) => zipOf([{ name, data }])
export const nestedArchives = () => zipped('inner.zip', zipped('bomb.zip', zipped('a', spaces(1_000_000))))
export const manyParts = (count: number) =>
  plus(...Array.from({ length: count }, (_, at) => ({ name: `xl/${at}.xml`, data: '' })))

const entities = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join(
  '',
)
/** An entity of ten entities of ten entities. */
export const entityExpansion = () =>
  rawXlsx({
    sheet: under(shop(2)),
    strings: `<!DOCTYPE s [<!ENTITY l0 "ha">${entities}]><si><t>&l9;</t></si>`,
  })

/** Rows without a cell. */
export const emptyRows = (count: number) =>
  rawXlsx({
    sheet: under(shop(2)) + Array.from({ length: count }, (_, at) => `<row r="${at + 3}"/>`).join(''),
  })
const letters = (at: number): string =>
  (at < 26 ? '' : letters(Math.floor(at / 26) - 1)) + String.fromCharCode(65 + (at % 26))
export const manyColumns = (columns: number) =>
  rawXlsx({
    sheet:
      headRow +
      `<row r="2">${Array.from({ length: columns }, (_, at) => cell(`${letters(at)}2`, 'n', '1')).join('')}</row>`,
  })
