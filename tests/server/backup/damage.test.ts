import { randomBytes, scryptSync } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checkBackup } from '../../../server/backup/backup.ts'
import { readBackup, writeBackupFile } from '../../../server/backup/file/backupFile.ts'
import { byteReader } from '../../../server/backup/file/bytes.ts'
import { decodeParts, encodeParts, partCodec, passphraseKey } from '../../../server/backup/file/parts.ts'
import type { BackupRecord } from '../../../server/backup/file/records.ts'
import { rowDigest } from '../../../server/backup/file/rowDigest.ts'
import { readBackupHeader } from '../../../server/backup/restore.ts'
import { folder, removeFolders } from '../../fixtures/folders.ts'

let file: string
beforeEach(() => {
  file = join(folder(), 'one.backup')
})
afterEach(removeFolders)

const passphrase = 'seven small brown foxes'
const about = { made: '2026-11-22T00:00:00.000Z', migrations: ['001_people'], key: null, hasDrive: false }
const proof = { tables: {}, sequences: {}, files: 0, ledger: {} }
/** Random rows do not pack, so that a backup of a known number of parts comes out. */
const rows = randomBytes(700_000)

async function* records(bytes: Buffer): AsyncGenerator<BackupRecord> {
  yield { kind: 'table', value: { name: 'setting', columns: ['name', 'value'] } }
  yield { kind: 'rows', bytes }
  yield { kind: 'tableEnd', value: { rows: 1, digest: '' } }
  yield { kind: 'proof', value: proof }
}

const write = async (word: string | null, bytes = rows, more = {}) => {
  await writeBackupFile(file, { ...about, ...more }, word, records(bytes))
  return readFileSync(file)
}
const spoil = (bytes: Buffer, at: number) => {
  const copy = Buffer.from(bytes)
  copy[at]! ^= 0x20
  writeFileSync(file, copy)
}
const check = (word: string | null) => checkBackup(file, word)

const readRows = (word: string | null) =>
  readBackup(file, word, async (all) => {
    const parts: Buffer[] = []
    for await (const record of all) if (record.kind === 'rows') parts.push(record.bytes)
    return Buffer.concat(parts)
  })

test('a backup is read as it was written, in the clear and encrypted, and is alone in its folder', async () => {
  for (const word of [null, passphrase]) {
    await write(word)
    expect((await readRows(word)).equals(rows)).toBe(true)
    expect(readFileSync(file).includes(rows.subarray(0, 64))).toBe(word === null)
    expect(readdirSync(join(file, '..'))).toEqual(['one.backup'])
  }
})

test('a backup is refused with a changed byte in any part of it', async () => {
  const bytes = await write(null, rows.subarray(0, 300))
  for (const at of bytes.keys()) {
    spoil(bytes, at)
    await expect(check(null), `byte ${at} of ${bytes.length}`).rejects.toThrow(
      /^The backup .* (is damaged|is none of this portal|is newer|was encrypted with another)/,
    )
  }
})

test('a backup is refused with parts left out, repeated or in another order, cut off or with something behind it', async () => {
  const bytes = await write(null)
  const head = 29 + bytes.readUInt32BE(25)
  const partAt = (number: number) => head + number * (5 + 256 * 1024 + 32)
  const [first, second, third] = [0, 1, 2].map((n) => bytes.subarray(partAt(n), partAt(n + 1))) as Buffer[]
  const header = bytes.subarray(0, head)
  expect(third!.length).toBeLessThan(second!.length)
  const variants = {
    'left out': [header, first!, third!],
    repeated: [header, first!, first!, second!, third!],
    'in another order': [header, second!, first!, third!],
    'cut after a part': [header, first!, second!],
    'cut in a part': [header, first!, second!.subarray(0, 1000)],
    'cut by a byte': [bytes.subarray(0, -1)],
    'cut to its header': [header],
    'one byte longer': [bytes, Buffer.of(0)],
    'followed by itself': [bytes, bytes],
  }
  for (const [name, pieces] of Object.entries(variants)) {
    writeFileSync(file, Buffer.concat(pieces))
    await expect(check(null), name).rejects.toThrow(/^The backup .* is damaged/)
  }
  writeFileSync(file, Buffer.concat([header, first!, second!, third!]))
  await expect(check(null)).resolves.toEqual(proof)
})

