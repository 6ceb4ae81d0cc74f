import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rm, writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { renameDurably } from '../../db/postgres/durable.ts'
import { BackupFault, byteReader, damagedBackup, type ByteReader } from './bytes.ts'
import { backupFormat, type BackupHeader } from './contents.ts'
import { decodeParts, encodeParts, partCodec, passphraseKey, scryptCost } from './parts.ts'
import { decodeRecords, encodeRecord, parseHeader, type BackupRecord } from './records.ts'

/** The first bytes of every backup; the length of the header (4 bytes) and its JSON follow. */
const signature = Buffer.from('TECHNOLOGY PORTAL BACKUP\n')
const maxHeaderBytes = 1024 * 1024

/** What is known of a backup before it is written. */
type NewBackup = Omit<BackupHeader, 'format' | 'encryption'>

/**
 * Writes a backup to `file`: under another name beside it, and renamed when it is complete and on the disk.
 * A passphrase encrypts it (operations 17). Throws what the records throw, and errors of the disk; the other
 * name is then removed.
 */
export async function writeBackupFile(
  file: string,
  about: NewBackup,
  passphrase: string | null,
  records: AsyncIterable<BackupRecord>,
): Promise<void> {
  const { header, key } = newHeader(about, passphrase)
  const draft = `${file}.part`
  const handle = await open(draft, 'wx', 0o600)
  // When the disk refuses, the pipeline may reject with the abort of what feeds it instead.
  let diskError: Error | undefined
  try {
    const codec = partCodec(header, key)
    async function* whole(source: AsyncIterable<Buffer>) {
      yield header
      yield* encodeParts(source, codec)
    }
    await pipeline(Readable.from(encodeAll(records)), createGzip({ level: 1 }), whole, (bytes) =>
      writeFile(handle, bytes).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ABORT_ERR') diskError = error
        throw error
      }),
    )
    await handle.sync()
    await handle.close()
    renameDurably(draft, file)
  } catch (error) {
    await handle.close().catch(() => {})
    await rm(draft, { force: true })
    throw diskError ?? error
  }
}

async function* encodeAll(records: AsyncIterable<BackupRecord>) {
  for await (const record of records) yield encodeRecord(record)
}

function newHeader(about: NewBackup, passphrase: string | null) {
  const salt = randomBytes(16)
  const derived = passphrase === null ? null : passphraseKey(passphrase, salt, scryptCost)
  const encryption = derived && {
    ...scryptCost,
    salt: salt.toString('hex'),
    check: derived.check.toString('hex'),
  }
  const content: BackupHeader = { format: backupFormat, ...about, encryption }
  const json = Buffer.from(JSON.stringify(content))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(json.length)
  return { header: Buffer.concat([signature, length, json]), key: derived?.key ?? null }
}

/**
 * Gives the records of a backup to `read`. Throws an Error that names the file for one that is no backup, of
 * a later format, encrypted with another passphrase, or damaged: each part is checked before it is given.
 */
export async function readBackup<T>(
  file: string,
  passphrase: string | null,
  read: (records: AsyncIterable<BackupRecord>, header: BackupHeader) => Promise<T>,
): Promise<T> {
  const input = createReadStream(file)
  try {
    const reader = byteReader(input)
    const { header, content } = await readHeader(reader)
    const codec = partCodec(header, backupKey(content, passphrase))
    const gunzip = createGunzip()
    const feeding = pipeline(Readable.from(decodeParts(reader, codec)), gunzip)
    feeding.catch(() => {})
    try {
      return await read(decodeToEnd(byteReader(gunzip)), content)
    } finally {
      gunzip.destroy()
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (error instanceof BackupFault) throw new Error(`The backup ${file} ${error.message}`, { cause: error })
    if (code?.startsWith('Z_')) throw new Error(`The backup ${file} is damaged: it cannot be unpacked`)
    if (code === 'ENOENT') throw new Error(`There is no backup ${file}`)
    if (code === 'EISDIR') throw new Error(`${file} is a folder and no backup: name a file in it`)
    if (code === 'EACCES') throw new Error(`The backup ${file} cannot be read: this account has no right to`)
    throw error
  } finally {
    input.destroy()
  }
}

/** Nothing may follow the proof: then the whole file was read, and its last part checked. */
async function* decodeToEnd(reader: ByteReader) {
  yield* decodeRecords(reader)
  if ((await reader.take(1)) !== null) throw damagedBackup('something follows its end')
}

async function readHeader(reader: ByteReader) {
  const first = await reader.take(signature.length).catch((error) => {
    if (error instanceof BackupFault) return null
    throw error
  })
  if (!first?.equals(signature))
    throw new BackupFault('is none of this portal: it begins with something else')
  const length = await reader.take(4)
  const bytes = length?.readUInt32BE() ?? 0
  const json = bytes > 0 && bytes <= maxHeaderBytes ? await reader.take(bytes) : null
  if (!length || !json) throw damagedBackup('its header cannot be read')
  const content = parseHeader(json)
  if (content.format > backupFormat)
    throw new BackupFault(
      `is newer than this portal: its format is ${content.format}, and this portal reads ${backupFormat}; ` +
        'restore it with the newer portal',
    )
  return { header: Buffer.concat([signature, length, json]), content }
}

function backupKey({ encryption }: BackupHeader, passphrase: string | null): Buffer | null {
  if (!encryption) return null
  if (passphrase === null)
    throw new BackupFault('is encrypted: set BACKUP_PASSPHRASE or BACKUP_PASSPHRASE_FILE')
  const { N, r, p } = encryption
  if (N !== scryptCost.N || r !== scryptCost.r || p !== scryptCost.p)
    throw damagedBackup('its header cannot be read')
  const { key, check } = passphraseKey(passphrase, Buffer.from(encryption.salt, 'hex'), { N, r, p })
  if (check.toString('hex') !== encryption.check)
    throw new BackupFault('was encrypted with another passphrase, or its header is damaged')
  return key
}
