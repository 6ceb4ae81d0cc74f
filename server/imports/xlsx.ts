import { Refusal } from '../errors.ts'
import type { Book, Sheet } from './book.ts'
import type { Limits } from './limits.ts'
import { sheetLines, type Shared, type Style } from './sheet.ts'
import { decodeUtf8 } from './utf8.ts'
import { attributes, elements, runs } from './xml.ts'
import { openZip, type Zip } from './zip.ts'

const damaged = (how: string) => new Refusal(422, `The workbook is damaged: ${how}`)
const textOf = (zip: Zip, name: string) => decodeUtf8(zip.stream(name), () => damaged(`${name} is not valid UTF-8`))

async function read(zip: Zip, name: string): Promise<string> {
  let text = ''
  for await (const more of textOf(zip, name)) {
    text += more
    if (text.length > 50_000_000) throw damaged(`${name} is too large`)
  }
  return text
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

const builtInDays = (id: number) => (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)
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

async function sharedStrings(zip: Zip, part: string, limits: Limits): Promise<string[]> {
  const strings: string[] = []
  let text = ''
  let prefix: string | null = null
  for await (const more of textOf(zip, part)) {
    text += more
    prefix ??= /<((?:\w+:)?)sst[\s>]/.exec(text)?.[1] ?? null
    if (prefix === null) continue
    const closing = `</${prefix}si>`
    let at = 0
    for (;;) {
      const start = text.indexOf(`<${prefix}si`, at)
      const tagEnd = start < 0 ? -1 : text.indexOf('>', start)
      if (tagEnd < 0) break
      const empty = text[tagEnd - 1] === '/'
      const end = empty ? tagEnd : text.indexOf(closing, tagEnd)
      if (end < 0) break
      strings.push(empty ? '' : runs(text.slice(tagEnd + 1, end)))
      at = empty ? end + 1 : end + closing.length
    }
    text = text.slice(at)
    if (text.length > limits.rowSize) throw damaged('a shared text is too long to be read')
  }
  return strings
}

/** An .xlsx workbook, read as a stream: memory holds the shared texts and one stretch of rows. */
export async function openXlsx(path: string, limits: Limits): Promise<Book> {
  const zip = await openZip(path, limits)
  const main = (await relations(zip, '')).find((one) => one.type === 'officeDocument')
  if (!main || !zip.has(main.part)) throw new Refusal(422, 'The file is a zip archive that holds no workbook')
  const workbook = await read(zip, main.part)
  const related = await relations(zip, main.part)
  const part = (type: string) => related.find((one) => one.type === type && zip.has(one.part))?.part
  const stylesPart = part('styles')
  const stringsPart = part('sharedStrings')
  const date1904 = ['1', 'true'].includes(attributes(/<(?:\w+:)?workbookPr\s[^>]*>/.exec(workbook)?.[0] ?? '').date1904 ?? '')
  const shared: Shared = {
    styles: stylesPart ? stylesOf(await read(zip, stylesPart)) : [],
    strings: stringsPart ? await sharedStrings(zip, stringsPart, limits) : [],
    shift: date1904 ? 1462 : 0,
  }
  const sheets = elements(workbook, 'sheet').flatMap(({ name = '', id = '' }): Sheet[] => {
    const relation = related.find((one) => one.id === id && one.type === 'worksheet')
    return relation ? [{ name, lines: () => sheetLines(zip.stream(relation.part), shared, limits) }] : []
  })
  if (sheets.length === 0) throw new Refusal(422, 'The workbook holds no worksheet')
  return { sheets, finish: () => zip.verifyRest() }
}
