import type { ImportLimits } from '../../config/importLimits.ts'
import { HttpError } from '../../http/errors.ts'
import { decodeUtf8 } from './encoding.ts'
import type { Workbook, Worksheet } from './sheet.ts'
import { readSheetLines } from './xlsxSheet.ts'
import { readSharedStrings } from './xlsxStrings.ts'
import type { WorkbookParts, CellStyle } from './xlsxValues.ts'
import { parseAttributes, findElements } from './xml.ts'
import { damagedWorkbook } from './xmlScan.ts'
import { openZip, type ZipArchive } from './zip.ts'

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

/** 'xl' and '../media/a' or '/xl/a' to the name of a part. */
const resolveTarget = (folder: string, target: string): string => {
  const steps = target.startsWith('/') ? [] : folder.split('/').filter(Boolean)
  for (const step of target.split('/').filter(Boolean)) {
    if (step === '..') steps.pop()
    else if (step !== '.') steps.push(step)
  }
  return steps.join('/')
}
type Relationship = { id: string; type: string; part: string }
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

const isBuiltInDateFormat = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)
/** What a number format means for us: a date, zeros in front, or neither. */
export const parseNumberFormat = (id: number, code: string | undefined): CellStyle => {
  if (code === undefined) return { isDate: isBuiltInDateFormat(id), pad: 0 }
  const first = code.replace(/"[^"]*"|\\.|_.|\*./g, '').split(';')[0]!
  const bare = first.replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
  if (/^0{2,}$/.test(bare)) return { isDate: false, pad: bare.length }
  return { isDate: !/general/i.test(bare) && /[ymdhs]/i.test(bare), pad: 0 }
}
const readCellStyles = (xml: string): CellStyle[] => {
  const codes = new Map(findElements(xml, 'numFmt').map(({ numFmtId, formatCode }) => [numFmtId, formatCode]))
  const formats = /<(?:\w+:)?cellXfs[\s>]([\s\S]*?)<\/(?:\w+:)?cellXfs>/.exec(xml)?.[1] ?? ''
  return findElements(formats, 'xf').map(({ numFmtId = '0' }) =>
    parseNumberFormat(Number(numFmtId), codes.get(numFmtId)),
  )
}

/** An .xlsx workbook, read as a stream: memory holds the shared texts and one stretch of rows. */
export async function openXlsx(path: string, limits: ImportLimits): Promise<Workbook> {
  const zip = await openZip(path, limits)
  const main = (await readRelationships(zip, '')).find((one) => one.type === 'officeDocument')
  if (!main || !zip.has(main.part))
    throw new HttpError(422, 'The file is a zip archive that holds no workbook')
  const workbook = await readPart(zip, main.part)
  const related = await readRelationships(zip, main.part)
  const part = (type: string) => related.find((one) => one.type === type && zip.has(one.part))?.part
  const stylesPart = part('styles')
  const stringsPart = part('sharedStrings')
  const date1904 = ['1', 'true'].includes(
    parseAttributes(/<(?:\w+:)?workbookPr\s[^>]*>/.exec(workbook)?.[0] ?? '').date1904 ?? '',
  )
  const shared: WorkbookParts = {
    styles: stylesPart ? readCellStyles(await readPart(zip, stylesPart)) : [],
    strings: stringsPart ? await readSharedStrings(zip.stream(stringsPart), limits) : [],
    shift: date1904 ? 1462 : 0,
  }
  const sheets = findElements(workbook, 'sheet').flatMap(({ name = '', id = '' }): Worksheet[] => {
    const relation = related.find((one) => one.id === id && one.type === 'worksheet')
    return relation ? [{ name, lines: () => readSheetLines(zip.stream(relation.part), shared, limits) }] : []
  })
  if (sheets.length === 0) throw new HttpError(422, 'The workbook holds no worksheet')
  return { sheets, verify: () => zip.verifyRest() }
}
