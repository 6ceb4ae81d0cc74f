import { createHash } from 'node:crypto'
import { constants, createWriteStream } from 'node:fs'
import { access, lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { InboxFolder } from '../../schemas/api/inbox/inbox.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/db.ts'
import { HttpError } from '../http/errors.ts'
import { uploadRoom } from '../imports/upload.ts'
import { megabytes, type HeldRoom } from '../jobs/fileRoom.ts'
import { temporaryFiles } from '../jobs/temporaryFiles.ts'
import { keepCopy } from './copies.ts'
import { inboxFileName, nameRefusal } from './receive.ts'
import { addFile } from './rows.ts'

/** Size, time of change and inode of a file: while it is written or replaced, one of them changes. */
export type Seen = { size: number; mtimeMs: number; ino: number }
type FolderFile = Seen & { name: string }

/** Where the files go that were taken; it stands in the watched folder (inbox 3). */
const takenFolder = '.taken'
/** Names under which programs write a file before it is complete; a hidden one is of this kind, too. */
const isUnfinished = (name: string) => name.startsWith('.') || /\.(part|tmp|filepart)$/i.test(name)
/** Bytes of a name that are no text decode to this sign, and the file could not be opened again. */
const hasUndecodedBytes = (name: string) => name.includes('\uFFFD')

/** The files of the folder but for those that are being written under another name. Links are left out. */
export async function filesOfFolder(folder: string): Promise<FolderFile[]> {
  const names = (await readdir(folder)).filter((name) => !isUnfinished(name)).toSorted()
  const found: FolderFile[] = []
  for (const name of names) {
    const stats = await lstat(join(folder, name)).catch(() => null)
    if (stats?.isFile()) found.push({ name, size: stats.size, mtimeMs: stats.mtimeMs, ino: stats.ino })
  }
  return found
}

export const isSame = (one: Seen, other: Seen) =>
  one.size === other.size && one.mtimeMs === other.mtimeMs && one.ino === other.ino

/** Why a file stays in the folder, in a sentence; null when it is taken once it is complete (inbox 3). */
async function reasonToStay(folder: string, { name, size }: FolderFile, limit: number) {
  if (hasUndecodedBytes(name)) return 'The name cannot be read.'
  if (inboxFileName(name) === null) return nameRefusal(name)
  if (size === 0) return 'The file is empty, or has only begun to come.'
  if (size > limit) return `The file is larger than ${megabytes(limit)}.`
  const isReadable = await access(join(folder, name), constants.R_OK).then(
    () => true,
    () => false,
  )
  return isReadable ? null : 'The portal has no right to read it.'
}

/** Whether an error is one of the folder or of the disk; others are of the database. */
export function isFolderFault(error: unknown): boolean {
  if (error instanceof HttpError) return error.status === 507
  const { code, path } = error as NodeJS.ErrnoException
  return path !== undefined || code === 'ENOSPC' || code === 'EDQUOT'
}

/** Why the folder cannot be used, in a sentence for a person. */
export function describeFolderFault(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (error instanceof HttpError) return noRoom
  if (code === 'ENOENT') return 'The watched folder does not exist.'
  if (code === 'ENOTDIR') return 'The watched folder is a file and no folder.'
  if (code === 'EACCES' || code === 'EPERM')
    return 'The portal has no right to read the watched folder and to move files in it.'
  if (code === 'ENOSPC' || code === 'EDQUOT') return noRoom
  return `The watched folder cannot be used: ${code ?? message}.`
}

const noRoom = 'There is no room on the disk for the files of the watched folder.'

/** How many of the files that stay are named; the others are counted. */
const maxNamed = 20

/** How the folder stands: whether it can be used, and which of its files are not taken (inbox 8). */
export async function describeFolder(folder: string, limit: number): Promise<InboxFolder> {
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    const left = []
    for (const file of await filesOfFolder(folder)) {
      const reason = await reasonToStay(folder, file, limit)
      if (reason !== null) left.push({ filename: file.name, reason })
    }
    return { fault: null, left: left.slice(0, maxNamed), more: Math.max(0, left.length - maxNamed) }
  } catch (error) {
    return { fault: describeFolderFault(error), left: [], more: 0 }
  }
}

/** Moves a taken file aside under its name, with a number when the name is in use there. */
async function moveAside(folder: string, name: string) {
  await mkdir(join(folder, takenFolder), { recursive: true })
  const used = new Set(await readdir(join(folder, takenFolder)))
  const at = name.lastIndexOf('.')
  let free = name
  for (let number = 2; used.has(free); number++) free = `${name.slice(0, at)} ${number}${name.slice(at)}`
  await rename(join(folder, name), join(folder, takenFolder, free))
}

/**
 * Copies an open file to `to` and answers the SHA-256 of what was copied. Throws an HttpError (507) when
 * there is no room.
 */
async function copyFile(from: string, to: string, room: HeldRoom): Promise<string> {
  const file = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW)
  const hash = createHash('sha256')
  await pipeline(
    file.createReadStream(),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk)
        await room.take(chunk.length)
        yield chunk
      }
    },
    createWriteStream(to, { mode: 0o600, flags: 'wx' }),
  )
  return hash.digest('hex')
}

/**
 * Takes the files that have not changed since the last look: each is copied, gets its row, and is then moved
 * aside; a file that changes meanwhile stays for the next look. One process at a time does this on one
 * database. Answers how many were taken; throws the error of a folder or disk that cannot be used.
 */
export async function takeFiles(db: Db, config: Config, folder: string, complete: readonly FolderFile[]) {
  const { newPath } = temporaryFiles(config.dataDir, 'upload')
  const roomOf = uploadRoom(config)
  let taken = 0
  await db.transaction(async (tx) => {
    const [lock] = await tx.query<{ acquired: boolean }>(
      `select pg_try_advisory_xact_lock(hashtext('inbox folder')) as acquired`,
    )
    if (!lock!.acquired) return
    for (const file of complete) {
      if ((await reasonToStay(folder, file, config.uploadLimit)) !== null) continue
      if (await takeFile(file)) taken += 1
    }
  })
  return taken

  async function takeFile(seen: FolderFile): Promise<boolean> {
    const { name, size } = seen
    const original = join(folder, name)
    const isUnchanged = async () => {
      const stats = await lstat(original).catch(() => null)
      return stats !== null && isSame(seen, stats)
    }
    const path = await newPath()
    const room = roomOf('the watched folder')
    try {
      if (!(await isUnchanged())) return false
      const sha256 = await copyFile(original, path, room)
      if (!(await isUnchanged())) return false
      const filename = inboxFileName(name)!
      await keepCopy(db, config, { path, sha256, size }, (tx) =>
        addFile(tx, { filename, sha256, size, source: 'folder', address: '' }),
      )
      if (await isUnchanged()) await moveAside(folder, name)
      return true
    } finally {
      await rm(path, { force: true })
      room.free()
    }
  }
}
