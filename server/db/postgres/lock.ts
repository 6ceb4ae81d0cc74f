import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { processStartId } from './process.ts'

/**
 * Makes this process the only holder of the lock `file`, and takes over the lock of a process that died.
 * Returns the function that releases it. Throws an Error with a sentence for a person when a living process
 * holds it.
 */
export function acquireLock(file: string, folder: string): () => void {
  const ownLock = JSON.stringify({ pid: process.pid, birth: processStartId(process.pid) })
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, ownLock, { mode: 0o600 })
  try {
    for (;;) {
      if (linkLock(draft, file)) return () => readLock(file) === ownLock && rmSync(file, { force: true })
      const found = readLock(file)
      if (found === null) continue
      const holder = parseLock(found)
      if (holder && holder.birth === processStartId(holder.pid)) {
        throw new Error(
          `The data folder ${folder} is already open in another process (${holder.pid}): ` +
            'stop that one, or choose another folder with DATA_DIR',
        )
      }
      removeStaleLock(file, found, `${draft}.old`)
    }
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Removes the lock whose text is `found`; a new lock that another process wrote meanwhile is put back. */
function removeStaleLock(file: string, found: string, movedAside: string) {
  try {
    renameSync(file, movedAside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  if (readLock(movedAside) !== found) linkLock(movedAside, file)
  rmSync(movedAside, { force: true })
}

/**
 * Links `file` to the complete `draft`, so that no process reads half a lock. False when `file` exists
 * already.
 */
function linkLock(draft: string, file: string): boolean {
  try {
    linkSync(draft, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function readLock(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

function parseLock(text: string): { pid: number; birth: string } | null {
  try {
    const { pid, birth } = JSON.parse(text) as { pid: unknown; birth: unknown }
    return typeof pid === 'number' && typeof birth === 'string' ? { pid, birth } : null
  } catch {
    return null
  }
}
