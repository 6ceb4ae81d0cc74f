import { open } from 'node:fs/promises'
import { HttpError } from '../../http/errors.ts'

export type FileFormat = 'csv' | 'xlsx' | 'xls'
const invalidFile = (sentence: string) => new HttpError(422, sentence)

/** First bytes of what people upload by mistake, and what it is. */
const unsupportedFormats: [start: string, what: string][] = [
  ['%PDF-', 'a PDF document'],
  ['MZ', 'a program'],
  ['\x7fELF', 'a program'],
  ['\x89PNG', 'a picture'],
  ['GIF8', 'a picture'],
  ['\xff\xd8\xff', 'a picture'],
  ['\x1f\x8b', 'a compressed archive'],
  ['7z\xbc\xaf', 'a compressed archive'],
  ['Rar!', 'a compressed archive'],
  ['BZh', 'a compressed archive'],
  ['{\\rtf', 'a text document (RTF)'],
  ['PK\x05\x06', 'an empty zip archive'],
]
const webPage = /^\s*(<!doctype\s+html|<html|<table|<head|<meta|<body)/i
/** Worksheets of Excel 2 to 4: a stream of records without a container. */
const excel4Signatures = ['\t\x00', '\t\x02', '\t\x04']

/** What a file is by its content, whatever its name says; throws a Refusal (422) that names a stranger. */
export function detectFormat(head: Buffer): FileFormat {
  const bytes = head.toString('latin1')
  const text = bytes.replace(/^\xef\xbb\xbf/, '')
  const stranger = unsupportedFormats.find(([start]) => bytes.startsWith(start))
  if (stranger) throw invalidFile(`The file is ${stranger[1]}, not a spreadsheet or CSV file`)
  if (bytes.startsWith('PK\x03\x04')) return 'xlsx'
  if (bytes.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return 'xls'
  if (excel4Signatures.some((start) => bytes.startsWith(start)))
    throw invalidFile('The workbook was written by Excel 4 or older; save it as .xlsx or .csv')
  const what = webPage.test(text) ? 'a web page' : /^\s*<\?xml/i.test(text) ? 'an XML document' : null
  if (what)
    throw invalidFile(
      `The file is ${what}, not a workbook; open it in a spreadsheet program and save it as .xlsx or .csv`,
    )
  return 'csv'
}

const formatNames: Record<FileFormat, string> = {
  csv: 'a text file',
  xlsx: 'an Excel workbook (.xlsx)',
  xls: 'an Excel 97 workbook (.xls)',
}

/** Content decides between .xls and .xlsx; a workbook called .csv, or text called a workbook, is refused by name. */
export async function checkFormat(path: string, filename: string): Promise<FileFormat> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0)
    if (bytesRead === 0) throw invalidFile('The file is empty')
    const format = detectFormat(buffer.subarray(0, bytesRead))
    const ending = filename.slice(filename.lastIndexOf('.')).toLowerCase()
    if ((ending === '.csv') !== (format === 'csv'))
      throw invalidFile(
        `The file is ${formatNames[format]} although its name ends in ${ending}; rename it to end in .${format} and try again`,
      )
    return format
  } finally {
    await file.close()
  }
}

/** Is there a directory entry of this name in an OLE container? Names are UTF-16 at multiples of 128, their length at 64. */
const hasDirectoryEntry = (ole: Buffer, name: string): boolean => {
  const wanted = Buffer.from(`${name}\0`, 'utf16le')
  for (let at = ole.indexOf(wanted); at >= 0; at = ole.indexOf(wanted, at + 2))
    if (at % 128 === 0 && at + 66 <= ole.length && ole.readUInt16LE(at + 64) === wanted.length) return true
  return false
}

/** Refuses (422) an OLE container that is protected, holds macros or no workbook. */
export function checkOleContainer(ole: Buffer): void {
  if (hasDirectoryEntry(ole, 'EncryptedPackage') || hasDirectoryEntry(ole, 'EncryptionInfo'))
    throw invalidFile('The workbook is protected by a password; save it without one and try again')
  if (!hasDirectoryEntry(ole, 'Workbook') && !hasDirectoryEntry(ole, 'Book'))
    throw invalidFile('The file is an Office document that holds no workbook')
  if (hasDirectoryEntry(ole, '_VBA_PROJECT_CUR'))
    throw invalidFile('The workbook holds macros; save it without them (.xlsx or .csv) and try again')
}
