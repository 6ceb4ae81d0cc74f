import { constants } from 'node:fs'
import { lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Db, Tx } from '../db/db.ts'
import { uploadQuota } from '../imports/upload.ts'
import { writeHashed, type QuotaUse } from '../jobs/diskQuota.ts'
import { temporaryFiles } from '../jobs/temporaryFiles.ts'
import { keepCopy } from './copies.ts'
import { reasonToStay, takenFolder } from './folder.ts'
import { isSameStamp, type FolderFile } from './quietPeriod.ts'
import { inboxFileName } from './receive.ts'
import { addFile, isWaiting } from './rows.ts'

/** Does `work` unless another process works on the watched folder of this database at this moment. */
export const inFolderTurn = (db: Db, work: () => Promise<void>) =>
  db.transaction(async (tx) => {
    const [lock] = await tx.query<{ acquired: boolean }>(
      `select pg_try_advisory_xact_lock(hashtext('inbox folder')) as acquired`,
    )
    if (lock!.acquired) await work()
  })

/** The name, with a number when it is in use among the files that were taken. */
async function freeName(folder: string, name: string): Promise<string> {
  const used = new Set(await readdir(join(folder, takenFolder)).catch(() => []))
  const at = name.lastIndexOf('.')
  let free = name
  for (let number = 2; used.has(free); number++) free = `${name.slice(0, at)} ${number}${name.slice(at)}`
  return free
}

/**
 * Copies an open file to `to` and answers the SHA-256 of what was copied. Throws an HttpError (507) when
 * there is no room.
 */
async function copyFile(from: string, to: string, quotaUse: QuotaUse): Promise<string> {
  const file = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW)
  return (await writeHashed(file.createReadStream(), to, quotaUse)).sha256
}

/**
 * Copies `original`, a file of the watched folder that was read as `seen`, and keeps the copy with `store`,
 * in one transaction with its row. False, with nothing kept, when the file is not as it was seen, before or
 * after it was read. Throws an HttpError (507) when there is no room.
 */
export async function keepUnchanged(
  db: Db,
  config: Config,
  { original, seen }: { original: string; seen: FolderFile },
  store: (tx: Tx, sha256: string) => Promise<unknown>,
): Promise<boolean> {
  const path = await temporaryFiles(config.dataDir, 'upload').newPath()
  const isUnchanged = async () => {
    const stats = await lstat(original).catch(() => null)
    return stats !== null && isSameStamp(seen, stats)
  }
  const quotaUse = uploadQuota(config)('the watched folder')
  try {
    if (!(await isUnchanged())) return false
    const sha256 = await copyFile(original, path, quotaUse)
    if (!(await isUnchanged())) return false
    await keepCopy(db, config, { path, sha256, size: seen.size }, (tx) => store(tx, sha256))
    return true
  } finally {
    await rm(path, { force: true })
    quotaUse.free()
  }
}

/** Remembers an original as it was when its content was taken for a file of the inbox (inbox 11). */
export const trackOriginal = (tx: Tx, fileid: number, sha256: string, { name, size, mtimeMs }: FolderFile) =>
  tx.query(
    `insert into inbox_original (name, fileid, sha256, size, mtime) values ($1, $2, $3, $4, $5)
      on conflict (name) do update set fileid = $2, sha256 = $3, size = $4, mtime = $5`,
    [name, fileid, sha256, size, mtimeMs],
  )

/** Adds a file of the folder, and answers its id, or that of the one with the same bytes that waits there. */
export async function addFolderFile(tx: Tx, name: string, sha256: string, size: number): Promise<number> {
  const filename = inboxFileName(name)!
  const added = await addFile(tx, { filename, sha256, size, source: 'folder', address: '' })
  if (added !== null) return added
  const [waiting] = await tx.query<{ id: number }>(
    `select f.id from inbox_file f where f.source = 'folder' and f.sha256 = $1 and ${isWaiting}`,
    [sha256],
  )
  return waiting!.id
}

/**
 * Takes complete files: each is copied, gets its row, and is then moved aside; a file that changes meanwhile
 * stays for a later scan. Throws the error of a folder or disk that cannot be used.
 */
export async function takeFiles(db: Db, config: Config, folder: string, complete: readonly FolderFile[]) {
  for (const seen of complete) {
    if ((await reasonToStay(folder, seen, config.uploadLimit)) !== null) continue
    const aside = await freeName(folder, seen.name)
    const original = join(folder, seen.name)
    const isTaken = await keepUnchanged(db, config, { original, seen }, async (tx, sha256) => {
      const id = await addFolderFile(tx, seen.name, sha256, seen.size)
      await trackOriginal(tx, id, sha256, { ...seen, name: aside })
    })
    if (!isTaken) continue
    const { ino } = await lstat(original).catch(() => ({ ino: null }))
    // One that grew in between is moved all the same, because the next scan finds it changed (inbox 11);
    // another one that took its name is a file of its own.
    if (ino !== seen.ino) continue
    await mkdir(join(folder, takenFolder), { recursive: true })
    await rename(original, join(folder, takenFolder, aside))
  }
}
