import { looksLikeFormula } from '../../schemas/formulas.ts'
import { columnLetters } from './columnLetters.ts'
import type { TableValue } from './csv.ts'
import {
  contentTypesXml,
  escapeXml,
  packageRelationsXml,
  styleId,
  stylesXml,
  workbookRelationsXml,
  workbookXml,
  worksheetStart,
  type StyleName,
} from './xlsxParts.ts'
import { zipStream, type ZipEntry } from './zip.ts'

/** One sheet of a workbook: the name of its tab, and the XML of its part in pieces. */
export type SheetSource = { name: string; xml: AsyncIterable<string> | Iterable<string> }

/**
 * A text cell; `at` is its place: 'B7'. What looks like a formula stays text when it is edited (reports 12).
 */
export const textCellXml = (at: string, text: string, kind: StyleName, isTotal = false): string => {
  const style = styleId(looksLikeFormula(text) ? 'quoted' : kind, isTotal)
  return `<c r="${at}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`
}

/** A number cell; `digits` is the number as XML writes it, of a date its serial day. */
export const numberCellXml = (at: string, digits: string, kind: StyleName, isTotal = false): string =>
  `<c r="${at}" s="${styleId(kind, isTotal)}"><v>${digits}</v></c>`

/** Streams an .xlsx file. The next sheet is asked for when the one before it was read to its end. */
export function writeWorkbook(
  sheets: AsyncIterable<SheetSource> | Iterable<SheetSource>,
): AsyncGenerator<Buffer> {
  async function* entries(): AsyncGenerator<ZipEntry> {
    const names: string[] = []
    for await (const { name, xml } of sheets) {
      names.push(name)
      yield { name: `xl/worksheets/sheet${names.length}.xml`, text: xml }
    }
    yield { name: 'xl/styles.xml', text: [stylesXml] }
    yield { name: 'xl/workbook.xml', text: [workbookXml(names)] }
    yield { name: 'xl/_rels/workbook.xml.rels', text: [workbookRelationsXml(names.length)] }
    yield { name: '_rels/.rels', text: [packageRelationsXml] }
    yield { name: '[Content_Types].xml', text: [contentTypesXml(names.length)] }
  }
  return zipStream(entries())
}

const tableCellXml = (at: string, value: TableValue): string => {
  if (value === null || value === '') return ''
  return typeof value === 'number' ? numberCellXml(at, String(value), 'text') : textCellXml(at, value, 'text')
}

/** Pieces of this many characters keep the archive from packing row by row. */
const pieceLength = 65_536

function* tableXml(rows: Iterable<readonly TableValue[]>): Generator<string> {
  const letters: string[] = []
  let piece = `${worksheetStart}<sheetData>`
  let at = 0
  for (const row of rows) {
    at += 1
    const cells = row.map((value, index) =>
      tableCellXml(`${(letters[index] ??= columnLetters(index))}${at}`, value),
    )
    piece += `<row r="${at}">${cells.join('')}</row>`
    if (piece.length < pieceLength) continue
    yield piece
    piece = ''
  }
  yield `${piece}</sheetData></worksheet>`
}

/** Streams an .xlsx file with one sheet of texts and numbers, without formats. */
export const writeTable = (name: string, rows: Iterable<readonly TableValue[]>): AsyncGenerator<Buffer> =>
  writeWorkbook([{ name, xml: tableXml(rows) }])
