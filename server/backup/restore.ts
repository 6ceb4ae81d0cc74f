import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { escapeIdentifier } from 'pg'
import { from } from 'pg-copy-streams'
import type { Db, Tx } from '../db/db.ts'
import { createTables, knownMigrations, migrationLock } from '../db/migrate.ts'
import { readBackup } from './file/backupFile.ts'
import { BackupFault, damagedBackup } from './file/bytes.ts'
import type { BackupHeader, Proof } from './file/contents.ts'
import type { BackupRecord } from './file/records.ts'
import type { FolderWriter } from './folderFiles.ts'
import { ledgerSums, plainText, tableSum } from './proof.ts'
import {
  columnList,
  dropEverything,
  isEmptyDatabase,
  listTables,
  beginLoading,
  type StoredTable,
} from './tables.ts'

type RestoreOptions = {
  file: string
  passphrase: string | null
  /** Whether a database that holds something is replaced. */
  replace: boolean
  /** Takes the files of the drive; null when they are not wanted. */
  drive: FileTaker | null
  /** Takes the copies of the inbox; null when they are not wanted. */
  inbox: FileTaker | null
  /** The last step before the database is committed: where it fails, the database stays as it was. */
  beforeCommit?: (tx: Tx) => Promise<void>
}
export type FileTaker = Pick<FolderWriter, 'take'>

/** Reads the header of a backup. Throws an Error for one that this portal cannot restore (operations 18). */
export const readBackupHeader = (file: string, passphrase: string | null): Promise<BackupHeader> =>
  readBackup(file, passphrase, async (_, header) => {
    const known = await knownMigrations()
    const newer = header.migrations.find((name) => !known.has(name))
    if (newer)
      throw new BackupFault(
        `is newer than this portal: it holds the migration ${newer}, which this portal does not know; ` +
          'restore it with the newer portal',
      )
    return header
  })

/**
 * Restores a backup into the database: its tables are made as they were, loaded, and counted again, all in
 * one transaction, so that a restore that fails leaves the database as it was (operations 18). The connection
 * must be that of the owner. Answers what the backup says of itself. Throws an Error with a sentence for a
 * person.
 */
export async function restoreBackup(db: Db, options: RestoreOptions): Promise<Proof> {
  await readBackupHeader(options.file, options.passphrase)
  return readBackup(options.file, options.passphrase, (records, header) =>
    db.transaction(async (tx) => {
      await tx.query(plainText)
      await tx.query('select pg_advisory_xact_lock($1)', [migrationLock])
      await clearDatabase(tx, options.replace)
      await createTables(tx, header.migrations)
      const tables = await listTables(tx)
      const endLoading = await beginLoading(tx, tables)
      const proof = await loadRecords(tx, tables, records, options)
      await endLoading()
      for (const [name, { value, isCalled }] of Object.entries(proof.sequences))
        await tx.query(`select setval($1::regclass, $2::bigint, $3)`, [
          escapeIdentifier(name),
          value,
          isCalled,
        ])
      await assertAddsUp(tx, tables, proof)
      await options.beforeCommit?.(tx)
      return proof
    }),
  )
}

async function clearDatabase(tx: Tx, replace: boolean): Promise<void> {
  if (await isEmptyDatabase(tx)) return
  if (!replace)
    throw new Error(
      'The database is not empty: restore into an empty one, or say --replace to give up what it holds',
    )
  await refuseOpenDatabase(tx)
  await dropEverything(tx)
}

/** Throws an Error when anybody else is connected to the database. */
export async function refuseOpenDatabase(tx: Tx): Promise<void> {
  const others = await tx.query(
    `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and backend_type = 'client backend' limit 1`,
  )
  if (others.length > 0)
    throw new Error('The database is in use: stop every portal and program that has it open')
}

/** Stores the rows of a backup, table by table, and hands its files to those who take them. */
async function loadRecords(
  tx: Tx,
  tables: readonly StoredTable[],
  records: AsyncIterable<BackupRecord>,
  { drive, inbox }: Pick<RestoreOptions, 'drive' | 'inbox'>,
): Promise<Proof> {
  const rows = rowLoader(tx)
  const loaded = new Set<string>()
  let taker = drive
  try {
    for await (const record of records) {
      if (record.kind === 'table') {
        const table = tables.find(({ name }) => name === record.value.name)
        if (table?.columns.join() !== record.value.columns.join())
          throw damagedBackup(`the table ${record.value.name} is not that of its migrations`)
        loaded.add(table.name)
        rows.begin(table)
      } else if (record.kind === 'rows') await rows.add(record.bytes)
      else if (record.kind === 'tableEnd') await rows.end()
      else if (record.kind !== 'proof') {
        if (record.kind === 'file') taker = record.value.place === 'inbox' ? inbox : drive
        await taker?.take(record)
      } else {
        const missing = tables.find(({ name }) => !loaded.has(name))
        if (missing) throw damagedBackup(`the table ${missing.name} is missing`)
        return record.value
      }
    }
    throw damagedBackup('it ends too early')
  } finally {
    rows.stop()
  }
}

/** Copies the rows of one table after the other into the database. */
function rowLoader({ client }: Tx) {
  let copy: Writable | null = null
  return {
    begin(table: StoredTable) {
      copy = client.query(from(`copy ${escapeIdentifier(table.name)} (${columnList(table)}) from stdin`))
      copy.on('error', () => {})
    },
    async add(bytes: Buffer) {
      if (copy?.errored) throw copy.errored
      if (copy && !copy.write(bytes)) await once(copy, 'drain')
    },
    async end() {
      const ended = copy
      copy = null
      ended?.end()
      if (ended) await finished(ended)
    },
    /** A COPY that is cut short would keep the connection from the rollback. */
    stop: () => void copy?.destroy(),
  }
}

/** Throws when a table or the ledger does not hold what the backup says. */
async function assertAddsUp(tx: Tx, tables: readonly StoredTable[], proof: Proof): Promise<void> {
  for (const table of tables) {
    const wanted = proof.tables[table.name]
    const found = await tableSum(tx, table)
    if (wanted?.rows !== found.rows || wanted.digest !== found.digest)
      throw damagedBackup(
        `${found.rows} rows of the table ${table.name} are not the ${wanted?.rows ?? 0} that were backed up`,
      )
  }
  const sums = await ledgerSums(tx, tables)
  for (const [place, sum] of Object.entries(proof.ledger))
    if (sums[place] !== sum) throw damagedBackup(`the sum of ${place} is ${sums[place]} and should be ${sum}`)
}
