import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { escapeIdentifier } from 'pg'
import { msInDay } from '../../schemas/dates.ts'
import type { Db, Tx } from '../db/db.ts'
import { readFromSnapshot } from '../db/largeWork.ts'
import { migrationLock } from '../db/migrate.ts'
import { databaseKeyFingerprint } from '../db/secretKey.ts'
import { isFullDisk } from '../http/errors.ts'
import { readBackup, writeBackupFile } from './file/backupFile.ts'
import type { Proof } from './file/contents.ts'
import type { BackupRecord } from './file/records.ts'
import { rowDigest } from './file/rowDigest.ts'
import { folderRecords } from './folderFiles.ts'
import { copyRows, ledgerSums, plainText } from './proof.ts'
import { listSequences, listTables, type StoredTable } from './tables.ts'

/** 'portal-20261122T020000.000Z-1f3a.backup': the names sort by time. */
const namePattern = /^portal-\d{8}T\d{6}\.\d{3}Z-[0-9a-f]{4}\.backup$/
const backupName = (at: Date) =>
  `portal-${at.toISOString().replaceAll(/[-:]/g, '')}-${randomBytes(2).toString('hex')}.backup`
/** Milliseconds after which a draft that a killed backup left is removed. */
const draftAge = msInDay

/**
 * `drive` is the folder of a local drive, null when it is elsewhere; `inbox` that of the copies of the inbox,
 * null to leave them out.
 */
type BackupOptions = {
  folder: string
  keep: number | null
  passphrase: string | null
  drive: string | null
  inbox: string | null
}
/** `bytes` of the file, `rows` of all tables. */
type WrittenBackup = {
  file: string
  bytes: number
  rows: number
  files: number
  copies: number
  removed: number
}

/** The backups in a folder, the oldest first. */
export async function listBackups(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => namePattern.test(name)).sort()
}

/**
 * Backs the database, the drive and the copies of the inbox up into a new file of `folder`, and reads it once
 * more (operations 17). The database may be in use: all of it is of one moment. Only then are the oldest
 * removed, so that `keep` are left. Throws an Error with a sentence for a person.
 */
export async function makeBackup(
  db: Db,
  { folder, keep, passphrase, drive, inbox }: BackupOptions,
): Promise<WrittenBackup> {
  const made = new Date()
  const file = join(folder, backupName(made))
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await db.transaction(async (tx) => {
      const { tables, migrations, key } = await holdSnapshot(tx)
      const about = {
        made: made.toISOString(),
        migrations,
        key,
        hasDrive: drive !== null,
        hasInbox: inbox !== null,
      }
      await writeBackupFile(file, about, passphrase, backupRecords(tx, tables, { drive, inbox }))
    })
  } catch (error) {
    throw explainWriteError(error as NodeJS.ErrnoException, folder)
  }
  const proof = await checkBackup(file, passphrase).catch(async (error: Error) => {
    await rm(file, { force: true })
    throw new Error(`The new backup could not be read again and was removed: ${error.message}`)
  })
  const { size } = await stat(file)
  return {
    file,
    bytes: size,
    rows: Object.values(proof.tables).reduce((sum, { rows }) => sum + rows, 0),
    files: proof.files,
    copies: proof.copies ?? 0,
    removed: keep === null ? 0 : await removeOldest(folder, keep),
  }
}

function explainWriteError(error: NodeJS.ErrnoException, folder: string): Error {
  if (isFullDisk(error))
    return new Error(
      `There is no room for the backup in ${folder} (${error.code}): make room there, or choose another ` +
        'folder with BACKUP_DIR. Earlier backups are as they were.',
    )
  if (error.code && /^E[A-Z]+$/.test(error.code) && error.syscall !== 'connect')
    return new Error(`The backup could not be written into ${folder}: ${error.message}`)
  return error
}

/**
 * Begins the snapshot. Migrations wait until all tables are held, so that the list of tables, the list of
 * migrations and the rows belong together.
 */
async function holdSnapshot(tx: Tx) {
  await readFromSnapshot(tx)
  await tx.query('select pg_advisory_xact_lock_shared($1)', [migrationLock])
  await tx.query(plainText)
  const tables = await listTables(tx)
  if (!tables.some(({ name }) => name === 'migration'))
    throw new Error('The database holds no portal yet: start the portal once before it is backed up')
  await tx.query(
    `lock table ${tables.map(({ name }) => escapeIdentifier(name)).join(', ')} in access share mode`,
  )
  const migrations = await tx.query<{ name: string }>('select name from migration order by id')
  const key = await databaseKeyFingerprint(tx)
  return { tables, migrations: migrations.map(({ name }) => name), key }
}

async function* backupRecords(
  tx: Tx,
  tables: readonly StoredTable[],
  { drive, inbox }: Pick<BackupOptions, 'drive' | 'inbox'>,
): AsyncGenerator<BackupRecord> {
  const proof: Proof = {
    tables: {},
    sequences: {},
    files: 0,
    copies: 0,
    ledger: await ledgerSums(tx, tables),
  }
  for (const table of tables) {
    yield { kind: 'table', value: table }
    const digest = rowDigest()
    for await (const bytes of copyRows(tx, table)) {
      digest.update(bytes)
      yield { kind: 'rows', bytes }
    }
    proof.tables[table.name] = digest.sum()
    yield { kind: 'tableEnd', value: proof.tables[table.name]! }
  }
  // Sequences are of no moment: read after the rows, they are never behind them.
  for (const name of await listSequences(tx)) {
    const [row] = await tx.query<{ value: string; called: boolean }>(
      `select last_value::text as value, is_called as called from ${escapeIdentifier(name)}`,
    )
    proof.sequences[name] = { value: row!.value, isCalled: row!.called }
  }
  if (drive !== null)
    for await (const record of folderRecords(drive)) {
      if (record.kind === 'fileEnd') proof.files++
      yield record
    }
  if (inbox !== null)
    for await (const record of folderRecords(inbox, 'inbox')) {
      if (record.kind === 'fileEnd') proof.copies!++
      yield record
    }
  yield { kind: 'proof', value: proof }
}

/**
 * Reads a whole backup and counts again what is in it. Throws an Error that says what is wrong with it
 * (operations 17).
 */
export const checkBackup = (file: string, passphrase: string | null): Promise<Proof> =>
  readBackup(file, passphrase, async (records) => {
    for await (const record of records) if (record.kind === 'proof') return record.value
    throw new Error(`The backup ${file} is damaged: it ends too early`)
  })

async function removeOldest(folder: string, keep: number): Promise<number> {
  const names = await listBackups(folder)
  const old = names.slice(0, Math.max(0, names.length - keep))
  for (const name of old) await rm(join(folder, name), { force: true })
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const isDraft = name.endsWith('.part') && namePattern.test(name.slice(0, -'.part'.length))
    const stats = isDraft ? await stat(path).catch(() => null) : null
    if (stats && Date.now() - stats.mtimeMs > draftAge) await rm(path, { force: true })
  }
  return old.length
}
