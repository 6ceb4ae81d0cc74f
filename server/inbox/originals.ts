import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Db, Sql, Tx } from '../db/db.ts'
import { HttpError } from '../http/errors.ts'
import { reasonToStay, takenFolder } from './folder.ts'
import type { FolderFile, QuietFiles } from './quietPeriod.ts'
import { isWaiting } from './rows.ts'
import { addFolderFile, keepUnchanged, trackOriginal } from './take.ts'

/** A file in `.taken` as it was when it was taken, and the file of the inbox that came of it. */
type Original = {
  name: string
  fileid: number
  sha256: string
  size: number
  mtime: number
  filename: string
  note: string | null
}

const originals = `select o.name, o.fileid, o.sha256, o.size, o.mtime, f.filename, f.note
  from inbox_original o join inbox_file f on f.id = o.fileid`

/** 'same' with the size and time of change that were stored, 'gone' without the file, else what it is now. */
async function standingOf(folder: string, original: Original): Promise<'same' | 'gone' | FolderFile> {
  const path = join(folder, takenFolder, original.name)
  const stats = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (!stats?.isFile()) return 'gone'
  const { size, mtimeMs, ino } = stats
  return size === original.size && mtimeMs === original.mtime
    ? 'same'
    : { name: original.name, size, mtimeMs, ino }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** Programs that keep the time of a file set it at its end: the time changes then, the content does not. */
const hasOtherContent = async (folder: string, { name, size, sha256 }: Original, now: FolderFile) =>
  now.size !== size || (await hashOf(join(folder, takenFolder, name))) !== sha256

const bytes = (size: number) => `${size.toLocaleString('en-US')} bytes`
const describeChange = (original: Original, now: FolderFile) =>
  `${original.filename} ${now.size > original.size ? 'grew' : 'changed'} after it was taken: ` +
  `${bytes(original.size)} were read, and it has ${bytes(now.size)} now.`

/**
 * Compares the files that were taken with what they were then. One that has changed keeps its file of the
 * inbox from being imported; once it is quiet again its content is taken in place of the former, or as a new
 * file when the former was imported or dismissed (inbox 11).
 */
export async function compareOriginals(
  db: Db,
  config: Config,
  folder: string,
  quiet: QuietFiles,
): Promise<void> {
  const changed = new Map<FolderFile, Original>()
  for (const original of await db.query<Original>(`${originals} order by o.name`)) {
    const now = await standingOf(folder, original)
    if (now === 'gone') await forget(db, original)
    else if (now !== 'same') changed.set(now, original)
  }
  const isQuiet = new Set(quiet([...changed.keys()]))
  for (const [now, original] of changed) {
    if (!(await hasOtherContent(folder, original, now))) {
      await db.transaction((tx) => restore(tx, original, now))
      continue
    }
    const reason = await reasonToStay(join(folder, takenFolder), now, config.uploadLimit)
    const next =
      reason ?? `It is read again once it has not changed for ${config.inbox.quietSeconds} seconds.`
    await withhold(db, original, `${describeChange(original, now)} ${next}`)
    if (reason !== null || !isQuiet.has(now)) continue
    const grown = { original: join(folder, takenFolder, now.name), seen: now }
    await keepUnchanged(db, config, grown, (tx, sha256) => takeAnew(tx, original, now, sha256))
  }
}

/** Says of a file of the inbox that its copy is not what came, so that nobody imports it. */
async function withhold(sql: Sql, { fileid, note: before }: Original, note: string) {
  if (note === before) return
  await sql.query('update inbox_file set outgrown = true, note = $2 where id = $1', [fileid, note])
}

/** An original that was removed is compared no longer; a file that it has outgrown by then stays withheld. */
async function forget(db: Db, { name, fileid, filename }: Original) {
  await db.transaction(async (tx) => {
    await tx.query('delete from inbox_original where name = $1', [name])
    await tx.query('update inbox_file set note = $2 where id = $1 and outgrown', [
      fileid,
      `${filename} changed after it was taken, and was then removed from ${takenFolder}. ` +
        'Please send the file again.',
    ])
  })
}

/** The content is what was taken, whatever was in between. */
async function restore(tx: Tx, original: Original, now: FolderFile) {
  await trackOriginal(tx, original.fileid, original.sha256, now)
  await tx.query(
    `update inbox_file set outgrown = false, note = null where id = $1 and outgrown and sha256 = $2`,
    [original.fileid, original.sha256],
  )
}

/** Lets the new content take the place of the former one, or stand beside it when that has ended. */
async function takeAnew(tx: Tx, original: Original, now: FolderFile, sha256: string) {
  const change = describeChange(original, now)
  const [file] = await tx.query<{ isended: boolean; state: string; endedby: string | null; taken: boolean }>(
    `select not (${isWaiting}) as isended, f.state, f.endedby, exists (select from inbox_file other
        where other.id <> f.id and other.sha256 = $2 and other.source = 'folder'
          and other.state not in ('imported', 'dismissed')) as taken
      from inbox_file f where f.id = $1 for update`,
    [original.fileid, sha256],
  )
  if (!file) return
  if (!file.isended && !file.taken) {
    await replace(tx, original.fileid, { sha256, size: now.size, note: `${change} It was taken anew.` })
    await trackOriginal(tx, original.fileid, sha256, now)
    return
  }
  const id = await addFolderFile(tx, original.filename, sha256, now.size)
  await trackOriginal(tx, id, sha256, now)
  if (!file.isended) {
    // The same bytes wait already, and the same bytes wait once (inbox 5).
    await tx.query('delete from inbox_file where id = $1', [original.fileid])
    return
  }
  const ended = `${file.state} by ${file.endedby}`
  await withhold(tx, original, `${change} What it holds now waits as a new file.`)
  await tx.query('update inbox_file set note = $2 where id = $1', [
    id,
    `${change} What was read first was ${ended}; this is what it holds now.`,
  ])
}

/** A claim on the former content ends, so that nothing is stored of it any more. */
const replace = (
  tx: Tx,
  id: number,
  { sha256, size, note }: { sha256: string; size: number; note: string },
) =>
  tx.query(
    `update inbox_file set sha256 = $2, size = $3, note = $4, outgrown = false, state = 'waiting',
        answers = '{}', kind = null, month = null, processor = null, asks = null, preview = null,
        faults = null, message = null, repeated = null, checkedby = null, checked_at = null, claim = null
      where id = $1`,
    [id, sha256, size, note],
  )

/** The code of the 409 of a file that its original has outgrown. */
export const outgrownCode = 'outgrown'

/** Throws an HttpError (409) when an original of the file is not what was taken of it (inbox 11). */
export async function assertNotOutgrown(sql: Sql, { inbox }: Pick<Config, 'inbox'>, fileid: number) {
  if (inbox.watched === null) return
  for (const original of await sql.query<Original>(`${originals} where o.fileid = $1`, [fileid])) {
    const now = await standingOf(inbox.watched, original)
    if (typeof now === 'string' || !(await hasOtherContent(inbox.watched, original, now))) continue
    throw new HttpError(409, `${describeChange(original, now)} Nothing was stored.`, { code: outgrownCode })
  }
}
