import type { ImportLimits } from '../../../config/importLimits.ts'
import { damagedWorkbook, invalidFile } from '../fileErrors.ts'
import type { Cell, Line } from '../sheet.ts'
import { createCellConverter, type WorkbookParts } from './cellValues.ts'
import { decodeCellText } from './xml.ts'
import {
  blockText,
  createTag,
  doubleQuote,
  equalsSign,
  findTagStart,
  greaterThan,
  hasBytesAt,
  lessThan,
  readBlocks,
  readTag,
  skipWhitespace,
  slash,
  space,
  type Block,
  type Tag,
} from './xmlScan.ts'

// The size of a sheet in Excel: XFD1048576 is its last cell.
const maxColumns = 16_384
const maxRows = 1_048_576

/**
 * The tags of a sheet (ISO/IEC 29500-1, 18.3.1.80 sheetData, 18.3.1.73 row, 18.3.1.4 c, 18.3.1.96 v,
 * 18.3.1.53 is) in bytes; `prefix` is its namespace prefix with the colon, or ''.
 */
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

/** Four characters as one 32-bit number, so that the common cell is recognized by comparing a few numbers. */
const toUint32 = (four: string) => Buffer.from(four).readUInt32LE()
const common = {
  cell: toUint32('<c r'),
  style: toUint32('" s='),
  type: toUint32('" t='),
  shared: toUint32('="s"'),
  value: toUint32('"><v'),
  valueEnd: toUint32('</v>'),
  cellEnd: toUint32('</c>'),
}

/** Reads the rows of one worksheet block by block; throws HttpError 422 when the sheet is damaged. */
class SheetParser {
  /** The rows read so far, to be taken out by the caller. */
  readonly parsed: Line[] = []
  /** The number of the last row that was read. */
  lastRow = 0
  hasEnded = false
  private readonly tag: Tag = createTag()
  private readonly tags: ReturnType<typeof encodeTagNames>
  private readonly strings: string[]
  private readonly converter: ReturnType<typeof createCellConverter>
  private readonly limits: ImportLimits
  /** The value of the cell that was read last; null is blank. */
  private cell: Cell = null
  /** The first column, from 0, that the current row has not had yet. */
  private nextColumn = 0

  constructor(prefix: string, parts: WorkbookParts, limits: ImportLimits) {
    this.tags = encodeTagNames(prefix)
    this.strings = parts.strings
    this.converter = createCellConverter(parts, prefix)
    this.limits = limits
  }

  /** Reads the complete rows of a block from an offset on. Returns the offset behind the last one. */
  readRows(block: Block, from: number): number {
    const { bytes } = block
    const { tags, tag } = this
    let at = from
    for (;;) {
      const start = skipWhitespace(bytes, at)
      if (start + tags.end.length >= bytes.length) return at
      if (hasBytesAt(bytes, start, tags.end)) {
        this.hasEnded = true
        return start
      }
      if (!hasBytesAt(bytes, start, tags.row) || !isNameEnd(bytes[start + tags.row.length]!))
        throw damagedWorkbook(`something that is no row follows row ${this.lastRow}`)
      const after = readTag(bytes, start + tags.row.length, tag)
      if (after < 0) return at
      // @r is optional: a row without it follows the one before, a cell likewise (18.3.1.73, 18.3.1.4).
      const row = tag.row < 0 ? this.lastRow + 1 : tag.row
      if (row <= this.lastRow || row > maxRows)
        throw damagedWorkbook(`row ${row} stands after row ${this.lastRow}`)
      const cells: Cell[] = []
      const end = tag.empty ? after : this.readCells(block, after, row, cells)
      if (end < 0) return at
      if (cells.length) this.parsed.push({ row, cells })
      this.lastRow = row
      at = end
    }
  }

  /**
   * Reads the cells of a row. Returns the offset behind the row, or -1 when the block ends before it does.
   */
  private readCells(block: Block, from: number, row: number, cells: Cell[]): number {
    const { bytes } = block
    const { tags, tag } = this
    this.nextColumn = 0
    let at = from
    for (;;) {
      at = skipWhitespace(bytes, tags.prefix ? at : this.readCommonCells(block, at, row, cells))
      if (at + tags.extra.length >= bytes.length) return -1
      if (!hasBytesAt(bytes, at, tags.cell) || !isNameEnd(bytes[at + tags.cell.length]!)) {
        if (hasBytesAt(bytes, at, tags.rowEnd)) return at + tags.rowEnd.length
        if (!hasBytesAt(bytes, at, tags.extra))
          throw damagedWorkbook(`row ${row} holds something that is no cell`)
        const end = bytes.indexOf(tags.extraEnd, at)
        if (end < 0) return -1
        at = end + tags.extraEnd.length
        continue
      }
      const after = readTag(bytes, at + tags.cell.length, tag)
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
        throw invalidFile(`Row ${row} has more than ${this.limits.columns} columns`)
      while (cells.length < column) cells.push(null)
      cells.push(this.cell)
    }
  }

