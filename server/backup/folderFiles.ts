import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, mkdir, open, readdir, rename, rm, utimes, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { damagedBackup } from './file/bytes.ts'
import type { BackupRecord } from './file/records.ts'

/**
 * The folders and files of a local drive (drive 6), or of the inbox's copies. Symbolic links are left out,
 * because the drive does not show them. A file that is removed meanwhile is left out; one that changes is
 * read as it is then.
 */
export async function* folderRecords(folder: string, place?: 'inbox'): AsyncGenerator<BackupRecord> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    const full = join(entry.parentPath, entry.name)
    const path = full.slice(folder.length + 1).replaceAll('\\', '/')
    const stats = await lstat(full).catch(() => null)
    if (!stats?.isFile() && !stats?.isDirectory()) continue
    const isFolder = stats.isDirectory()
    const modified = Math.floor(stats.mtimeMs)
    yield { kind: 'file', value: { path, isFolder, modified, ...(place && { place }) } }
    const hash = createHash('sha256')
    let size = 0
    if (!isFolder)
      for await (const bytes of createReadStream(full) as AsyncIterable<Buffer>) {
        hash.update(bytes)
        size += bytes.length
        yield { kind: 'bytes', bytes }
      }
    yield { kind: 'fileEnd', value: { size, sha256: hash.digest('hex') } }
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
