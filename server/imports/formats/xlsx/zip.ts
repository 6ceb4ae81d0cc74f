import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import type { ImportLimits } from '../../../config/importLimits.ts'
import { HttpError } from '../../../http/errors.ts'
import { damagedWorkbook, invalidFile } from '../fileErrors.ts'
import { hasBytesAt, lessThan } from './xmlScan.ts'

/** One file of the archive: sizes in bytes, `start` is the offset of its local header. */
type ZipEntry = {
  name: string
  method: number
  flags: number
  crc: number
  compressedSize: number
  size: number
  start: number
}
export type ZipArchive = {
  has(name: string): boolean
  /**
   * The unpacked bytes of an entry. Throws HttpError 422 when size or checksum differ from the directory, and
   * for document type and entity definitions (imports 4).
   */
  stream(name: string): AsyncGenerator<Buffer>
  /**
   * Reads the entries that were not read to their end, so that damage in unused ones is found too
   * (imports 4).
   */
  verifyRest(): Promise<void>
}

// Numbers of sections are those of PKWARE's APPNOTE 6.3, the description of the ZIP format.

/** End of central directory record (4.3.16): 22 bytes and a comment. */
const endRecord = 0x06054b50
/** Header of a file in the central directory (4.3.12): 46 bytes, its name, extra fields and a comment. */
const directoryRecord = 0x02014b50
/** Local header of a file (4.3.7): 30 bytes, its name and extra fields. */
const localRecord = 0x04034b50
/** The longest end record: its comment has at most 65,535 bytes. */
const maxEndLength = 22 + 65_535
/** Larger chunks cost fewer turns of the event loop. */
const inflateChunkSize = 262_144

const exclamationMark = 33
const forbiddenDeclarations = ['!DOCTYPE', '!ENTITY'].map((word) => Buffer.from(word))

/**
 * Whether the bytes hold a document type or entity definition, which no part may (ECMA-376-2, M1.18). '!' is
 * rare in a workbook, so looking for it is cheap.
 */
const hasForbiddenDeclaration = (bytes: Buffer): boolean => {
  for (let at = bytes.indexOf(exclamationMark, 1); at >= 0; at = bytes.indexOf(exclamationMark, at + 1))
    if (bytes[at - 1] === lessThan && forbiddenDeclarations.some((word) => hasBytesAt(bytes, at, word)))
      return true
  return false
}

async function readDirectory(path: string, limits: ImportLimits): Promise<ZipEntry[]> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const tail = Buffer.alloc(Math.min(size, maxEndLength))
    await file.read(tail, 0, tail.length, size - tail.length)
    let at = tail.length - 22
    while (
      at >= 0 &&
      !(tail.readUInt32LE(at) === endRecord && at + 22 + tail.readUInt16LE(at + 20) === tail.length)
    )
      at -= 1
    if (at < 0) throw damagedWorkbook('its end is missing')
    const count = tail.readUInt16LE(at + 10)
    const length = tail.readUInt32LE(at + 12)
    const start = tail.readUInt32LE(at + 16)
    const end = size - tail.length + at
    // These values say that the true ones stand in the ZIP64 records (4.4.1.4).
    if (count === 0xffff || start === 0xffffffff)
      throw invalidFile('The workbook is stored as ZIP64; open it in Excel and save it again')
    if (count > limits.zipEntries)
      throw invalidFile(`The workbook holds more than ${limits.zipEntries.toLocaleString('en-US')} parts`)
    const oneDisk = tail.readUInt16LE(at + 4) === 0 && tail.readUInt16LE(at + 8) === count
    if (start + length !== end || !oneDisk) throw damagedWorkbook('its directory is not where it should be')
    const bytes = Buffer.alloc(length)
    await file.read(bytes, 0, length, start)
    const entries: ZipEntry[] = []
    let next = 0
    for (let index = 0; index < count; index += 1) {
      if (next + 46 > length || bytes.readUInt32LE(next) !== directoryRecord)
        throw damagedWorkbook('its directory cannot be read')
      const nameLength = bytes.readUInt16LE(next + 28)
      entries.push({
        flags: bytes.readUInt16LE(next + 8),
        method: bytes.readUInt16LE(next + 10),
        crc: bytes.readUInt32LE(next + 16),
        compressedSize: bytes.readUInt32LE(next + 20),
        size: bytes.readUInt32LE(next + 24),
        start: bytes.readUInt32LE(next + 42),
        name: bytes.toString('utf8', next + 46, next + 46 + nameLength),
      })
      next += 46 + nameLength + bytes.readUInt16LE(next + 30) + bytes.readUInt16LE(next + 32)
    }
    if (next !== length) throw damagedWorkbook('its directory cannot be read')
    checkDirectory(entries, start, limits)
    return entries
  } finally {
    await file.close()
  }
}

/**
 * Checks everything that the directory shows before anything is unpacked: names, sizes, places, contents.
 * Names that differ in case alone are one part (ECMA-376-2, M1.12). A name has no leading slash and no
 * backslash (4.4.17.1). Bit 0 of the flags marks an encrypted file (4.4.4); method 0 is stored, 8 is deflated
 * (4.4.5).
 */
