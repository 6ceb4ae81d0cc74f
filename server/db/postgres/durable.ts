import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Writes a file nobody else may read, whole or not at all, which a power loss does not take back. False when there is one already. */
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

/** Renames so that a power loss does not take it back. */
export function renameDurably(from: string, to: string) {
  renameSync(from, to)
  syncFolder(dirname(to))
}

/** Windows opens no folders and needs none of this. */
function syncFolder(folder: string) {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
