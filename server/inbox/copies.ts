import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Db, Sql, Tx } from '../db/db.ts'
import { renameDurably } from '../db/postgres/durable.ts'
import { checkDiskSpace } from '../imports/process/diskSpace.ts'

/** A complete file in a temporary place; `size` in bytes. */
type ArrivedFile = { path: string; sha256: string; size: number }

type Settings = Pick<Config, 'inbox' | 'importLimits'>

/** Where the copy of a file stands (inbox 3). */
export const copyPath = ({ inbox }: Pick<Config, 'inbox'>, sha256: string) => join(inbox.copies, sha256)

/** Copies are kept by many at a time, and removed by one while nobody keeps one. */
const lockCopies = (tx: Tx, how: '' | '_shared') =>
  tx.query(`select pg_advisory_xact_lock${how}(hashtext('inbox copies'))`)

/**
 * Moves a file to the copies; it and its name are on the disk when `store` begins, which stores its row in
 * the same transaction. Throws an HttpError (507) without room, and then the file is where it was.
 */
export async function keepCopy<T>(
  db: Db,
  settings: Settings,
  { path, sha256 }: ArrivedFile,
  store: (tx: Tx) => Promise<T>,
): Promise<T> {
  await checkDiskSpace(path, settings.importLimits.freeDiskMb)
  const file = await open(path, 'r+')
  await file.sync().finally(() => file.close())
  await mkdir(settings.inbox.copies, { recursive: true, mode: 0o700 })
  return db.transaction(async (tx) => {
    await lockCopies(tx, '_shared')
    renameDurably(path, copyPath(settings, sha256))
    return store(tx)
  })
}

/** Milliseconds after which a copy that no row names is removed: its row may be about to be stored. */
const orphanAge = 3_600_000

/**
 * Forgets the files that were imported or dismissed before so many days, and removes the copies that no row
 * names any more (inbox 7). Returns how many files were forgotten. `now` is in epoch milliseconds.
 */
export async function forgetEnded(db: Db, settings: Settings, now: number): Promise<number> {
  const { days, copies } = settings.inbox
  return db.transaction(async (tx) => {
    await lockCopies(tx, '')
    const gone = await tx.query(
      `delete from inbox_file where state in ('imported', 'dismissed')
          and ended_at < to_timestamp($1::float8) - $2::int * interval '1 day' returning id`,
      [now / 1000, days],
    )
    for (const name of await readdir(copies).catch(() => [])) {
      if (!/^[\da-f]{64}$/.test(name)) continue
      const path = join(copies, name)
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now }))
      const isOld = now - mtimeMs > orphanAge
      if (isOld && !(await isNamed(tx, name))) await rm(path, { force: true })
    }
    return gone.length
  })
}

const isNamed = async (sql: Sql, sha256: string) =>
  (await sql.query('select from inbox_file where sha256 = $1 limit 1', [sha256])).length > 0
