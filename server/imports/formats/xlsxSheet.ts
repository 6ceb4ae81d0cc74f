import type { ImportLimits } from '../../config/importLimits.ts'
import { HttpError } from '../../http/errors.ts'
import type { Cell, Line } from './sheet.ts'
import { valuesOf, type Shared } from './xlsxValues.ts'
import { cellText } from './xml.ts'
import {
  blocksOf,
  cut,
  damaged,
  endOfText,
  newTag,
  readTag,
  skipSpace,
  stands,
  type Block,
  type Tag,
} from './xmlScan.ts'

const mostColumns = 16_384
const mostRows = 1_048_576

/** What cells of a sheet are called in bytes, with the prefix of the sheet. */
const names = (prefix: string) => {
  const of = (text: string) => Buffer.from(text)
  return {
    prefix,
    row: of(`<${prefix}row`),
    rowEnd: of(`</${prefix}row>`),
    end: of(`</${prefix}sheetData`),
    cell: of(`<${prefix}c`),
    cellEnd: of(`</${prefix}c>`),
    value: of(`<${prefix}v>`),
    valueEnd: of(`</${prefix}v></${prefix}c>`),
    inline: of(`<${prefix}is><${prefix}t>`),
    inlineEnd: of(`</${prefix}t></${prefix}is></${prefix}c>`),
    extra: of(`<${prefix}extLst`),
    extraEnd: of(`</${prefix}extLst>`),
  }
}

/** Four characters as the number they are in memory: comparing numbers is what makes the usual cell cheap. */
const word = (four: string) => Buffer.from(four).readUInt32LE()
const usual = {
  cell: word('<c r'),
  style: word('" s='),
  type: word('" t='),
  shared: word('="s"'),
  value: word('"><v'),
  valueEnd: word('</v>'),
  cellEnd: word('</c>'),
}

/** Reads the rows of one worksheet out of its blocks. */
class Rows {
  readonly lines: Line[] = []
  /** The last row that was read. */
  last = 0
  ended = false
  private readonly tag: Tag = newTag()
  private readonly names: ReturnType<typeof names>
  private readonly strings: string[]
  private readonly values: ReturnType<typeof valuesOf>
  private readonly limits: ImportLimits
  /** The cell that was read last, and whether there was one. */
  private cell: Cell = null
  /** The first column that the row has not had yet. */
  private next = 0

  constructor(prefix: string, shared: Shared, limits: ImportLimits) {
    this.names = names(prefix)
    this.strings = shared.strings
    this.values = valuesOf(shared, prefix)
    this.limits = limits
  }

  /** Reads as many whole rows as a block holds; answers how far it came. */
  take(block: Block, from: number): number {
    const { bytes } = block
    const { names, tag } = this
    let at = from
    for (;;) {
      const start = skipSpace(bytes, at)
      if (start + names.end.length >= bytes.length) return at
      if (stands(bytes, start, names.end)) {
        this.ended = true
        return start
      }
      if (!stands(bytes, start, names.row) || !endsName(bytes[start + names.row.length]!))
        throw damaged(`something that is no row follows row ${this.last}`)
      const after = readTag(bytes, start + names.row.length, tag)
      if (after < 0) return at
      const row = tag.row < 0 ? this.last + 1 : tag.row
      if (row <= this.last || row > mostRows) throw damaged(`row ${row} stands after row ${this.last}`)
      const cells: Cell[] = []
      const end = tag.empty ? after : this.cells(block, after, row, cells)
      if (end < 0) return at
      if (cells.length) this.lines.push({ row, cells })
      this.last = row
      at = end
    }
  }

  /** Reads the cells of a row; answers the place behind the row, or -1 when the block ends before it does. */
  private cells(block: Block, from: number, row: number, cells: Cell[]): number {
    const { bytes } = block
    const { names, tag } = this
    this.next = 0
    let at = from
    for (;;) {
      at = skipSpace(bytes, names.prefix ? at : this.usual(block, at, row, cells))
      if (at + names.extra.length >= bytes.length) return -1
      if (!stands(bytes, at, names.cell) || !endsName(bytes[at + names.cell.length]!)) {
        if (stands(bytes, at, names.rowEnd)) return at + names.rowEnd.length
        if (!stands(bytes, at, names.extra)) throw damaged(`row ${row} holds something that is no cell`)
        const end = bytes.indexOf(names.extraEnd, at)
        if (end < 0) return -1
        at = end + names.extraEnd.length
        continue
      }
      const after = readTag(bytes, at + names.cell.length, tag)
      if (after < 0) return -1
      const column = tag.row < 0 ? this.next : tag.column
      if (tag.row >= 0 && tag.row !== row) throw damaged(`row ${row} holds a cell of row ${tag.row}`)
      if (column < this.next || column >= mostColumns)
        throw damaged(`row ${row} holds a cell twice or out of order`)
      this.next = column + 1
      at = tag.empty ? after : this.value(block, after)
      if (at < 0) return -1
      if (tag.empty || this.cell === null) continue
      if (column >= this.limits.columns)
        throw new HttpError(422, `Row ${row} has more than ${this.limits.columns} columns`)
      while (cells.length < column) cells.push(null)
      cells.push(this.cell)
    }
  }

