import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { SaxesParser } from 'saxes'
import { fromBuffer, type Entry, type ZipFile } from 'yauzl'
import type { Cell } from '../../server/imports/formats/sheet.ts'
import { offset1904, type CellStyle } from '../../server/imports/formats/xlsx/cellValues.ts'
import { parseNumberFormat } from '../../server/imports/formats/xlsx/workbook.ts'

type Handlers = {
  open?: (name: string, attributes: Record<string, string>) => void
  close?: (name: string, text: string) => void
}

/** Parses a part; `close` gets the text since the last tag that began. */
async function parsePart(part: Readable, { open, close }: Handlers): Promise<void> {
  const parser = new SaxesParser()
  let text = ''
  parser.on('opentag', ({ name, attributes }) => {
    text = ''
    open?.(name, attributes as Record<string, string>)
  })
  parser.on('text', (more) => {
    text += more
  })
  parser.on('closetag', ({ name }) => close?.(name, text))
  part.setEncoding('utf8')
  for await (const chunk of part as AsyncIterable<string>) parser.write(chunk)
  parser.close()
}

async function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  zip.on('entry', (entry: Entry) => {
    entries.set(entry.fileName, entry)
    zip.readEntry()
  })
  zip.readEntry()
  await new Promise((resolve, reject) => zip.once('end', resolve).once('error', reject))
  return entries
}

const columnOf = (reference: string): number => {
  let column = 0
  for (let at = 0; reference.charCodeAt(at) > 64; at += 1)
    column = column * 26 + reference.charCodeAt(at) - 64
  return column - 1
}

/**
 * What the reader of imports makes of a sheet, by yauzl 3 and saxes: shared strings, number formats, errors
 * and formulas without a result, no rich text and no checks of what is damaged. Returns the number of cells.
 */
export async function readByLibraries(bytes: Buffer): Promise<number> {
  const zip = await promisify<Buffer, { lazyEntries: true; autoClose: false }, ZipFile>(fromBuffer)(bytes, {
    lazyEntries: true,
    autoClose: false,
  })
  const entries = await listEntries(zip)
  const openPart = promisify(zip.openReadStream.bind(zip)) as (entry: Entry) => Promise<Readable>
  const read = async (name: string, handlers: Handlers) => {
    const entry = entries.get(name)
    if (entry) await parsePart(await openPart(entry), handlers)
  }
  const strings: string[] = []
  await read('xl/sharedStrings.xml', { close: (name, text) => void (name === 't' && strings.push(text)) })
  const codes = new Map<string, string>()
  const styles: CellStyle[] = []
  let isCellStyle = false
  await read('xl/styles.xml', {
    open(name, { numFmtId = '0', formatCode = '' }) {
      if (name === 'numFmt') codes.set(numFmtId, formatCode)
      if (name === 'cellXfs') isCellStyle = true
      if (name === 'xf' && isCellStyle) styles.push(parseNumberFormat(Number(numFmtId), codes.get(numFmtId)))
    },
    close: (name) => void (name === 'cellXfs' && (isCellStyle = false)),
  })
  let dateOffset = 0
  await read('xl/workbook.xml', {
    open: (name, { date1904 }) =>
      void (name === 'workbookPr' && date1904 === '1' && (dateOffset = offset1904)),
  })
  let count = 0
  let cells: Cell[] = []
  let cell: Record<string, string> = {}
  let hasFormula = false
  let value: string | null = null
  const convert = (): Cell => {
    const { t = 'n', s = '-1' } = cell
    if (value === null) return hasFormula ? { fault: 'holds a formula whose result is not stored' } : null
    if (t === 's') return strings[Number(value)]!
    if (t === 'e') return { fault: `holds the error ${value}` }
    if (t !== 'n') return value
    const { isDate, pad } = styles[Number(s)] ?? { isDate: false, pad: 0 }
    return { number: isDate && dateOffset ? String(Number(value) + dateOffset) : value, pad, isDate }
  }
  await read('xl/worksheets/sheet1.xml', {
    open(name, attributes) {
      if (name === 'row') cells = []
      if (name === 'f') hasFormula = true
      if (name !== 'c') return
      cell = attributes
      hasFormula = false
      value = null
    },
    close(name, text) {
      if (name === 'v' || name === 't') value = text
      if (name === 'c') cells[columnOf(cell.r!)] = convert()
      if (name === 'row') count += cells.length
    },
  })
  return count
}
