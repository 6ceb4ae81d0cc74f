/**
 * Reads a file in one of several ways, in a process of its own; bench/areas/imports.ts runs it. Prints
 * seconds of processor time and megabytes of memory as JSON. `tsx bench/peers/reading.ts <way> <file>`
 */
import { existsSync, readFileSync } from 'node:fs'
import { createInflateRaw, crc32 } from 'node:zlib'
import { defaultImportLimits } from '../../server/config/importLimits.ts'
import { openXlsx } from '../../server/imports/formats/xlsx/workbook.ts'
import { readImport } from '../../server/imports/process/readImport.ts'
import { readByLibraries } from './librariesReading.ts'

/**
 * Unpacks every part of an archive and verifies its checksum. `chunkSize` in bytes; Node's default unless
 * given.
 */
async function unpack(path: string, chunkSize?: number): Promise<void> {
  const bytes = readFileSync(path)
  const end = bytes.lastIndexOf('PK\x05\x06')
  let at = bytes.readUInt32LE(end + 16)
  for (let count = bytes.readUInt16LE(end + 10); count > 0; count -= 1) {
    const start = bytes.readUInt32LE(at + 42)
    const from = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28)
    const inflate = createInflateRaw(chunkSize ? { chunkSize } : {})
    inflate.end(bytes.subarray(from, from + bytes.readUInt32LE(at + 20)))
    let sum = 0
    for await (const part of inflate as AsyncIterable<Buffer>) sum = crc32(part, sum)
    if (sum !== bytes.readUInt32LE(at + 16)) throw new Error('the archive is damaged')
    at += 46 + bytes.readUInt16LE(at + 28)
  }
}

const ways: Record<string, (path: string) => Promise<unknown>> = {
  unpack: (path) => unpack(path),
  unpackLarge: (path) => unpack(path, 262_144),
  async cells(path) {
    const book = await openXlsx(path, defaultImportLimits)
    for await (const _ of book.sheets[0]!.lines());
    await book.verify()
  },
  libraries: (path) => readByLibraries(readFileSync(path)),
  rows: (path) =>
    readImport({ kind: 'merchant', path, filename: path, limits: defaultImportLimits }, async () => {}),
}

/** The peak of this program; maxRSS, without /proc, counts that of the process which started it too. */
function peakMb(): number {
  if (!existsSync('/proc/self/status')) return process.resourceUsage().maxRSS / 1000
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return Number(kilobytes) / 1000
}

const [way = '', path = ''] = process.argv.slice(2)
const before = process.cpuUsage()
await ways[way]!(path)
const { user, system } = process.cpuUsage(before)
console.log(JSON.stringify({ seconds: (user + system) / 1e6, megabytes: peakMb() }))