function checkDirectory(entries: ZipEntry[], end: number, limits: ImportLimits): void {
  const names = new Set<string>()
  let unzipped = 0
  for (const { name, method, flags, compressedSize, size, start } of entries) {
    const key = name.toLowerCase()
    if (names.has(key)) throw damagedWorkbook(`it holds ${name} twice`)
    names.add(key)
    const leadsOutside = name.startsWith('/') || ['..', '\\', '\0'].some((sign) => name.includes(sign))
    if (leadsOutside) throw damagedWorkbook('a part has a name that leads outside')
    if (flags & 1)
      throw invalidFile('The workbook is protected by a password; save it without one and try again')
    if (method !== 0 && method !== 8) throw damagedWorkbook(`${name} is packed in an unknown way`)
    if (start + 30 + compressedSize > end) throw damagedWorkbook(`${name} reaches past its end`)
    unzipped += size
    if (size > 10_000_000 && size > compressedSize * limits.zipRatio)
      throw invalidFile(
        `The workbook unpacks to more than ${limits.zipRatio} times its size, ` +
          'which no ordinary workbook does',
      )
  }
  const megabytes = Math.round(limits.unzippedBytes / 1e6).toLocaleString('en-US')
  if (unzipped > limits.unzippedBytes) throw invalidFile(`The workbook unpacks to more than ${megabytes} MB`)
  const placed = entries
    .filter((entry) => entry.compressedSize > 0)
    .sort((one, other) => one.start - other.start)
  placed.forEach((entry, index) => {
    const following = placed[index + 1]
    if (following && entry.start + 30 + entry.compressedSize > following.start)
      throw damagedWorkbook(`${entry.name} and ${following.name} overlap`)
  })
  if (names.has('xl/vbaproject.bin'))
    throw invalidFile('The workbook holds macros; save it without them (.xlsx or .csv) and try again')
  if (names.has('xl/workbook.bin'))
    throw invalidFile('The file is a binary workbook (.xlsb); save it as .xlsx or .csv')
  const isWorkbook = names.has('[content_types].xml') && [...names].some((name) => name.startsWith('xl/'))
  if (!isWorkbook) throw invalidFile('The file is a zip archive that holds no workbook')
}

/**
 * The unpacked bytes of an entry. Sizes and checksum are those of the directory: the local header has zeros
 * when they follow the data (4.3.9, bit 3 of the flags).
 */
async function* readEntry(path: string, entry: ZipEntry): AsyncGenerator<Buffer> {
  const file = await open(path)
  const name = Buffer.from(entry.name)
  const local = Buffer.alloc(30 + name.length)
  await file.read(local, 0, local.length, entry.start).finally(() => file.close())
  const matchesDirectory =
    local.readUInt32LE(0) === localRecord &&
    local.readUInt16LE(8) === entry.method &&
    local.subarray(30).equals(name)
  if (!matchesDirectory) throw damagedWorkbook(`${entry.name} is not where it should be`)
  if (entry.compressedSize === 0 && entry.size === 0) return
  const from = entry.start + 30 + local.readUInt16LE(26) + local.readUInt16LE(28)
  const raw = createReadStream(path, {
    start: from,
    end: from + entry.compressedSize - 1,
    highWaterMark: 131_072,
  })
  const inflate = entry.method === 8 ? createInflateRaw({ chunkSize: inflateChunkSize }) : null
  const out = inflate ? raw.pipe(inflate) : raw
  raw.on('error', (error) => out.destroy(error))
  try {
    yield* out as AsyncIterable<Buffer>
    if (inflate && inflate.bytesWritten !== entry.compressedSize)
      throw damagedWorkbook(`${entry.name} is longer than its directory says`)
  } finally {
    raw.destroy()
    out.destroy()
  }
}

/**
 * Opens the archive of a workbook; throws HttpError 422 when its directory breaks a rule (imports 4,
 * imports 24).
 */
export async function openZip(path: string, limits: ImportLimits): Promise<ZipArchive> {
  const entries = new Map((await readDirectory(path, limits)).map((entry) => [entry.name, entry]))
  const verified = new Set<string>()
  async function* stream(name: string): AsyncGenerator<Buffer> {
    const entry = entries.get(name)
    if (!entry) throw damagedWorkbook(`${name} is missing`)
    const isXml = /\.(xml|rels|vml)$/i.test(name)
    let sum = 0
    let size = 0
    let tail: Buffer = Buffer.alloc(0)
    try {
      for await (const chunk of readEntry(path, entry)) {
        size += chunk.length
        if (size > entry.size) throw damagedWorkbook(`${name} is longer than its directory says`)
        sum = crc32(chunk, sum)
        // A definition may begin in one chunk and end in the next.
        const seam = Buffer.concat([tail, chunk.subarray(0, 16)])
        if (isXml && (hasForbiddenDeclaration(chunk) || hasForbiddenDeclaration(seam)))
          throw invalidFile(
            'The workbook holds a document type or entity definition, which no spreadsheet program writes',
          )
        tail = chunk.length < 16 ? Buffer.concat([tail, chunk]).subarray(-16) : chunk.subarray(-16)
        yield chunk
      }
    } catch (error) {
      throw error instanceof HttpError ? error : damagedWorkbook(`${name} cannot be unpacked`)
    }
    if (size !== entry.size || sum !== entry.crc)
      throw damagedWorkbook(`${name} does not agree with its checksum`)
    verified.add(name)
  }
  return {
    has: (name) => entries.has(name),
    stream,
    async verifyRest() {
      for (const name of entries.keys()) if (!verified.has(name)) for await (const _ of stream(name));
    },
  }
}
