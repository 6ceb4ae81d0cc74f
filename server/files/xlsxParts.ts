import type { ColumnKind } from '../../schemas/api/reports.ts'

/** The parts of a workbook that do not hold rows: styles, the list of sheets, relations and content types. */

const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const spreadsheetNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const officeNamespace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageNamespace = 'http://schemas.openxmlformats.org/package/2006'

/** Text of an XML element. Characters that XML cannot hold are written as Excel does: '_x0001_'. */
export const escapeXml = (text: string): string => {
  if (!/[&<>]|_x[0-9a-f]{4}_|(?![\t\n])[\p{Cc}\ufffe\uffff]/iu.test(text)) return text
  return text
    .replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(
      /(?![\t\n])[\p{Cc}\ufffe\uffff]/gu,
      (character) => `_x${character.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}_`,
    )
}

/** 'quoted' keeps text as text after it is edited (reports 12). */
export type StyleName = ColumnKind | 'head' | 'quoted'

/** Cell styles in the order of their ids: number format, and whether the cell is quoted. */
const cellStyles: readonly (readonly [name: StyleName, format: number, quote?: true])[] = [
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
const styleIndexes = new Map<string, number>(cellStyles.map(([name], index) => [name, index]))

/** The id of a cell style; each exists once more in bold, for totals. */
export const styleId = (name: StyleName, isTotal: boolean): number =>
  styleIndexes.get(name)! + (isTotal ? cellStyles.length : 0)

const xfXml = (format: number, font: number, quote?: true) =>
  `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="${font}" xfId="0"` +
  ` applyNumberFormat="1" applyFont="1"${quote ? ' quotePrefix="1"' : ''}/>`
const numberFormats = [
  [164, '0.00##"%"'],
  [165, '#,##0.00'],
  [166, 'mm/dd/yyyy'],
] as const
const fontXml = '<sz val="11"/><name val="Calibri"/>'

export const stylesXml = [
  `${xmlDeclaration}<styleSheet xmlns="${spreadsheetNamespace}"><numFmts count="${numberFormats.length}">`,
  ...numberFormats.map(
    ([id, code]) => `<numFmt numFmtId="${id}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
  ),
  `</numFmts><fonts count="2"><font>${fontXml}</font><font><b/>${fontXml}</font></fonts>`,
  '<fills count="2"><fill><patternFill patternType="none"/></fill>',
  '<fill><patternFill patternType="gray125"/></fill></fills>',
  '<borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border>',
  '<border><left/><right/><top/><bottom style="thin"><color auto="1"/></bottom><diagonal/></border>',
  '</borders>',
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
  `<cellXfs count="${cellStyles.length * 2}">`,
  ...cellStyles.map(([name, format, quote]) => xfXml(format, name === 'head' ? 1 : 0, quote)),
  ...cellStyles.map(([, format, quote]) => xfXml(format, 1, quote)),
  '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
  '</styleSheet>',
].join('')

/** The beginning of a sheet. */
export const worksheetStart = `${xmlDeclaration}<worksheet xmlns="${spreadsheetNamespace}">`

/** A sheet's name holds at most 31 characters and none of \ / ? * [ ] : */
const sheetName = (name: string) =>
  escapeXml(name.replace(/[\\/?*[\]:]/g, ' ').slice(0, 31)).replaceAll('"', '&quot;')

export const workbookXml = (names: readonly string[]) =>
  [
    `${xmlDeclaration}<workbook xmlns="${spreadsheetNamespace}" xmlns:r="${officeNamespace}"><sheets>`,
    ...names.map(
      (name, index) => `<sheet name="${sheetName(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
    ),
    '</sheets></workbook>',
  ].join('')

const relationXml = (id: number, type: string, target: string) =>
  `<Relationship Id="rId${id}" Type="${officeNamespace}/${type}" Target="${target}"/>`

export const workbookRelationsXml = (sheets: number) =>
  [
    `${xmlDeclaration}<Relationships xmlns="${packageNamespace}/relationships">`,
    ...Array.from({ length: sheets }, (_, index) =>
      relationXml(index + 1, 'worksheet', `worksheets/sheet${index + 1}.xml`),
    ),
    relationXml(sheets + 1, 'styles', 'styles.xml'),
    '</Relationships>',
  ].join('')

export const packageRelationsXml = [
  `${xmlDeclaration}<Relationships xmlns="${packageNamespace}/relationships">`,
  relationXml(1, 'officeDocument', 'xl/workbook.xml'),
  '</Relationships>',
].join('')

const overrideXml = (part: string, type: string) =>
  `<Override PartName="${part}"` +
  ` ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${type}+xml"/>`

export const contentTypesXml = (sheets: number) =>
  [
    `${xmlDeclaration}<Types xmlns="${packageNamespace}/content-types">`,
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
    overrideXml('/xl/workbook.xml', 'sheet.main'),
    ...Array.from({ length: sheets }, (_, index) =>
      overrideXml(`/xl/worksheets/sheet${index + 1}.xml`, 'worksheet'),
    ),
    overrideXml('/xl/styles.xml', 'styles'),
    '</Types>',
  ].join('')
