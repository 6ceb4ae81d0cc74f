import type { ColumnKind, ReportColumn, ReportRow } from '../../../schemas/api/reports.ts'
import { flagText, looksLikeFormula, numberText, type Sheet, type Value } from './cells.ts'
import { archive, type Part } from './zip.ts'

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'

/** Text of an XML element; what XML cannot hold is written the way a workbook does, '_x0001_'. */
export const escaped = (text: string): string => {
  if (!/[&<>]|_x[0-9a-f]{4}_|(?![\t\n])[\p{Cc}\ufffe\uffff]/iu.test(text)) return text
  return text
    .replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(
      /(?![\t\n])[\p{Cc}\ufffe\uffff]/gu,
      (one) => `_x${one.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}_`,
    )
}

/** The looks of cells, in the order of their numbers: number format, and whether typing over it keeps it text. */
const looks: readonly (readonly [name: ColumnKind | 'head' | 'quoted', format: number, quote?: true])[] = [
  ['text', 0],
  ['id', 49],
  ['count', 3],
  ['money', 4],
  ['percent', 164],
  ['number', 165],
  ['date', 166],
  ['flag', 0],
  ['quoted', 49, true],
  ['head', 0],
]
const numbers = new Map<string, number>(looks.map(([name], index) => [name, index]))
/** The number of a look; totals and headings are bold. */
export const style = (name: ColumnKind | 'head' | 'quoted', isTotal: boolean): number =>
  numbers.get(name)! + (isTotal ? looks.length : 0)

const xf = (format: number, font: number, quote?: true) =>
  `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="${font}" xfId="0" applyNumberFormat="1" applyFont="1"${quote ? ' quotePrefix="1"' : ''}/>`
const formats = [
  [164, '0.00##"%"'],
  [165, '#,##0.00'],
  [166, 'mm/dd/yyyy'],
] as const
const font = '<sz val="11"/><name val="Calibri"/>'

export const styles =
  `${xml}<styleSheet xmlns="${main}"><numFmts count="${formats.length}">` +
  formats
    .map(([id, code]) => `<numFmt numFmtId="${id}" formatCode="${code.replaceAll('"', '&quot;')}"/>`)
    .join('') +
  `</numFmts><fonts count="2"><font>${font}</font><font><b/>${font}</font></fonts>` +
  `<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
  `<borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border>` +
  `<border><left/><right/><top/><bottom style="thin"><color auto="1"/></bottom><diagonal/></border></borders>` +
  `<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${looks.length * 2}">` +
  looks.map(([name, format, quote]) => xf(format, name === 'head' ? 1 : 0, quote)).join('') +
  looks.map(([, format, quote]) => xf(format, 1, quote)).join('') +
  `</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`

const widths: Record<ColumnKind, number> = {
  text: 26,
  id: 20,
  count: 12,
  money: 16,
  percent: 12,
  number: 14,
  date: 14,
  flag: 10,
}
export const widthOf = ({ datatype, displayname }: ReportColumn) =>
  Math.max(widths[datatype], displayname.length + 4)

/** The beginning of a sheet. */
export const worksheet = `${xml}<worksheet xmlns="${main}">`

/** A sheet's name holds at most 31 characters and none of \ / ? * [ ] : */
const sheetName = (name: string) =>
  escaped(name.replace(/[\\/?*[\]:]/g, ' ').slice(0, 31)).replaceAll('"', '&quot;')

export const workbook = (names: readonly string[]) =>
  `${xml}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>` +
  names
    .map((name, index) => `<sheet name="${sheetName(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
    .join('') +
  `</sheets></workbook>`

export const workbookRelations = (sheets: number) =>
  `${xml}<Relationships xmlns="${packages}/relationships">` +
  Array.from(
    { length: sheets },
    (_, index) =>
      `<Relationship Id="rId${index + 1}" Type="${office}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
  ).join('') +
  `<Relationship Id="rId${sheets + 1}" Type="${office}/styles" Target="styles.xml"/></Relationships>`

export const packageRelations = `${xml}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`

const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
export const contentTypes = (sheets: number) =>
  `${xml}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
  `<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/>` +
  Array.from(
    { length: sheets },
    (_, index) =>
      `<Override PartName="/xl/worksheets/sheet${index + 1}.xml" ContentType="${type}.worksheet+xml"/>`,
  ).join('') +
  `<Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/></Types>`

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

const rowXml = (
  columns: readonly ReportColumn[],
  names: readonly string[],
  row: ReportRow,
  at: number,
  isTotal = false,
) =>
  `<row r="${at}">${columns.map(({ name, datatype }, index) => cell(`${names[index]}${at}`, row[name], datatype, isTotal)).join('')}</row>`

/** A workbook of the report, streamed, and a sheet that tells of it. The same report is the same bytes. */
export function xlsx(
  { title, columns, rows, totals, about }: Sheet,
  sheetRows = mostRows,
): AsyncGenerator<Buffer> {
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
