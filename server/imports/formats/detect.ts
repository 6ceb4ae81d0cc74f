import { open } from 'node:fs/promises'
import { invalidFile } from './fileErrors.ts'

export type FileFormat = 'csv' | 'xlsx' | 'xls'

/** First bytes of files that are uploaded by mistake, and what they are. */
const unsupportedFormats: [signature: string, name: string][] = [
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
/** Worksheets of Excel 2 to 4 are a stream of records without an OLE container. */
const excel4Signatures = ['\t\x00', '\t\x02', '\t\x04']

/** The format of a file by its first bytes (imports 3). Throws HttpError 422 for any that is not read. */
function detectFormat(head: Buffer): FileFormat {
  const bytes = head.toString('latin1')
  const text = bytes.replace(/^\xef\xbb\xbf/, '')
  const unsupported = unsupportedFormats.find(([signature]) => bytes.startsWith(signature))
  if (unsupported) throw invalidFile(`The file is ${unsupported[1]}, not a spreadsheet or CSV file`)
  if (bytes.startsWith('PK\x03\x04')) return 'xlsx'
  if (bytes.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return 'xls'
  if (excel4Signatures.some((signature) => bytes.startsWith(signature)))
    throw invalidFile('The workbook was written by Excel 4 or older; save it as .xlsx or .csv')
  const markup = webPage.test(text) ? 'a web page' : /^\s*<\?xml/i.test(text) ? 'an XML document' : null
  if (markup)
    throw invalidFile(
      `The file is ${markup}, not a workbook; open it in a spreadsheet program and save it as .xlsx or .csv`,
    )
  return 'csv'
}

const formatNames: Record<FileFormat, string> = {
  csv: 'a text file',
  xlsx: 'an Excel workbook (.xlsx)',
  xls: 'an Excel 97 workbook (.xls)',
}

/**
 * The format of a file on disk. Throws HttpError 422 when the file is empty or of another format, and when
 * the content is a workbook and the name ends in .csv or the other way round (imports 3).
 */
export async function checkFormat(path: string, filename: string): Promise<FileFormat> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0)
    if (bytesRead === 0) throw invalidFile('The file is empty')
    const format = detectFormat(buffer.subarray(0, bytesRead))
    const ending = filename.slice(filename.lastIndexOf('.')).toLowerCase()
    if ((ending === '.csv') !== (format === 'csv'))
      throw invalidFile(
        `The file is ${formatNames[format]} although its name ends in ${ending}; ` +
          `rename it to end in .${format} and try again`,
      )
    return format
  } finally {
    await file.close()
  }
}

/**
 * Whether an OLE container has a directory entry of this name. An entry begins at a multiple of 128 bytes
 * with its name in UTF-16; the length of the name in bytes stands 64 bytes further.
 */
const hasDirectoryEntry = (ole: Buffer, name: string): boolean => {
  const wanted = Buffer.from(`${name}\0`, 'utf16le')
  for (let at = ole.indexOf(wanted); at >= 0; at = ole.indexOf(wanted, at + 2))
    if (at % 128 === 0 && at + 66 <= ole.length && ole.readUInt16LE(at + 64) === wanted.length) return true
  return false
}

/** Throws HttpError 422 for an OLE container that has a password, holds macros, or holds no workbook. */
export function checkOleContainer(ole: Buffer): void {
  if (hasDirectoryEntry(ole, 'EncryptedPackage') || hasDirectoryEntry(ole, 'EncryptionInfo'))
    throw invalidFile('The workbook is protected by a password; save it without one and try again')
  if (!hasDirectoryEntry(ole, 'Workbook') && !hasDirectoryEntry(ole, 'Book'))
    throw invalidFile('The file is an Office document that holds no workbook')
  if (hasDirectoryEntry(ole, '_VBA_PROJECT_CUR'))
    throw invalidFile('The workbook holds macros; save it without them (.xlsx or .csv) and try again')
}
