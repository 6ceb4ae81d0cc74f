import type { ColumnKind, ReportColumn } from '../../schemas/reports.ts'

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
    .replace(/(?![\t\n])[\p{Cc}\ufffe\uffff]/gu, (one) => `_x${one.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}_`)
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
export const style = (name: ColumnKind | 'head' | 'quoted', isTotal: boolean): number => numbers.get(name)! + (isTotal ? looks.length : 0)

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
  formats.map(([id, code]) => `<numFmt numFmtId="${id}" formatCode="${code.replaceAll('"', '&quot;')}"/>`).join('') +
  `</numFmts><fonts count="2"><font>${font}</font><font><b/>${font}</font></fonts>` +
  `<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
  `<borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border>` +
  `<border><left/><right/><top/><bottom style="thin"><color auto="1"/></bottom><diagonal/></border></borders>` +
  `<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${looks.length * 2}">` +
  looks.map(([name, format, quote]) => xf(format, name === 'head' ? 1 : 0, quote)).join('') +
  looks.map(([, format, quote]) => xf(format, 1, quote)).join('') +
  `</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`

const widths: Record<ColumnKind, number> = { text: 26, id: 20, count: 12, money: 16, percent: 12, number: 14, date: 14, flag: 10 }
export const widthOf = ({ datatype, displayname }: ReportColumn) => Math.max(widths[datatype], displayname.length + 4)

/** The beginning of a sheet. */
export const worksheet = `${xml}<worksheet xmlns="${main}">`

/** A sheet's name holds at most 31 characters and none of \ / ? * [ ] : */
const sheetName = (name: string) => escaped(name.replace(/[\\/?*[\]:]/g, ' ').slice(0, 31)).replaceAll('"', '&quot;')

export const workbook = (names: readonly string[]) =>
  `${xml}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>` +
  names.map((name, index) => `<sheet name="${sheetName(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`).join('') +
  `</sheets></workbook>`

export const workbookRelations = (sheets: number) =>
  `${xml}<Relationships xmlns="${packages}/relationships">` +
  Array.from(
    { length: sheets },
    (_, index) => `<Relationship Id="rId${index + 1}" Type="${office}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
  ).join('') +
  `<Relationship Id="rId${sheets + 1}" Type="${office}/styles" Target="styles.xml"/></Relationships>`

export const packageRelations = `${xml}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`

const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
export const contentTypes = (sheets: number) =>
  `${xml}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
  `<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/>` +
  Array.from(
    { length: sheets },
    (_, index) => `<Override PartName="/xl/worksheets/sheet${index + 1}.xml" ContentType="${type}.worksheet+xml"/>`,
  ).join('') +
  `<Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/></Types>`
