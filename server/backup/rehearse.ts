import { randomBytes } from 'node:crypto'
import { basename } from 'node:path'
import { openDb, type Db, type Sql } from '../db/db.ts'
import { migrate } from '../db/migrate.ts'
import { snapshotHash } from '../money/snapshot.ts'
import { unreadableFields } from './encryptedFields.ts'
import type { Installation } from './installation.ts'
import { writeNote, type RehearsalNote } from './notes.ts'
import { readBackupHeader, restoreBackup, type FileTaker } from './restore.ts'

/** `secret` is the key of the installation. */
type Rehearsal = { file: string; passphrase: string | null; secret: Buffer }

const scratchPrefix = 'portal_rehearsal_'

/**
 * Restores a backup into a database of its own on the same server, compares it, and removes it again
 * (operations 19): the rows of every table and the sums of the payout ledger with those the backup was made
 * of, the hash of every locked month with what its copy adds up to, each file that waits in the inbox with
 * its copy. Encrypted values that the key does not open are named. The result is stored in the portal's
 * database, also a bad one.
 */
export async function rehearse({ db, url }: Installation, rehearsal: Rehearsal): Promise<RehearsalNote> {
  const { file, passphrase } = rehearsal
  const at = Math.floor(Date.now() / 1000)
  const note: RehearsalNote = {
    at,
    file: basename(file),
    made: null,
    rows: 0,
    months: 0,
    unreadable: [],
    fault: null,
  }
  try {
    note.made = Math.floor(Date.parse((await readBackupHeader(file, passphrase)).made) / 1000)
    Object.assign(note, await withScratchDatabase(db, url, (scratch) => compare(scratch, rehearsal)))
  } catch (error) {
    note.fault = (error as Error).message
  }
  await writeNote(db, 'rehearsal', note)
  return note
}

async function compare(scratchUrl: string, { file, passphrase, secret }: Rehearsal) {
  const scratch = openDb(scratchUrl, { max: 2 })
  try {
    const inbox = copyNames()
    const { tables, copies } = await restoreBackup(scratch, {
      file,
      passphrase,
      replace: false,
      drive: null,
      inbox,
    })
    await migrate(scratchUrl)
    if (copies !== undefined) await assertCopies(scratch, inbox.whole)
    const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
    const unreadable = await unreadableFields(scratch, secret)
    return { rows, months: await compareMonths(scratch), unreadable }
  } finally {
    await scratch.close()
  }
}

/** Takes the copies of the inbox and remembers those whose content has the SHA-256 that is their name. */
function copyNames() {
  const whole: string[] = []
  let name = ''
  const take: FileTaker['take'] = async (record) => {
    if (record.kind === 'file') name = record.value.path
    else if (record.kind === 'fileEnd' && record.value.sha256 === name) whole.push(name)
  }
  return { whole, take }
}

/** Throws an Error when a file that waits in the inbox could not be imported from its copy (inbox 3). */
async function assertCopies(sql: Sql, copies: readonly string[]): Promise<void> {
  const missing = await sql.query<{ filename: string }>(
    `select filename from inbox_file
      where state not in ('imported', 'dismissed') and sha256 <> all ($1) order by id`,
    [copies],
  )
  if (missing.length > 0)
    throw new Error(
      `The copy of ${missing[0]!.filename} in the inbox is missing or damaged` +
        (missing.length > 1 ? `, and ${missing.length - 1} more` : ''),
    )
}

/** How many locks there are. Throws an Error that names the first one whose copy has another hash. */
async function compareMonths(sql: Sql): Promise<number> {
  const locks = await sql.query<{ id: number; month: string; version: number; hash: string }>(
    'select id, month, version, hash from month_lock order by month, version',
  )
  for (const { id, month, version, hash } of locks)
    if ((await snapshotHash(sql, id)) !== hash)
      throw new Error(`Version ${version} of ${month.slice(0, 7)} does not add up to its hash`)
  return locks.length
}

/** Makes an empty database for `work`, and removes it and what earlier rehearsals left. */
async function withScratchDatabase<T>(
  db: Db,
  url: string,
  work: (scratchUrl: string) => Promise<T>,
): Promise<T> {
  const name = `${scratchPrefix}${randomBytes(6).toString('hex')}`
  await removeLeftScratch(db)
  await db.query(`create database ${name}`).catch((error: Error & { code?: string }) => {
    if (error.code !== '42501') throw error
    throw new Error(
      'The rehearsal needs a database of its own, and the account of the database may not create one: ' +
        'grant it CREATEDB',
    )
  })
  try {
    return await work(Object.assign(new URL(url), { pathname: `/${name}` }).href)
  } finally {
    await db.query(`drop database if exists ${name} with (force)`)
  }
}

/** Databases of rehearsals that were killed: nobody is connected to them. */
async function removeLeftScratch(db: Db): Promise<void> {
  const left = await db.query<{ name: string }>(
    `select datname::text as name from pg_database d where starts_with(datname, $1)
      and pg_has_role(d.datdba, 'usage')
      and not exists (select from pg_stat_activity a where a.datname = d.datname)`,
    [scratchPrefix],
  )
  for (const { name } of left) await db.query(`drop database if exists ${name}`)
}
