import type { ImportLimits } from '../../config/importLimits.ts'
import { HttpError } from '../../http/errors.ts'
import { decodeUtf8 } from './encoding.ts'
import type { Book, Sheet } from './sheet.ts'
import { sheetLines } from './xlsxSheet.ts'
import { sharedStrings } from './xlsxStrings.ts'
import type { Shared, Style } from './xlsxValues.ts'
import { attributes, elements } from './xml.ts'
import { damaged } from './xmlScan.ts'
import { openZip, type Zip } from './zip.ts'

async function read(zip: Zip, name: string): Promise<string> {
  let text = ''
  for await (const more of decodeUtf8(zip.stream(name), () => damaged(`${name} is not valid UTF-8`))) {
    text += more
    if (text.length > 50_000_000) throw damaged(`${name} is too large`)
  }
  return text.replace(/<!--[\s\S]*?-->/g, '')
}

/** 'xl' and '../media/a' or '/xl/a' to the name of a part. */
const resolve = (folder: string, target: string): string => {
  const steps = target.startsWith('/') ? [] : folder.split('/').filter(Boolean)
  for (const step of target.split('/').filter(Boolean)) {
    if (step === '..') steps.pop()
    else if (step !== '.') steps.push(step)
  }
  return steps.join('/')
}
type Relation = { id: string; type: string; part: string }
async function relations(zip: Zip, part: string): Promise<Relation[]> {
  const slash = part.lastIndexOf('/')
  const folder = part.slice(0, Math.max(slash, 0))
  const name = `${folder ? `${folder}/` : ''}_rels/${part.slice(slash + 1)}.rels`
  if (!zip.has(name)) return []
  return elements(await read(zip, name), 'Relationship').map(({ Id = '', Type = '', Target = '' }) => ({
    id: Id,
    type: Type.slice(Type.lastIndexOf('/') + 1),
    part: resolve(folder, Target),
  }))
}

const builtInDays = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)
/** What a number format means for us: a date, zeros in front, or neither. */
export const styleOf = (id: number, code: string | undefined): Style => {
  if (code === undefined) return { day: builtInDays(id), pad: 0 }
  const first = code.replace(/"[^"]*"|\\.|_.|\*./g, '').split(';')[0]!
  const bare = first.replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
  if (/^0{2,}$/.test(bare)) return { day: false, pad: bare.length }
  return { day: !/general/i.test(bare) && /[ymdhs]/i.test(bare), pad: 0 }
}
const stylesOf = (xml: string): Style[] => {
  const codes = new Map(elements(xml, 'numFmt').map(({ numFmtId, formatCode }) => [numFmtId, formatCode]))
  const formats = /<(?:\w+:)?cellXfs[\s>]([\s\S]*?)<\/(?:\w+:)?cellXfs>/.exec(xml)?.[1] ?? ''
  return elements(formats, 'xf').map(({ numFmtId = '0' }) => styleOf(Number(numFmtId), codes.get(numFmtId)))
}

/** An .xlsx workbook, read as a stream: memory holds the shared texts and one stretch of rows. */
export async function openXlsx(path: string, limits: ImportLimits): Promise<Book> {
  const zip = await openZip(path, limits)
  const main = (await relations(zip, '')).find((one) => one.type === 'officeDocument')
  if (!main || !zip.has(main.part))
    throw new HttpError(422, 'The file is a zip archive that holds no workbook')
  const workbook = await read(zip, main.part)
  const related = await relations(zip, main.part)
  const part = (type: string) => related.find((one) => one.type === type && zip.has(one.part))?.part
  const stylesPart = part('styles')
  const stringsPart = part('sharedStrings')
  const date1904 = ['1', 'true'].includes(
    attributes(/<(?:\w+:)?workbookPr\s[^>]*>/.exec(workbook)?.[0] ?? '').date1904 ?? '',
  )
  const shared: Shared = {
    styles: stylesPart ? stylesOf(await read(zip, stylesPart)) : [],
    strings: stringsPart ? await sharedStrings(zip.stream(stringsPart), limits) : [],
    shift: date1904 ? 1462 : 0,
  }
  const sheets = elements(workbook, 'sheet').flatMap(({ name = '', id = '' }): Sheet[] => {
    const relation = related.find((one) => one.id === id && one.type === 'worksheet')
    return relation ? [{ name, lines: () => sheetLines(zip.stream(relation.part), shared, limits) }] : []
  })
  if (sheets.length === 0) throw new HttpError(422, 'The workbook holds no worksheet')
  return { sheets, finish: () => zip.verifyRest() }
}
