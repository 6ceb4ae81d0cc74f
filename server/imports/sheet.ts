import { Refusal } from '../errors.ts'
import type { Cell, Line } from './book.ts'
import type { Limits } from './limits.ts'
import { decodeUtf8 } from './utf8.ts'
import { cellText, runs } from './xml.ts'

/** How a number is shown: as a date, or padded with zeros to so many digits. */
export type Style = { day: boolean; pad: number }
/** What the cells of a sheet refer to. `shift` is 1462 in a workbook that counts days from 1904. */
export type Shared = { strings: string[]; styles: Style[]; shift: number }

const damaged = (how: string) => new Refusal(422, `The workbook is damaged: ${how}`)
const plain: Style = { day: false, pad: 0 }
const noValue = 'holds a formula whose result is not stored; open the file in a spreadsheet program, save it and try again'

/** The value of one attribute inside a tag; the writers all use double quotes, a single one is also legal. */
const attribute = (tag: string, name: string): string => {
  let from = tag.indexOf(` ${name}="`)
  let quote = '"'
  if (from < 0 && tag.includes("'")) {
    from = tag.indexOf(` ${name}='`)
    quote = "'"
  }
  return from < 0 ? '' : tag.slice(from + name.length + 3, tag.indexOf(quote, from + name.length + 3))
}

/** A tag with one plain space between its attributes, as nearly every writer leaves it. */
const tidy = (tag: string) => (/[\t\r\n]|\s=|=\s/.test(tag) ? tag.replace(/\s*=\s*/g, '=').replace(/\s+/g, ' ') : tag)

/** 'BC7' is column 54; -1 for what is no reference. */
const columnOf = (reference: string): number => {
  let column = 0
  for (let index = 0; index < reference.length; index += 1) {
    const code = reference.charCodeAt(index)
    if (code < 65 || code > 90) return index === 0 ? -1 : column - 1
    column = column * 26 + code - 64
  }
  return -1
}

/** The text between an element's tags; null when there is no such element. */
const inside = (body: string, tag: string): string | null => {
  const at = body.indexOf(`<${tag}`)
  if (at < 0) return null
  const open = body.indexOf('>', at)
  if (body[open - 1] === '/') return ''
  const close = body.indexOf('<', open)
  return close < 0 ? '' : body.slice(open + 1, close)
}

function cellOf(tag: string, body: string, prefix: string, { strings, styles, shift }: Shared): Cell {
  const type = attribute(tag, 't')
  if (type === 'inlineStr') return runs(body)
  const value = inside(body, `${prefix}v`)
  const computed = body.includes(`<${prefix}f`)
  if (value === null || (value === '' && type !== 'str')) return computed ? { fault: noValue } : null
  if (type === 's') {
    const text = strings[Number(value)]
    if (text === undefined) throw damaged('a cell refers to a text that is missing')
    return text
  }
  if (type === 'str' || type === 'd') return cellText(value)
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type === 'e') return { fault: `holds the error ${cellText(value)}` }
  const number = Number(value)
  if (!Number.isFinite(number)) return { fault: 'holds a number that cannot be read' }
  const style = styles[Number(attribute(tag, 's') || -1)] ?? plain
  return { number: style.day && shift ? String(number + shift) : value.trim(), pad: style.pad, day: style.day }
}

function cellsOf(xml: string, prefix: string, shared: Shared, limits: Limits, row: number): Cell[] {
  if (xml.includes('<!')) throw damaged(`row ${row} holds a comment, which no spreadsheet program writes`)
  const cells: Cell[] = []
  const opening = `<${prefix}c`
  const closing = `</${prefix}c>`
  let at = xml.indexOf(opening)
  while (at >= 0) {
    const next = xml.charCodeAt(at + opening.length)
    const end = xml.indexOf('>', at)
    if (end < 0) throw damaged(`row ${row} ends within a cell`)
    if (next !== 32 && next !== 62 && next !== 47 && next !== 10 && next !== 13 && next !== 9) {
      at = xml.indexOf(opening, end)
      continue
    }
    const empty = xml.charCodeAt(end - 1) === 47
    const tag = tidy(xml.slice(at + opening.length, end))
    const reference = attribute(tag, 'r')
    const column = reference ? columnOf(reference) : cells.length
    if (column < cells.length || column > 16_383) throw damaged(`row ${row} holds the cell ${reference} twice or out of order`)
    const close = empty ? end : xml.indexOf(closing, end)
    if (close < 0) throw damaged(`row ${row} ends within a cell`)
    const cell = empty ? null : cellOf(tag, xml.slice(end + 1, close), prefix, shared)
    if (cell !== null) {
      if (column >= limits.columns) throw new Refusal(422, `Row ${row} has more than ${limits.columns} columns`)
      while (cells.length < column) cells.push(null)
      cells.push(cell)
    }
    at = xml.indexOf(opening, close)
  }
  return cells
}

/** The rows of one worksheet part, in the order and with the numbers they have in it. Rows without a value are left out. */
export async function* sheetLines(part: AsyncIterable<Buffer>, shared: Shared, limits: Limits): AsyncGenerator<Line[]> {
  let text = ''
  let prefix: string | null = null
  let last = 0
  for await (const more of decodeUtf8(part, () => damaged('a worksheet is not valid UTF-8'))) {
    text += more
    if (prefix === null) {
      const data = /<((?:\w+:)?)sheetData\s*(\/?)>/.exec(text)
      if (!data) {
        if (text.length > limits.rowSize) throw damaged('a worksheet holds no rows')
        continue
      }
      prefix = data[1]!
      text = data[2] ? `</${prefix}sheetData>` : text.slice(data.index + data[0].length)
    }
    const lines: Line[] = []
    let at = 0
    for (;;) {
      const start = text.indexOf('<', at)
      const end = start < 0 ? -1 : text.indexOf('>', start)
      if (end < 0) break
      if (text.startsWith(`</${prefix}sheetData`, start)) {
        yield lines
        for await (const _ of part);
        return
      }
      if (!text.startsWith(`<${prefix}row`, start)) throw damaged(`something that is no row follows row ${last}`)
      const tag = tidy(text.slice(start, end))
      const row = Number(attribute(tag, 'r') || last + 1)
      if (!Number.isInteger(row) || row <= last || row > 1_048_576) throw damaged(`row ${attribute(tag, 'r')} stands after row ${last}`)
      const empty = tag.endsWith('/')
      const close = empty ? end + 1 : text.indexOf(`</${prefix}row>`, end)
      if (close < 0) break
      const cells = empty ? [] : cellsOf(text.slice(end + 1, close), prefix, shared, limits, row)
      if (cells.length) lines.push({ row, cells })
      last = row
      at = empty ? close : close + prefix.length + 6
    }
    text = text.slice(at)
    if (text.length > limits.rowSize) throw new Refusal(422, `Row ${last + 1} is too long to be read`)
    if (lines.length) yield lines
  }
  throw damaged('a worksheet ends in the middle')
}
