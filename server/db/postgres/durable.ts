import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Writes a new file that only its owner may read: complete or not at all, and on the disk when this returns.
 * False when the file exists already.
 */
export function writeSecret(file: string, text: string): boolean {
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  const handle = openSync(draft, 'wx', 0o600)
  try {
    writeFileSync(handle, text)
    fsyncSync(handle)
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  } finally {
    closeSync(handle)
    rmSync(draft, { force: true })
  }
  syncFolder(dirname(file))
  return true
}

/** Renames; the new name is on the disk when this returns. */
export function renameDurably(from: string, to: string) {
  renameSync(from, to)
  syncFolder(dirname(to))
}

/** Flushes a folder's entries to the disk. Windows cannot open folders, and has no need to. */
function syncFolder(folder: string) {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