describe('a backup is refused in a sentence', () => {
  test('without its passphrase, with another, and with parts of another backup of the same passphrase', async () => {
    const bytes = await write(passphrase)
    await expect(check(null)).rejects.toThrow(
      `The backup ${file} is encrypted: set BACKUP_PASSPHRASE or BACKUP_PASSPHRASE_FILE`,
    )
    await expect(check('seven small brown Foxes')).rejects.toThrow(
      `The backup ${file} was encrypted with another passphrase, or its header is damaged`,
    )
    // More work for a passphrase than the portal asks for could take all the memory.
    writeFileSync(file, Buffer.from(bytes.toString('latin1').replace('"N":131072', '"N":262144'), 'latin1'))
    await expect(check(passphrase)).rejects.toThrow(
      `The backup ${file} is damaged: its header cannot be read`,
    )
    const head = 29 + bytes.readUInt32BE(25)
    file = `${file}.other`
    const other = await write(passphrase)
    writeFileSync(file, Buffer.concat([other.subarray(0, head), bytes.subarray(head)]))
    await expect(check(passphrase)).rejects.toThrow('is damaged: its part 1 is not what was written')
  })

  test('when the file is no backup, is empty or does not exist', async () => {
    for (const content of ['', 'x', 'PGDMP'.repeat(100)]) {
      writeFileSync(file, content)
      await expect(check(null)).rejects.toThrow(
        `The backup ${file} is none of this portal: it begins with something else`,
      )
    }
    await expect(checkBackup(`${file}.none`, null)).rejects.toThrow(`There is no backup ${file}.none`)
    const sentence = `${dirname(file)} is a folder and no backup: name a file in it`
    await expect(checkBackup(dirname(file), null)).rejects.toThrow(sentence)
  })

  test('when its parts are whole and hold what cannot be unpacked', async () => {
    const bytes = await write(null)
    const header = bytes.subarray(0, 29 + bytes.readUInt32BE(25))
    const parts: Buffer[] = []
    for await (const part of encodeParts(Readable.from([rows]), partCodec(header, null))) parts.push(part)
    writeFileSync(file, Buffer.concat([header, ...parts]))
    await expect(check(null)).rejects.toThrow(`The backup ${file} is damaged: it cannot be unpacked`)
  })

  test('when its format or its migrations are newer than the portal', async () => {
    const bytes = await write(null)
    const newer = Buffer.from(bytes.toString('latin1').replace('"format":1', '"format":2'), 'latin1')
    writeFileSync(file, newer)
    await expect(check(null)).rejects.toThrow(
      `The backup ${file} is newer than this portal: its format is 2, and this portal reads 1`,
    )
    file = `${file}.later`
    await write(null, rows, { migrations: ['001_people', '999_later'] })
    await expect(readBackupHeader(file, null)).rejects.toThrow(
      `The backup ${file} is newer than this portal: it holds the migration 999_later, which this portal does not know`,
    )
  })
})

test('parts that are encrypted are refused with a changed byte anywhere, and in another order', async () => {
  const header = Buffer.from('header')
  const key = randomBytes(32)
  const encoded: Buffer[] = []
  for await (const part of encodeParts(Readable.from([rows]), partCodec(header, key))) encoded.push(part)
  const decoded = async (parts: Buffer[], by = header) => {
    const read: Buffer[] = []
    const reader = byteReader(Readable.from(parts))
    for await (const part of decodeParts(reader, partCodec(by, key))) read.push(part)
    return Buffer.concat(read)
  }
  expect((await decoded(encoded)).equals(rows)).toBe(true)
  const last = encoded.at(-1)!.subarray(0)
  expect(encoded).toHaveLength(3)
  for (let at = 0; at < last.length; at += at < 40 || at > last.length - 40 ? 1 : 9973) {
    const spoiled = Buffer.from(last)
    spoiled[at]! ^= 1
    await expect(decoded([...encoded.slice(0, -1), spoiled]), `byte ${at}`).rejects.toThrow(/is damaged/)
  }
  await expect(decoded([encoded[1]!, encoded[0]!, encoded[2]!])).rejects.toThrow('its part 1 is not what')
  await expect(decoded([encoded[0]!, encoded[2]!])).rejects.toThrow('its part 2 is not what')
  await expect(decoded(encoded.slice(0, 2))).rejects.toThrow('its end is missing')
  await expect(decoded(encoded, Buffer.from('Header'))).rejects.toThrow('its part 1 is not what')
})

test('a passphrase gives the same key and check in every version, or older backups could not be read', () => {
  const [salt, cost] = [Buffer.alloc(16, 7), { N: 1024, r: 8, p: 1 }]
  const derived = scryptSync('caf\u00e9', salt, 48, cost).toString('hex')
  // The accent is typed with its letter or after it.
  for (const typed of ['caf\u00e9', 'cafe\u0301']) {
    const { key, check } = passphraseKey(typed, salt, cost)
    expect([key.toString('hex'), check.toString('hex')]).toEqual([derived.slice(0, 64), derived.slice(64)])
  }
})

test('the digest of rows does not depend on their order or on the pieces they come in, and sees each change', () => {
  const digestOf = (...pieces: string[]) => {
    const digest = rowDigest()
    for (const piece of pieces) digest.update(Buffer.from(piece))
    return digest.sum()
  }
  const usual = digestOf('1\ta\n2\tb\n3\tc\n')
  expect(usual.rows).toBe(3)
  expect(digestOf('3\tc\n1\ta', '\n2', '\tb', '\n')).toEqual(usual)
  for (const changed of [
    '1\ta\n2\tb\n',
    '1\ta\n2\tb\n3\td\n',
    '1\ta\n2\tb\n3\tc\n3\tc\n',
    '1\tb\n2\ta\n3\tc\n',
  ])
    expect(digestOf(changed)).not.toEqual(usual)
})
