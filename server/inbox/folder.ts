import { constants } from 'node:fs'
import { access, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { InboxFolder } from '../../schemas/api/inbox/inbox.ts'
import { HttpError, isFullDisk } from '../http/errors.ts'
import { megabytesOf } from '../jobs/diskQuota.ts'
import type { FolderFile } from './quietPeriod.ts'
import { inboxFileName, nameRefusal } from './receive.ts'

/** The subfolder of the watched folder to which taken files are moved (inbox 3). */
export const takenFolder = '.taken'
/** Whether programs use such a name for a file that is not complete yet; hidden names count as well. */
const isUnfinished = (name: string) => name.startsWith('.') || /\.(part|tmp|filepart)$/i.test(name)
/** Invalid UTF-8 decodes to this character; a file could not be opened by such a name. */
const hasUndecodedBytes = (name: string) => name.includes('\uFFFD')

/** The files of the folder, without links and without files whose name says that they are unfinished. */
export async function filesOfFolder(folder: string): Promise<FolderFile[]> {
  const found: FolderFile[] = []
  for (const bytes of await readdir(folder, { encoding: 'buffer' })) {
    const name = bytes.toString()
    if (isUnfinished(name)) continue
    // By the bytes of the name: a name that is not UTF-8 would not be found by its decoded text.
    const stats = await lstat(Buffer.concat([Buffer.from(`${folder}/`), bytes])).catch(() => null)
    if (stats?.isFile()) found.push({ name, size: stats.size, mtimeMs: stats.mtimeMs, ino: stats.ino })
  }
  return found.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** Why a file stays in the folder, in a sentence; null when it is taken once it is complete (inbox 3). */
export async function reasonToStay(folder: string, { name, size }: FolderFile, limit: number) {
  if (hasUndecodedBytes(name)) return 'The name cannot be read.'
  if (inboxFileName(name) === null) return nameRefusal(name)
  if (size === 0) return 'The file is empty, or has only begun to come.'
  if (size > limit) return `The file is larger than ${megabytesOf(limit)}.`
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
  return path !== undefined || isFullDisk({ code })
}

/** Why the folder cannot be used, in a sentence for a person. */
export function describeFolderFault(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (error instanceof HttpError) return noRoom
  if (code === 'ENOENT') return 'The watched folder does not exist.'
  if (code === 'ENOTDIR') return 'The watched folder is a file and no folder.'
  if (code === 'EACCES' || code === 'EPERM')
    return 'The portal has no right to read the watched folder and to move files in it.'
  if (isFullDisk({ code })) return noRoom
  return `The watched folder cannot be used: ${code ?? message}.`
}

const noRoom = 'There is no room on the disk for the files of the watched folder.'

/** The number of files that are listed by name; the others are only counted. */
const maxNamed = 20

/** The state of the folder: why it cannot be used, and which of its files are not taken (inbox 8). */
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
