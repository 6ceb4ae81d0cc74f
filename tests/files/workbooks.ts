import { CFB, utils, write, type BookType, type WorkBook } from '@e965/xlsx'
import { zipOf, type Part } from './zips.ts'

export type Value = string | number | boolean | null
export type Rows = Value[][]

export const csvOf = (rows: Rows, separator = ',', end = '\r\n'): string => {
  const quoted = (value: Value) => {
    const text = value === null ? '' : String(value)
    return /["\r\n]/.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text
  }
  return rows.map((row) => row.map(quoted).join(separator) + end).join('')
}
/** Windows-1252 and Latin-1 agree on everything these tests write. */
export const windows1252 = (text: string) => Buffer.from(text, 'latin1')
export const utf16 = (text: string, big = false, mark = true): Buffer => {
  const bytes = Buffer.from(`${mark ? '\ufeff' : ''}${text}`, 'utf16le')
  return big ? bytes.swap16() : bytes
}

/** A workbook written by another library than the one under test. */
export function workbookOf(
  type: BookType,
  sheets: Record<string, Rows>,
  change: (book: WorkBook) => void = () => {},
): Buffer {
  const book = utils.book_new()
  for (const [name, rows] of Object.entries(sheets))
    utils.book_append_sheet(book, utils.aoa_to_sheet(rows), name)
  change(book)
  return write(book, {
    type: 'buffer',
    bookType: type,
    bookSST: type !== 'biff5',
    compression: true,
  }) as Buffer
}

/** What Excel makes of a workbook with a password: an OLE container around an encrypted package. */
export function encryptedXlsx(): Buffer {
  const ole = CFB.utils.cfb_new()
  CFB.utils.cfb_add(ole, '/EncryptionInfo', Buffer.alloc(600, 1))
  CFB.utils.cfb_add(ole, '/EncryptedPackage', Buffer.alloc(9000, 2))
  return Buffer.from(CFB.write(ole, { type: 'buffer' }) as Uint8Array)
}
/** An .xls whose workbook stream begins with the record that says it is encrypted (FILEPASS, RC4). */
export function encryptedXls(rows: Rows): Buffer {
  const ole = CFB.read(workbookOf('biff8', { Sheet1: rows }), { type: 'buffer' })
  const stream = Buffer.from(CFB.find(ole, 'Workbook')!.content as Uint8Array)
  const first = 4 + stream.readUInt16LE(2)
  const pass = Buffer.concat([Buffer.from([0x2f, 0, 54, 0, 1, 0, 1, 0, 1, 0]), Buffer.alloc(48, 7)])
  CFB.utils.cfb_add(
    ole,
    '/Workbook',
    Buffer.concat([stream.subarray(0, first), pass, stream.subarray(first)]),
  )
  return Buffer.from(CFB.write(ole, { type: 'buffer' }) as Uint8Array)
}
/** An Office document that is no workbook, or a workbook with an additional stream. */
export function oleWith(name: string, base?: Buffer): Buffer {
  const ole = base ? CFB.read(base, { type: 'buffer' }) : CFB.utils.cfb_new()
  CFB.utils.cfb_add(ole, name, Buffer.alloc(5000, 3))
  return Buffer.from(CFB.write(ole, { type: 'buffer' }) as Uint8Array)
}

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`

const sheets = '<sheets><sheet name="Data" sheetId="1" r:id="rId1"/></sheets>'
const related = [
  relation('rId1', 'worksheet', 'worksheets/sheet1.xml'),
  relation('rId2', 'styles', 'styles.xml'),
  relation('rId3', 'sharedStrings', '/xl/sharedStrings.xml'),
]

type Raw = {
  sheet: string
  styles?: string
  strings?: string
  workbook?: string
  change?: (parts: Part[]) => Part[]
  comment?: string
  overlap?: boolean
}
/** The parts of a small .xlsx; `sheet` is the content of sheetData, or a whole worksheet. */
export function rawXlsx({
  sheet,
  styles,
  strings,
  workbook = '',
  change = (parts) => parts,
  ...zip
}: Raw): Buffer {
  const whole = sheet.includes('sheetData')
    ? sheet
    : `${head}<worksheet xmlns="${main}"><sheetData>${sheet}</sheetData></worksheet>`
  const parts: Part[] = [
    {
      name: '[Content_Types].xml',
      data: `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    },
    {
      name: '_rels/.rels',
      data: `${head}<Relationships>${relation('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    },
    {
      name: 'xl/workbook.xml',
      data: `${head}<workbook xmlns="${main}" xmlns:r="${office}">${workbook}${sheets}</workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      data: `${head}<Relationships>${related.join('')}</Relationships>`,
    },
    { name: 'xl/worksheets/sheet1.xml', data: whole },
    ...(styles
      ? [{ name: 'xl/styles.xml', data: `${head}<styleSheet xmlns="${main}">${styles}</styleSheet>` }]
      : []),
    ...(strings
      ? [{ name: 'xl/sharedStrings.xml', data: `${head}<sst xmlns="${main}">${strings}</sst>` }]
      : []),
  ]
  return zipOf(change(parts), zip)
}
/** The XML of a row: each cell is an inline string, or XML if it begins with '<'. */
export const rowXml = (row: number, ...cells: string[]): string => {
  const letter = (at: number) => String.fromCharCode(65 + at)
  const inline = (cell: string, at: number) =>
    `<c r="${letter(at)}${row}" t="inlineStr"><is><t>${cell}</t></is></c>`
  return `<row r="${row}">${cells.map((cell, at) => (cell.startsWith('<') ? cell : inline(cell, at))).join('')}</row>`
}
