import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { processStartId } from './process.ts'

/**
 * Makes this process the only holder of the lock `file`; the lock of a process that died is taken over, a living one's never.
 * Returns the release; throws a sentence that names the holder.
 */
export function acquireLock(file: string, folder: string): () => void {
  const own = JSON.stringify({ pid: process.pid, birth: processStartId(process.pid) })
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, own, { mode: 0o600 })
  try {
    for (;;) {
      if (linkLock(draft, file)) return () => readLock(file) === own && rmSync(file, { force: true })
      const seen = readLock(file)
      if (seen === null) continue
      const holder = parseLock(seen)
      if (holder && holder.birth === processStartId(holder.pid)) {
        throw new Error(
          `The data folder ${folder} is already open in another process (${holder.pid}): stop that one, or choose another folder with DATA_DIR`,
        )
      }
      removeStaleLock(file, seen, `${draft}.old`)
    }
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Removes the lock that was judged dead, and puts back a new one that came in between. */
function removeStaleLock(file: string, seen: string, aside: string) {
  try {
    renameSync(file, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  if (readLock(aside) !== seen) linkLock(aside, file)
  rmSync(aside, { force: true })
}

/** Links `file` to a whole `draft`, so that nobody ever reads half a lock; false when there is one already. */
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
