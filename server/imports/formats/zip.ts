import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import type { ImportLimits } from '../../config/importLimits.ts'
import { HttpError } from '../../http/errors.ts'
import { damagedWorkbook, hasBytesAt } from './xmlScan.ts'

/** One file of the archive; `start` is its local header, sizes in bytes. */
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
  /** The bytes of an entry; length and checksum are compared at the end, document types refused on the way. */
  stream(name: string): AsyncGenerator<Buffer>
  /** Reads what was not read to its end yet, so that damage anywhere is found. */
  verifyRest(): Promise<void>
}

const invalidFile = (sentence: string) => new HttpError(422, sentence)
const endRecord = 0x06054b50
const directoryRecord = 0x02014b50
const localRecord = 0x04034b50
/** What unpacks at a time; larger pieces cost fewer turns of the event loop. */
const inflateChunkSize = 262_144

const forbiddenDeclarations = ['!DOCTYPE', '!ENTITY'].map((word) => Buffer.from(word))

/** Does a document type or entity definition begin here? '!' is rare in a workbook, so that looking for it is cheap. */
const hasForbiddenDeclaration = (bytes: Buffer): boolean => {
  for (let at = bytes.indexOf(33, 1); at >= 0; at = bytes.indexOf(33, at + 1))
    if (bytes[at - 1] === 60 && forbiddenDeclarations.some((word) => hasBytesAt(bytes, at, word))) return true
  return false
}

async function readDirectory(path: string, limits: ImportLimits): Promise<ZipEntry[]> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const tail = Buffer.alloc(Math.min(size, 65_557))
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

/** The rules that a directory can be held to before anything is unpacked. */
function checkDirectory(entries: ZipEntry[], end: number, limits: ImportLimits): void {
  const names = new Set<string>()
  let unzipped = 0
  for (const { name, method, flags, compressedSize: packed, size, start } of entries) {
    const key = name.toLowerCase()
    if (names.has(key)) throw damagedWorkbook(`it holds ${name} twice`)
    names.add(key)
    const leadsOutside = name.startsWith('/') || ['..', '\\', '\0'].some((sign) => name.includes(sign))
    if (leadsOutside) throw damagedWorkbook('a part has a name that leads outside')
    if (flags & 1)
      throw invalidFile('The workbook is protected by a password; save it without one and try again')
    if (method !== 0 && method !== 8) throw damagedWorkbook(`${name} is packed in an unknown way`)
    if (start + 30 + packed > end) throw damagedWorkbook(`${name} reaches past its end`)
    unzipped += size
    if (size > 10_000_000 && size > packed * limits.zipRatio)
      throw invalidFile(
        `The workbook unpacks to more than ${limits.zipRatio} times its size, which no ordinary workbook does`,
      )
  }
  const most = Math.round(limits.unzippedBytes / 1e6).toLocaleString('en-US')
  if (unzipped > limits.unzippedBytes) throw invalidFile(`The workbook unpacks to more than ${most} MB`)
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

async function* readEntry(path: string, entry: ZipEntry): AsyncGenerator<Buffer> {
  const file = await open(path)
  const name = Buffer.from(entry.name)
  const local = Buffer.alloc(30 + name.length)
  await file.read(local, 0, local.length, entry.start).finally(() => file.close())
  const agrees =
    local.readUInt32LE(0) === localRecord &&
    local.readUInt16LE(8) === entry.method &&
    local.subarray(30).equals(name)
  if (!agrees) throw damagedWorkbook(`${entry.name} is not where it should be`)
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

/** Opens a zip that passes every rule a directory can be held to; throws a Refusal (422) otherwise. */
export async function openZip(path: string, limits: ImportLimits): Promise<ZipArchive> {
  const entries = new Map((await readDirectory(path, limits)).map((entry) => [entry.name, entry]))
  const done = new Set<string>()
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
    done.add(name)
  }
  return {
    has: (name) => entries.has(name),
    stream,
    async verifyRest() {
      for (const name of entries.keys()) if (!done.has(name)) for await (const _ of stream(name));
    },
  }
}
