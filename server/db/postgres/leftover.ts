import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { processStartId, isServerOf, processesIn } from './process.ts'

/**
 * The process id that a running server writes into its data directory, and whether it takes connections yet.
 */
export function readPidFile(data: string): { pid: number; ready: boolean } | null {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number.parseInt(lines[0] ?? '', 10), ready: lines[7]?.trim() === 'ready' }
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

  // PostgreSQL does not start while any process has the id in these files. In a restarted container that is
  // often another process, and a killed server keeps its id until its parent has collected it.
  if (
    !leftover ||
    isServerOf(leftover.pid, data) ||
    processesIn(data).length > 0 ||
    !hasProcess(leftover.pid)
  )
    return
  for (const file of ['postmaster.pid', '.s.PGSQL.5432.lock']) rmSync(join(data, file), { force: true })
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
