import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { processStartId, isServerOf, processesIn } from './process.ts'

/** What a running server writes into its data directory: its process id, and whether it answers yet. */
export function readPidFile(data: string): { pid: number; ready: boolean } | null {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number.parseInt(lines[0] ?? '', 10), ready: lines[7]?.trim() === 'ready' }
  } catch {
    return null
  }
}

/**
 * Ends the server that a killed portal left running on `data`, in order (fast shutdown) and, when that takes over 30 s, at once.
 * To be called by the holder of the folder's lock alone.
 */
export async function stopLeftoverServer(data: string) {
  const left = readPidFile(data)
  if (left && isServerOf(left.pid, data)) {
    await stopProcess(left.pid, 'SIGINT', 30_000)
    await stopProcess(left.pid, 'SIGQUIT', 10_000)
  }
  // Workers outlive a server that was killed itself by a moment.
  const deadline = Date.now() + 10_000
  while (processesIn(data).length > 0 && Date.now() < deadline) await pause(20)

  // PostgreSQL takes whatever has the id in these files for its own: in a restarted container that is often another process, and a
  // killed server keeps its id until its parent has collected it.
  if (!left || isServerOf(left.pid, data) || processesIn(data).length > 0 || !hasProcess(left.pid)) return
  for (const file of ['postmaster.pid', '.s.PGSQL.5432.lock']) rmSync(join(data, file), { force: true })
}

function hasProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function stopProcess(pid: number, signal: 'SIGINT' | 'SIGQUIT', patience: number) {
  const born = processStartId(pid)
  if (born === null) return
  process.kill(pid, signal)
  const deadline = Date.now() + patience
  while (processStartId(pid) === born && Date.now() < deadline) await pause(20)
}
