import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

/** The purpose of a temporary file, with which its name begins. */
type FilePurpose = 'upload' | 'download'

/**
 * Part of the file names of this process: in a container an earlier process may have had the same process id.
 */
const ownRun = randomUUID()

/** Whether another process of this machine is still running. */
const isAlive = (pid: number): boolean => {
  try {
    return pid !== process.pid && process.kill(pid, 0)
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}

/**
 * The process that the rest of a name begins with; null for the rest of another machine's name, such as that
 * of 'portal-2' behind 'portal': there another number follows, and a run begins with eight digits.
 */
function processIn(rest: string): number | null {
  const pid = /^(\d+)-(?!\d{1,7}-)/.exec(rest)?.[1]
  return pid === undefined ? null : Number(pid)
}

/**
 * Removes the files of processes that were killed; their names hold machine, process and run. Those of other
 * machines are removed after an hour.
 */
async function removeAbandonedFiles(folder: string, purpose: FilePurpose) {
  const ownPrefix = `${purpose}-${hostname()}-`
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(`${purpose}-`) || name.includes(ownRun)) continue
    const path = join(folder, name)
    const pid = name.startsWith(ownPrefix) ? processIn(name.slice(ownPrefix.length)) : null
    const age = Date.now() - (await stat(path).catch(() => ({ mtimeMs: Date.now() }))).mtimeMs
    if (pid === null ? age > 3_600_000 : !isAlive(pid)) await rm(path, { force: true })
  }
}

/**
 * Names temporary files in `tmp` of the data folder, and removes those that killed processes left there. The
 * caller writes a file and removes it.
 */
export function temporaryFiles(dataDir: string, purpose: FilePurpose): { newPath(): Promise<string> } {
  const folder = join(dataDir, 'tmp')
  void removeAbandonedFiles(folder, purpose)
  return {
    async newPath() {
      await mkdir(folder, { recursive: true })
      return join(folder, `${purpose}-${hostname()}-${process.pid}-${ownRun}-${randomUUID()}`)
    },
  }
}
