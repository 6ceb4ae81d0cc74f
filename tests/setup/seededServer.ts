import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectFolder } from '../../server/config/projectFolder.ts'

/** The sources on which the content of a seeded server depends; it also depends on the day. */
const seededFrom = [
  'server/db',
  'server/demo',
  'server/money',
  'server/payouts',
  'server/accounts/passwordHash.ts',
  'server/entities/sql.ts',
  'schemas/permissions.ts',
  'tests/setup',
]
const mostKept = 12

const filesIn = (path: string): string[] =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .sort()
        .flatMap((name) => filesIn(join(path, name)))
    : [path]

const key = (() => {
  const hash = createHash('sha256').update(
    `${new Date().toISOString().slice(0, 10)} ${process.getuid?.() ?? ''} ${process.version}`,
  )
  for (const file of seededFrom.flatMap((path) => filesIn(join(projectFolder, path))))
    hash.update(file.slice(projectFolder.length)).update(readFileSync(file))
  return hash.digest('hex').slice(0, 20)
})()

/**
 * Seeding takes seconds, and is the same for every run of a day: the first run leaves a copy of the folder of
 * its stopped server for the next. `cp` keeps owners and rights; where there is none, nothing is kept.
 */
const keptServers = join(tmpdir(), `portal-tests-kept-${process.getuid?.() ?? ''}`)
const canKeep = process.platform !== 'win32'
const copy = (from: string, to: string) => spawnSync('cp', ['-a', from, to], { stdio: 'ignore' }).status === 0

/** Copies the server that was kept for today into `folder`; false without one. */
export function copySeededServer(folder: string): boolean {
  const kept = join(keptServers, key)
  if (!canKeep || !existsSync(kept)) return false
  try {
    utimesSync(kept, new Date(), new Date())
  } catch {
    return false
  }
  if (copy(`${kept}/.`, folder)) return true
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  return false
}

/** Keeps a copy of the folder of a stopped server, and deletes all but the `mostKept` newest copies. */
export function keepSeededServer(folder: string): void {
  if (!canKeep) return
  const kept = join(keptServers, key)
  const draft = `${kept}.${process.pid}`
  try {
    mkdirSync(keptServers, { recursive: true, mode: 0o700 })
    // If another run was faster, its copy stays.
    if (copy(`${folder}/.`, draft) && !existsSync(kept)) renameSync(draft, kept)
    const old = readdirSync(keptServers)
      .map((name) => join(keptServers, name))
      .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
    for (const path of old.slice(mostKept)) rmSync(path, { recursive: true, force: true })
  } catch {
    // Another run may remove old copies at the same moment; then the next run keeps a copy.
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}