  /**
   * Reads cells as long as they look like `<c r="B2" s="1" t="s"><v>7</v></c>`, style and type left out or not. It knows
   * no other way to write them, which makes it three times as fast as what follows it and takes any.
   */
  private usual(block: Block, from: number, row: number, cells: Cell[]): number {
    const { bytes } = block
    const { strings } = this
    const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    const last = bytes.length - 80
    for (let at = from; ;) {
      if (
        at > last ||
        words.getUint32(at, true) !== usual.cell ||
        bytes[at + 4] !== 61 ||
        bytes[at + 5] !== 34
      )
        return at
      let place = at + 6
      let byte = bytes[place]!
      let column = 0
      for (; byte >= 65 && byte <= 90; byte = bytes[++place]!) column = column * 26 + byte - 64
      let number = 0
      for (; byte >= 48 && byte <= 57; byte = bytes[++place]!) number = number * 10 + byte - 48
      if (number !== row || column <= this.next || column > this.limits.columns || place > last) return at
      let style = -1
      if (words.getUint32(place, true) === usual.style && bytes[place + 4] === 34) {
        place += 5
        style = 0
        for (byte = bytes[place]!; byte >= 48 && byte <= 57; byte = bytes[++place]!)
          style = style * 10 + byte - 48
      }
      if (place > last) return at
      const isText =
        words.getUint32(place, true) === usual.type && words.getUint32(place + 3, true) === usual.shared
      if (isText) place += 6
      if (words.getUint32(place, true) !== usual.value || bytes[place + 4] !== 62) return at
      const start = place + 5
      place = start
      number = 0
      for (byte = bytes[place]!; byte >= 48 && byte <= 57; byte = bytes[++place]!)
        number = number * 10 + byte - 48
      const isWhole =
        byte === 60 && place > start && place - start < 16 && (bytes[start] !== 48 || place === start + 1)
      if (isText && !isWhole) return at
      if (!isWhole) place = endOfText(bytes, place)
      if (place === start || place + 8 > bytes.length) return at
      if (
        words.getUint32(place, true) !== usual.valueEnd ||
        words.getUint32(place + 4, true) !== usual.cellEnd
      )
        return at
      const cell = isText
        ? strings[number]
        : this.values.number(isWhole ? String(number) : cut(block, start, place), style)
      if (cell === undefined) return at
      while (cells.length < column - 1) cells.push(null)
      cells.push(cell)
      this.next = column
      at = place + 8
    }
  }

  /** Reads what stands in a cell; answers the place behind the cell, or -1 when the block ends before it does. */
  private value(block: Block, from: number): number {
    const { bytes } = block
    const { names, tag } = this
    if (stands(bytes, from, names.value)) {
      const start = from + names.value.length
      const end = endOfText(bytes, start)
      if (end > start && stands(bytes, end, names.valueEnd)) {
        this.cell = this.values.stored(cut(block, start, end), tag)
        return end + names.valueEnd.length
      }
    } else if (tag.type === 'inlineStr' && stands(bytes, from, names.inline)) {
      const start = from + names.inline.length
      const end = endOfText(bytes, start)
      if (stands(bytes, end, names.inlineEnd)) {
        this.cell = cellText(cut(block, start, end))
        return end + names.inlineEnd.length
      }
    }
    const end = bytes.indexOf(names.cellEnd, from)
    if (end < 0) return -1
    this.cell = this.values.complex(cut(block, from, end), tag)
    return end + names.cellEnd.length
  }
}

/** A name ends at white space, '/' or '>'. */
const endsName = (byte: number) => byte <= 32 || byte === 47 || byte === 62

const opening = /<((?:\w+:)?)sheetData\s*(\/?)>/

/** The rows of one worksheet part, in the order and with the numbers they have in it. Rows without a value are left out. */
export async function* sheetLines(
  part: AsyncIterable<Buffer>,
  shared: Shared,
  limits: ImportLimits,
): AsyncGenerator<Line[]> {
  let rows: Rows | null = null
  for await (const block of blocksOf(part, 'a worksheet')) {
    let upTo = 0
    if (!rows) {
      const start = opening.exec(block.bytes.toString('latin1'))
      if (start) {
        rows = new Rows(start[1]!, shared, limits)
        rows.ended = start[2] !== ''
        upTo = start.index + start[0].length
      } else if (block.bytes.length > limits.rowSize) throw damaged('a worksheet holds no rows')
    }
    if (rows && !rows.ended) upTo = rows.take(block, upTo)
    block.done(upTo)
    if (rows?.ended) block.end()
    else if (rows && block.bytes.length - upTo > limits.rowSize)
      throw new HttpError(422, `Row ${rows.last + 1} is too long to be read`)
    if (rows?.lines.length) yield rows.lines.splice(0)
  }
  if (!rows?.ended) throw damaged('a worksheet ends in the middle')
}
