import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/**
 * Identifies this process among later ones with the same id: the boot and the time it started. Null when no
 * such process lives; one that ended and was not yet collected by its parent counts as dead.
 */
export function processStartId(pid: number): string | null {
  if (!Number.isInteger(pid) || pid <= 0) return null
  if (process.platform === 'linux') {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      if (state === 'Z' || state === 'X') return null
      return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${rest[18]}`
    } catch {
      return null
    }
  }
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return null
  }
  return process.platform === 'win32' ? 'alive' : readPs('lstart', pid)
}

/** Whether the process `pid` is a PostgreSQL server on `folder` (its data directory, with links resolved). */
export function isServerOf(pid: number, folder: string): boolean {
  if (processStartId(pid) === null) return false
  if (process.platform === 'linux') return processesIn(folder).includes(pid)
  return process.platform === 'win32' || readPs('command', pid).includes(folder)
}

/**
 * The processes whose working directory is `folder`: a PostgreSQL server and its workers. Empty except on
 * Linux.
 */
export function processesIn(folder: string): number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === folder && processStartId(pid) !== null
      } catch {
        return false
      }
    })
}

const readPs = (column: 'lstart' | 'command', pid: number) =>
  spawnSync('ps', ['-ww', '-o', `${column}=`, '-p', String(pid)], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  }).stdout?.trim() ?? ''
