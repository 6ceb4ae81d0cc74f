import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Writes a file nobody else may read, which a power loss does not take back. The file must not exist yet. */
export function writeSecret(file: string, text: string) {
  const handle = openSync(file, 'wx', 0o600)
  try {
    writeFileSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  settle(dirname(file))
}

/** Renames so that a power loss does not take it back. */
export function renameDurably(from: string, to: string) {
  renameSync(from, to)
  settle(dirname(to))
}

/** Windows opens no folders and needs none of this. */
function settle(folder: string) {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