  /**
   * Reads cells for as long as they look exactly like `<c r="B2" s="1" t="s"><v>7</v></c>`, with or without
   * style and type, which is three times as fast as the general way. Returns the offset of the first cell
   * that does not. In ASCII digits are 48 to 57, capital letters 65 to 90.
   */
  private readCommonCells(block: Block, from: number, row: number, cells: Cell[]): number {
    const { bytes } = block
    const { strings } = this
    const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    const last = bytes.length - 80
    for (let at = from; ;) {
      if (at > last || words.getUint32(at, true) !== common.cell) return at
      if (bytes[at + 4] !== equalsSign || bytes[at + 5] !== doubleQuote) return at
      let place = at + 6
      let byte = bytes[place]!
      let column = 0
      for (; byte >= 65 && byte <= 90; byte = bytes[++place]!) column = column * 26 + byte - 64
      let number = 0
      for (; byte >= 48 && byte <= 57; byte = bytes[++place]!) number = number * 10 + byte - 48
      if (number !== row || column <= this.nextColumn || column > this.limits.columns || place > last)
        return at
      let style = -1
      if (words.getUint32(place, true) === common.style && bytes[place + 4] === doubleQuote) {
        place += 5
        style = 0
        for (byte = bytes[place]!; byte >= 48 && byte <= 57; byte = bytes[++place]!)
          style = style * 10 + byte - 48
      }
      if (place > last) return at
      const isText =
        words.getUint32(place, true) === common.type && words.getUint32(place + 3, true) === common.shared
      if (isText) place += 6
      if (words.getUint32(place, true) !== common.value || bytes[place + 4] !== greaterThan) return at
      const start = place + 5
      place = start
      number = 0
      for (byte = bytes[place]!; byte >= 48 && byte <= 57; byte = bytes[++place]!)
        number = number * 10 + byte - 48
      const isWhole =
        byte === lessThan &&
        place > start &&
        place - start < 16 &&
        (bytes[start] !== 48 || place === start + 1)
      if (isText && !isWhole) return at
      if (!isWhole) place = findTagStart(bytes, place)
      if (place === start || place + 8 > bytes.length) return at
      if (words.getUint32(place, true) !== common.valueEnd) return at
      if (words.getUint32(place + 4, true) !== common.cellEnd) return at
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

  /**
   * Reads the value of a cell. Returns the offset behind the cell, or -1 when the block ends before it does.
   */
  private readValue(block: Block, from: number): number {
    const { bytes } = block
    const { tags, tag } = this
    if (hasBytesAt(bytes, from, tags.value)) {
      const start = from + tags.value.length
      const end = findTagStart(bytes, start)
      if (end > start && hasBytesAt(bytes, end, tags.valueEnd)) {
        this.cell = this.converter.stored(blockText(block, start, end), tag)
        return end + tags.valueEnd.length
      }
    } else if (tag.type === 'inlineStr' && hasBytesAt(bytes, from, tags.inline)) {
      const start = from + tags.inline.length
      const end = findTagStart(bytes, start)
      if (hasBytesAt(bytes, end, tags.inlineEnd)) {
        this.cell = decodeCellText(blockText(block, start, end))
        return end + tags.inlineEnd.length
      }
    }
    const end = bytes.indexOf(tags.cellEnd, from)
    if (end < 0) return -1
    this.cell = this.converter.complex(blockText(block, from, end), tag)
    return end + tags.cellEnd.length
  }
}

/** The name of a tag ends at white space, '/' or '>'. */
const isNameEnd = (byte: number) => byte <= space || byte === slash || byte === greaterThan

const opening = /<((?:\w+:)?)sheetData\s*(\/?)>/

/** Yields the rows of one worksheet part in batches, in order; rows without a value are left out. */
export async function* readSheetLines(
  part: AsyncIterable<Buffer>,
  parts: WorkbookParts,
  limits: ImportLimits,
): AsyncGenerator<Line[]> {
  let parser: SheetParser | null = null
  for await (const block of readBlocks(part, 'a worksheet')) {
    let upTo = 0
    if (!parser) {
      const start = opening.exec(block.bytes.toString('latin1'))
      if (start) {
        parser = new SheetParser(start[1]!, parts, limits)
        parser.hasEnded = start[2] !== ''
        upTo = start.index + start[0].length
      } else if (block.bytes.length > limits.rowCharacters) throw damagedWorkbook('a worksheet holds no rows')
    }
    if (parser && !parser.hasEnded) upTo = parser.readRows(block, upTo)
    block.consume(upTo)
    if (parser?.hasEnded) block.skipRest()
    else if (parser && block.bytes.length - upTo > limits.rowCharacters)
      throw invalidFile(`Row ${parser.lastRow + 1} is too long to be read`)
    if (parser?.parsed.length) yield parser.parsed.splice(0)
  }
  if (!parser?.hasEnded) throw damagedWorkbook('a worksheet ends in the middle')
}
