import { archive, type Part } from './archive.ts'
import { flagText, looksLikeFormula, numberText, type Value } from './cells.ts'
import type { Sheet } from './sheet.ts'
import { contentTypes, escaped, packageRelations, style, styles, widthOf, workbook, workbookRelations, worksheet } from './workbook.ts'
import type { ColumnKind, ReportColumn, ReportRow } from '../../schemas/reports.ts'

/** A sheet holds so many rows and no more (Excel); the rest goes on further sheets. */
const mostRows = 1_048_576

const letters = (index: number): string =>
  index < 26 ? String.fromCharCode(65 + index) : letters(Math.floor(index / 26) - 1) + letters(index % 26)

const textCell = (at: string, text: string, kind: 'text' | 'id' | 'head', isTotal = false) =>
  `<c r="${at}" s="${style(looksLikeFormula(text) && kind !== 'head' ? 'quoted' : kind, isTotal)}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`

const cell = (at: string, value: Value, kind: ColumnKind, isTotal: boolean): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return textCell(at, flagText(value), 'text', isTotal)
  if (typeof value === 'string') return textCell(at, value, kind === 'id' ? 'id' : 'text', isTotal)
  // Serial day 25569 is 1 January 1970.
  const number = kind === 'date' ? String(value / 86_400 + 25_569) : numberText(value, kind)
  return `<c r="${at}" s="${style(kind, isTotal)}"><v>${number}</v></c>`
}

const rowXml = (columns: readonly ReportColumn[], names: readonly string[], row: ReportRow, at: number, isTotal = false) =>
  `<row r="${at}">${columns.map(({ name, datatype }, index) => cell(`${names[index]}${at}`, row[name], datatype, isTotal)).join('')}</row>`

/** A workbook of the report, streamed, and a sheet that tells of it. The same report is the same bytes. */
export function xlsx({ title, columns, rows, totals, about }: Sheet, sheetRows = mostRows): AsyncGenerator<Buffer> {
  const names = columns.map((_, index) => letters(index))
  const head =
    worksheet +
    `<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
    `<cols>${columns.map((column, index) => `<col min="${index + 1}" max="${index + 1}" width="${widthOf(column)}" customWidth="1"/>`).join('')}</cols>` +
    `<sheetData><row r="1">${columns.map(({ displayname }, index) => textCell(`${names[index]}1`, displayname, 'head')).join('')}</row>`

  const source = rows[Symbol.asyncIterator]()
  let rest: ReportRow[] = []
  let isDone = false
  /** Up to `room` of the rows that are left. */
  const next = async (room: number): Promise<ReportRow[]> => {
    if (rest.length === 0 && !isDone) {
      const { value, done } = await source.next()
      isDone = done === true
      rest = done ? [] : value
    }
    const taken = rest.slice(0, room)
    rest = rest.slice(room)
    return taken
  }

  async function* sheet(): AsyncGenerator<string> {
    yield head
    let last = 1
    while (last < sheetRows) {
      const batch = await next(sheetRows - last)
      if (batch.length === 0) break
      yield batch.map((row, index) => rowXml(columns, names, row, last + index + 1)).join('')
      last += batch.length
    }
    const filter = last > 1 ? `<autoFilter ref="A1:${names.at(-1)}${last}"/>` : ''
    // The totals stay outside of what is filtered; on a full sheet they begin the next one.
    const sums = isDone && rest.length === 0 && last < sheetRows ? totals() : null
    totalsWritten = isDone && rest.length === 0 && last < sheetRows
    yield `${sums ? rowXml(columns, names, sums, last + 1, true) : ''}</sheetData>${filter}</worksheet>`
  }
  let totalsWritten = false

  async function* parts(): AsyncGenerator<Part> {
    const sheets: string[] = []
    do {
      sheets.push(sheets.length === 0 ? title : `${title.slice(0, 27)} ${sheets.length + 1}`)
      yield { name: `xl/worksheets/sheet${sheets.length}.xml`, text: sheet() }
    } while (!totalsWritten)
    sheets.push('About')
    yield { name: `xl/worksheets/sheet${sheets.length}.xml`, text: [aboutSheet(about)] }
    yield { name: 'xl/styles.xml', text: [styles] }
    yield { name: 'xl/workbook.xml', text: [workbook(sheets)] }
    yield { name: 'xl/_rels/workbook.xml.rels', text: [workbookRelations(sheets.length)] }
    yield { name: '_rels/.rels', text: [packageRelations] }
    yield { name: '[Content_Types].xml', text: [contentTypes(sheets.length)] }
  }
  return archive(parts())
}

const aboutSheet = (about: Sheet['about']) =>
  worksheet +
  `<cols><col min="1" max="1" width="20" customWidth="1"/><col min="2" max="2" width="80" customWidth="1"/></cols><sheetData>` +
  about
    .map(
      ([name, value], index) =>
        `<row r="${index + 1}">${textCell(`A${index + 1}`, name, 'head')}${textCell(`B${index + 1}`, value, 'text')}</row>`,
    )
    .join('') +
  `</sheetData></worksheet>`
