import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, mkdir, open, readdir, rename, rm, utimes, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { damagedBackup } from './file/bytes.ts'
import type { BackupRecord } from './file/records.ts'

/**
 * The names in a folder; none in one that was removed meanwhile, or that is closed to the portal below the
 * drive, which shows it empty as well (drive 6).
 */
async function namesIn(folder: string, isTop: boolean): Promise<string[]> {
  const empty = isTop ? ['ENOENT'] : ['ENOENT', 'ENOTDIR', 'EACCES']
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (empty.includes(error.code ?? '')) return []
    throw new Error(`The folder ${folder} cannot be backed up: ${error.message}`)
  })
}

/** Opens a file; null for one that was removed meanwhile, or whose place a link has taken. */
const openFile = (path: string) =>
  open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ELOOP') return null
    throw new Error(`The file ${path} cannot be backed up: ${error.message}`)
  })

/**
 * The folders and files of a local drive (drive 6), or of the inbox's copies. Symbolic links are left out,
 * because the drive does not show them. A file that is removed meanwhile is left out, or read to its end when
 * it was begun; one that changes is read as it is then.
 */
export async function* folderRecords(
  folder: string,
  place?: 'inbox',
  below = '',
): AsyncGenerator<BackupRecord> {
  for (const name of await namesIn(join(folder, below), below === '')) {
    const path = below === '' ? name : `${below}/${name}`
    const full = join(folder, path)
    const stats = await lstat(full).catch(() => null)
    if (!stats) continue
    const entry = { path, modified: Math.floor(stats.mtimeMs), ...(place && { place }) }
    if (stats.isDirectory()) {
      yield* fileRecords({ ...entry, isFolder: true }, null)
      yield* folderRecords(folder, place, path)
    } else if (stats.isFile()) {
      const handle = await openFile(full)
      if (handle) yield* fileRecords({ ...entry, isFolder: false }, handle)
    }
  }
}

/** The records of one file, which is open before the first of them is taken, or of a folder. */
async function* fileRecords(
  value: Extract<FileRecord, { kind: 'file' }>['value'],
  handle: FileHandle | null,
): AsyncGenerator<BackupRecord> {
  const hash = createHash('sha256')
  let size = 0
  try {
    yield { kind: 'file', value }
    for await (const bytes of (handle?.createReadStream() ?? []) as AsyncIterable<Buffer>) {
      hash.update(bytes)
      size += bytes.length
      yield { kind: 'bytes', bytes }
    }
    yield { kind: 'fileEnd', value: { size, sha256: hash.digest('hex') } }
  } finally {
    await handle?.close()
  }
}

type FileRecord = Extract<BackupRecord, { kind: 'file' | 'bytes' | 'fileEnd' }>

export type FolderWriter = {
  take(record: FileRecord): Promise<void>
  /** Puts what was written in the place of the folder. */
  finish(): Promise<void>
  discard(): Promise<void>
}

/**
 * Writes the files of a backup into a folder beside the one they belong in, which takes its place when all of
 * them are there.
 */
export function folderWriter(folder: string): FolderWriter {
  const draft = `${folder}.restoring`
  let file: { handle: FileHandle; path: string; modified: number } | null = null
  const prepare = rm(draft, { recursive: true, force: true }).then(() => mkdir(draft, { recursive: true }))
  prepare.catch(() => {})

  async function begin({ path, isFolder, modified }: Extract<FileRecord, { kind: 'file' }>['value']) {
    if (!isPathInside(path)) throw damagedBackup('a file of the drive or the inbox has a path outside of it')
    const full = join(draft, path)
    await mkdir(isFolder ? full : dirname(full), { recursive: true })
    if (!isFolder) file = { handle: await open(full, 'wx'), path: full, modified }
  }

  async function end() {
    if (!file) return
    const { handle, path, modified } = file
    file = null
    await handle.sync()
    await handle.close()
    await utimes(path, modified / 1000, modified / 1000)
  }

  return {
    async take(record) {
      await prepare
      if (record.kind === 'file') await begin(record.value)
      else if (record.kind === 'fileEnd') await end()
      else await file?.handle.appendFile(record.bytes)
    },
    async finish() {
      await prepare
      const former = `${folder}.former`
      await rm(former, { recursive: true, force: true })
      await rename(folder, former).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
      })
      await rename(draft, folder)
      await rm(former, { recursive: true, force: true })
    },
    async discard() {
      await file?.handle.close().catch(() => {})
      await rm(draft, { recursive: true, force: true })
    },
  }
}

const isPathInside = (path: string) =>
  path.split('/').every((name) => !['', '.', '..'].includes(name) && !/[\\\0]/.test(name))
