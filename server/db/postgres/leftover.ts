import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { processStartId, isServerOf, processesIn } from './process.ts'

/**
 * `pid` is NaN in a file that is empty or holds something else; `port` is that on loopback, null where the
 * server listens on a socket.
 */
type PidFile = { pid: number; folder: string; ready: boolean; port: number | null }

/**
 * What a running server writes into its data directory: its process id and folder, and whether it takes
 * connections yet.
 */
export function readPidFile(data: string): PidFile | null {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
    return {
      pid: Number.parseInt(lines[0] ?? '', 10),
      folder: lines[1]?.trim() ?? '',
      ready: lines[7]?.trim() === 'ready',
      port: lines[5]?.trim() ? Number.parseInt(lines[3] ?? '', 10) : null,
    }
  } catch {
    return null
  }
}

/**
 * Stops the server that a killed portal left running on `data`: a fast shutdown, and after 30 s an immediate
 * one. Only the holder of the folder's lock may call it.
 */
export async function stopLeftoverServer(data: string) {
  const leftover = readPidFile(data)
  if (leftover && isServerOf(leftover.pid, data)) {
    await stopProcess(leftover.pid, 'SIGINT', 30_000)
    await stopProcess(leftover.pid, 'SIGQUIT', 10_000)
  }
  // The workers of a killed server end a moment after it.
  const deadline = Date.now() + 10_000
  while (processesIn(data).length > 0 && Date.now() < deadline) await sleep(20)

  // PostgreSQL does not start while any process has the id in these files, or when they hold none, as after
  // a power failure. In a restarted container the id is often that of another process, and a killed server
  // keeps its id until its parent has collected it.
  if (
    !leftover ||
    isServerOf(leftover.pid, data) ||
    processesIn(data).length > 0 ||
    (leftover.pid > 0 && !hasProcess(leftover.pid))
  )
    return
  for (const file of ['postmaster.pid', '.s.PGSQL.5432.lock']) rmSync(join(data, file), { force: true })
}

/**
 * Throws an Error with a sentence for a person when `data` is a copy of the folder of a server that runs: it
 * was copied while files changed, so that it may be damaged without looking so (operations 5).
 */
export function refuseLiveCopy(data: string) {
  const file = readPidFile(data)
  if (!file || file.folder === '' || file.folder === data || !isServerOf(file.pid, file.folder)) return
  throw new Error(
    `The database in ${data} is a copy of ${file.folder}, made while that one ran, and may be damaged: ` +
      'remove it, and restore a backup of the other (npm run backup, npm run restore)',
  )
}

function hasProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function stopProcess(pid: number, signal: 'SIGINT' | 'SIGQUIT', timeout: number) {
  const startId = processStartId(pid)
  if (startId === null) return
  process.kill(pid, signal)
  const deadline = Date.now() + timeout
  while (processStartId(pid) === startId && Date.now() < deadline) await sleep(20)
}
