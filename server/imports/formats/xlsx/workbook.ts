import type { ImportLimits } from '../../../config/importLimits.ts'
import { decodeUtf8 } from '../encoding.ts'
import { damagedWorkbook, invalidFile } from '../fileErrors.ts'
import { visibleFirst, type Workbook, type Worksheet } from '../sheet.ts'
import { offset1904, type CellStyle, type WorkbookParts } from './cellValues.ts'
import { readSharedStrings } from './sharedStrings.ts'
import { readSheetLines } from './worksheet.ts'
import { parseAttributes, findElements } from './xml.ts'
import { openZip, type ZipArchive } from './zip.ts'

// Numbers of sections are those of ISO/IEC 29500-1 (ECMA-376-1) unless another document is named.

async function readPart(zip: ZipArchive, name: string): Promise<string> {
  let text = ''
  for await (const more of decodeUtf8(zip.stream(name), () =>
    damagedWorkbook(`${name} is not valid UTF-8`),
  )) {
    text += more
    if (text.length > 50_000_000) throw damagedWorkbook(`${name} is too large`)
  }
  return text.replace(/<!--[\s\S]*?-->/g, '')
}

/**
 * The name of the part that a relationship in a folder refers to: 'xl' and '../media/a' or '/media/a' give
 * 'media/a'. A target is relative to the folder of the part that has the relationship (ECMA-376-2, 9.3.2.2).
 */
const resolveTarget = (folder: string, target: string): string => {
  const steps = target.startsWith('/') ? [] : folder.split('/').filter(Boolean)
  for (const step of target.split('/').filter(Boolean)) {
    if (step === '..') steps.pop()
    else if (step !== '.') steps.push(step)
  }
  return steps.join('/')
}
type Relationship = { id: string; type: string; part: string }
/**
 * The relationships of a part: those of 'xl/workbook.xml' stand in 'xl/_rels/workbook.xml.rels', those of the
 * package in '_rels/.rels' (ECMA-376-2, 9.3.3). Of a type the last word alone is kept, because transitional
 * and strict workbooks have it under different addresses.
 */
async function readRelationships(zip: ZipArchive, part: string): Promise<Relationship[]> {
  const slash = part.lastIndexOf('/')
  const folder = part.slice(0, Math.max(slash, 0))
  const name = `${folder ? `${folder}/` : ''}_rels/${part.slice(slash + 1)}.rels`
  if (!zip.has(name)) return []
  return findElements(await readPart(zip, name), 'Relationship').map(
    ({ Id = '', Type = '', Target = '' }) => ({
      id: Id,
      type: Type.slice(Type.lastIndexOf('/') + 1),
      part: resolveTarget(folder, Target),
    }),
  )
}

/** The built-in formats of dates and times, those of East Asian languages among them (18.8.30). */
const isBuiltInDateFormat = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)
/** The built-in formats of percentages: 0% and 0.00% (18.8.30). */
const isBuiltInPercentFormat = (id: number) => id === 9 || id === 10
/**
 * Whether a number format shows a date or a percentage, or pads with zeros. `code` is undefined for the
 * built-in formats, known by id (18.8.30). Of a code the first section counts, that of positive numbers;
 * what it quotes, escapes, repeats or leaves room for is no part of it, and of what stands in brackets only
 * elapsed time is (18.8.31).
 */
export const parseNumberFormat = (id: number, code: string | undefined): CellStyle => {
  if (code === undefined)
    return { isDate: isBuiltInDateFormat(id), isPercent: isBuiltInPercentFormat(id), pad: 0 }
  const first = code.replace(/"[^"]*"|\\.|_.|\*./g, '').split(';')[0]!
  const bare = first.replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
  if (/^0{2,}$/.test(bare)) return { isDate: false, isPercent: false, pad: bare.length }
  // What has room for digits beside fractions of seconds is a number: 'USD #,##0.00' is no date.
  const isNumber = /general|[0#?]/i.test(bare.replace(/s\.0+/gi, 's'))
  const isDate = !isNumber && /[ymdhs]/i.test(bare)
  return { isDate, isPercent: !isDate && bare.includes('%'), pad: 0 }
}
/** The styles of cells in the order of their indexes: <xf> of <cellXfs> (18.8.10, 18.8.45). */
const readCellStyles = (xml: string): CellStyle[] => {
  const codes = new Map(findElements(xml, 'numFmt').map(({ numFmtId, formatCode }) => [numFmtId, formatCode]))
  const formats = /<(?:\w+:)?cellXfs[\s>]([\s\S]*?)<\/(?:\w+:)?cellXfs>/.exec(xml)?.[1] ?? ''
  return findElements(formats, 'xf').map(({ numFmtId = '0' }) =>
    parseNumberFormat(Number(numFmtId), codes.get(numFmtId)),
  )
}

/**
 * Opens an .xlsx workbook. Sheets are read as streams: memory holds the shared strings and one block of rows.
 */
export async function openXlsx(path: string, limits: ImportLimits): Promise<Workbook> {
  const zip = await openZip(path, limits)
  const main = (await readRelationships(zip, '')).find(({ type }) => type === 'officeDocument')
  if (!main || !zip.has(main.part)) throw invalidFile('The file is a zip archive that holds no workbook')
  const workbook = await readPart(zip, main.part)
  const related = await readRelationships(zip, main.part)
  const partOfType = (wanted: string) =>
    related.find(({ type, part }) => type === wanted && zip.has(part))?.part
  const stylesPart = partOfType('styles')
  const stringsPart = partOfType('sharedStrings')
  // workbookPr/@date1904 is a boolean of XML Schema: '1' or 'true' (18.2.28, 18.17.4.1).
  const date1904 = ['1', 'true'].includes(
    parseAttributes(/<(?:\w+:)?workbookPr\s[^>]*>/.exec(workbook)?.[0] ?? '').date1904 ?? '',
  )
  const parts: WorkbookParts = {
    styles: stylesPart ? readCellStyles(await readPart(zip, stylesPart)) : [],
    strings: stringsPart ? await readSharedStrings(zip.stream(stringsPart), limits) : [],
    dateOffset: date1904 ? offset1904 : 0,
  }
  // A sheet names its part by the id of a relationship (18.2.19); chart and dialog sheets are no worksheets.
  const listed = visibleFirst(findElements(workbook, 'sheet'), ({ state }) => /hidden$/i.test(state ?? ''))
  const sheets = listed.flatMap(({ name = '', id = '' }): Worksheet[] => {
    const target = related.find((relationship) => relationship.id === id && relationship.type === 'worksheet')
    return target ? [{ name, lines: () => readSheetLines(zip.stream(target.part), parts, limits) }] : []
  })
  if (sheets.length === 0) throw invalidFile('The workbook holds no worksheet')
  return { sheets, verify: () => zip.verifyRest() }
}
