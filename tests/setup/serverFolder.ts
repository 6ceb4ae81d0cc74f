import {
  accessSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
const prefix = 'portal-tests-'
const gigabyte = 2 ** 30
/** The databases of a whole run take about 1 GB at their most. */
const needed = { disk: 3 * gigabyte, free: 6 * gigabyte }

/**
 * A new folder for a database server: in memory where there is room. A database is some 400 files, which an
 * ordinary disk takes 0.1 s of a processor to make and to remove, and a run makes more than a thousand.
 */
export function makeServerFolder(): string {
  const parent = hasRoomInMemory() ? memory : tmpdir()
  if (parent === memory) removeAbandoned()
  return mkdtempSync(join(parent, `${prefix}${process.pid}-`))
}

function hasRoomInMemory(): boolean {
  try {
    accessSync(memory, constants.W_OK)
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize > needed.disk && freemem() > needed.free
  } catch {
    return false
  }
}

/** Removes what this user's runs that were killed left in memory, unless their server still runs. */
function removeAbandoned(): void {
  for (const name of readdirSync(memory)) {
    const pid = /^portal-tests-(\d+)-/.exec(name)?.[1]
    if (!pid || isRunning(Number(pid))) continue
    try {
      const folder = join(memory, name)
      if (!isRunning(serverOf(folder))) rmSync(folder, { recursive: true, force: true })
    } catch {
      // It is another user's, or another run removes it.
    }
  }
}

/** The process of the server in a folder, from the first line of its postmaster.pid; 0 without one. */
function serverOf(folder: string): number {
  for (const name of ['', ...readdirSync(folder)]) {
    const path = join(folder, name, 'postmaster.pid')
    if (existsSync(path)) return Number(readFileSync(path, 'utf8').split('\n')[0])
  }
  return 0
}

function isRunning(pid: number): boolean {
  if (pid === 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
