import type { ImportLimits } from '../../config/importLimits.ts'
import { HttpError } from '../../http/errors.ts'
import type { Cell, Line } from './sheet.ts'
import { createCellConverter, type WorkbookParts } from './xlsxValues.ts'
import { decodeCellText } from './xml.ts'
import {
  readBlocks,
  blockText,
  damagedWorkbook,
  findTagStart,
  createTag,
  readTag,
  skipWhitespace,
  hasBytesAt,
  type Block,
  type Tag,
} from './xmlScan.ts'

const maxColumns = 16_384
const maxRows = 1_048_576

/** What cells of a sheet are called in bytes, with the prefix of the sheet. */
const encodeTagNames = (prefix: string) => {
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
const toUint32 = (four: string) => Buffer.from(four).readUInt32LE()
const commonWords = {
  cell: toUint32('<c r'),
  style: toUint32('" s='),
  type: toUint32('" t='),
  shared: toUint32('="s"'),
  value: toUint32('"><v'),
  valueEnd: toUint32('</v>'),
  cellEnd: toUint32('</c>'),
}

/** Reads the rows of one worksheet out of its blocks. */
class SheetParser {
  readonly parsed: Line[] = []
  /** The last row that was read. */
  lastRow = 0
  ended = false
  private readonly tag: Tag = createTag()
  private readonly names: ReturnType<typeof encodeTagNames>
  private readonly strings: string[]
  private readonly converter: ReturnType<typeof createCellConverter>
  private readonly limits: ImportLimits
  /** The cell that was read last, and whether there was one. */
  private cell: Cell = null
  /** The first column that the row has not had yet. */
  private nextColumn = 0

  constructor(prefix: string, shared: WorkbookParts, limits: ImportLimits) {
    this.names = encodeTagNames(prefix)
    this.strings = shared.strings
    this.converter = createCellConverter(shared, prefix)
    this.limits = limits
  }

  /** Reads as many whole rows as a block holds; answers how far it came. */
  readRows(block: Block, from: number): number {
    const { bytes } = block
    const { names, tag } = this
    let at = from
    for (;;) {
      const start = skipWhitespace(bytes, at)
      if (start + names.end.length >= bytes.length) return at
      if (hasBytesAt(bytes, start, names.end)) {
        this.ended = true
        return start
      }
      if (!hasBytesAt(bytes, start, names.row) || !isNameEnd(bytes[start + names.row.length]!))
        throw damagedWorkbook(`something that is no row follows row ${this.lastRow}`)
      const after = readTag(bytes, start + names.row.length, tag)
      if (after < 0) return at
      const row = tag.row < 0 ? this.lastRow + 1 : tag.row
      if (row <= this.lastRow || row > maxRows)
        throw damagedWorkbook(`row ${row} stands after row ${this.lastRow}`)
      const readCells: Cell[] = []
      const end = tag.empty ? after : this.cells(block, after, row, readCells)
      if (end < 0) return at
      if (readCells.length) this.parsed.push({ row, cells: readCells })
      this.lastRow = row
      at = end
    }
  }

  /** Reads the cells of a row; answers the place behind the row, or -1 when the block ends before it does. */
  private cells(block: Block, from: number, row: number, cells: Cell[]): number {
    const { bytes } = block
    const { names, tag } = this
    this.nextColumn = 0
    let at = from
    for (;;) {
      at = skipWhitespace(bytes, names.prefix ? at : this.readCommonCells(block, at, row, cells))
      if (at + names.extra.length >= bytes.length) return -1
      if (!hasBytesAt(bytes, at, names.cell) || !isNameEnd(bytes[at + names.cell.length]!)) {
        if (hasBytesAt(bytes, at, names.rowEnd)) return at + names.rowEnd.length
        if (!hasBytesAt(bytes, at, names.extra))
          throw damagedWorkbook(`row ${row} holds something that is no cell`)
        const end = bytes.indexOf(names.extraEnd, at)
        if (end < 0) return -1
        at = end + names.extraEnd.length
        continue
      }
      const after = readTag(bytes, at + names.cell.length, tag)
      if (after < 0) return -1
      const column = tag.row < 0 ? this.nextColumn : tag.column
      if (tag.row >= 0 && tag.row !== row) throw damagedWorkbook(`row ${row} holds a cell of row ${tag.row}`)
      if (column < this.nextColumn || column >= maxColumns)
        throw damagedWorkbook(`row ${row} holds a cell twice or out of order`)
      this.nextColumn = column + 1
      at = tag.empty ? after : this.readValue(block, after)
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
  private readCommonCells(block: Block, from: number, row: number, cells: Cell[]): number {
    const { bytes } = block
    const { strings } = this
    const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    const last = bytes.length - 80
    for (let at = from; ;) {
      if (
        at > last ||
        words.getUint32(at, true) !== commonWords.cell ||
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
      if (number !== row || column <= this.nextColumn || column > this.limits.columns || place > last)
        return at
      let style = -1
      if (words.getUint32(place, true) === commonWords.style && bytes[place + 4] === 34) {
        place += 5
        style = 0
        for (byte = bytes[place]!; byte >= 48 && byte <= 57; byte = bytes[++place]!)
          style = style * 10 + byte - 48
      }
      if (place > last) return at
      const isText =
        words.getUint32(place, true) === commonWords.type &&
        words.getUint32(place + 3, true) === commonWords.shared
      if (isText) place += 6
      if (words.getUint32(place, true) !== commonWords.value || bytes[place + 4] !== 62) return at
      const start = place + 5
      place = start
      number = 0
      for (byte = bytes[place]!; byte >= 48 && byte <= 57; byte = bytes[++place]!)
        number = number * 10 + byte - 48
      const isWhole =
        byte === 60 && place > start && place - start < 16 && (bytes[start] !== 48 || place === start + 1)
      if (isText && !isWhole) return at
      if (!isWhole) place = findTagStart(bytes, place)
      if (place === start || place + 8 > bytes.length) return at
      if (
        words.getUint32(place, true) !== commonWords.valueEnd ||
        words.getUint32(place + 4, true) !== commonWords.cellEnd
      )
        return at
      const cell = isText
        ? strings[number]
        : this.converter.number(isWhole ? String(number) : blockText(block, start, place), style)
      if (cell === undefined) return at
      while (cells.length < column - 1) cells.push(null)
      cells.push(cell)
      this.nextColumn = column
      at = place + 8
    }
  }

  /** Reads what stands in a cell; answers the place behind the cell, or -1 when the block ends before it does. */
  private readValue(block: Block, from: number): number {
    const { bytes } = block
    const { names, tag } = this
    if (hasBytesAt(bytes, from, names.value)) {
      const start = from + names.value.length
      const end = findTagStart(bytes, start)
      if (end > start && hasBytesAt(bytes, end, names.valueEnd)) {
        this.cell = this.converter.stored(blockText(block, start, end), tag)
        return end + names.valueEnd.length
      }
    } else if (tag.type === 'inlineStr' && hasBytesAt(bytes, from, names.inline)) {
      const start = from + names.inline.length
      const end = findTagStart(bytes, start)
      if (hasBytesAt(bytes, end, names.inlineEnd)) {
        this.cell = decodeCellText(blockText(block, start, end))
        return end + names.inlineEnd.length
      }
    }
    const end = bytes.indexOf(names.cellEnd, from)
    if (end < 0) return -1
    this.cell = this.converter.complex(blockText(block, from, end), tag)
    return end + names.cellEnd.length
  }
}

/** A name ends at white space, '/' or '>'. */
const isNameEnd = (byte: number) => byte <= 32 || byte === 47 || byte === 62

const opening = /<((?:\w+:)?)sheetData\s*(\/?)>/

/** The rows of one worksheet part, in the order and with the numbers they have in it. Rows without a value are left out. */
export async function* readSheetLines(
  part: AsyncIterable<Buffer>,
  shared: WorkbookParts,
  limits: ImportLimits,
): AsyncGenerator<Line[]> {
  let rows: SheetParser | null = null
  for await (const block of readBlocks(part, 'a worksheet')) {
    let upTo = 0
    if (!rows) {
      const start = opening.exec(block.bytes.toString('latin1'))
      if (start) {
        rows = new SheetParser(start[1]!, shared, limits)
        rows.ended = start[2] !== ''
        upTo = start.index + start[0].length
      } else if (block.bytes.length > limits.rowCharacters) throw damagedWorkbook('a worksheet holds no rows')
    }
    if (rows && !rows.ended) upTo = rows.readRows(block, upTo)
    block.consume(upTo)
    if (rows?.ended) block.skipRest()
    else if (rows && block.bytes.length - upTo > limits.rowCharacters)
      throw new HttpError(422, `Row ${rows.lastRow + 1} is too long to be read`)
    if (rows?.parsed.length) yield rows.parsed.splice(0)
  }
  if (!rows?.ended) throw damagedWorkbook('a worksheet ends in the middle')
}
