import { createHash } from 'node:crypto'
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, relative, sep } from 'node:path'

/** Not copied: what is installed, built or kept beside the sources. */
const notCopied = new Set(['node_modules', 'dist', 'data', '.git'])

/**
 * A copy of the project in which files are changed. All that runs there reads the changed files: Vite,
 * processes the tests start, and plugins that read sources on their own. The project itself stays as it is.
 */
export function copyTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  cpSync(from, to, { recursive: true, filter: (path) => !notCopied.has(relative(from, path).split(sep)[0]!) })
  symlinkSync(join(from, 'node_modules'), join(to, 'node_modules'), 'dir')
}

const codeFolders = (root: string) =>
  readdirSync(root, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !notCopied.has(entry.name) && !entry.name.startsWith('.'),
  )

/**
 * The files of every folder but the tests' own fixtures of data, named from the top and with forward slashes.
 */
export function filesOf(root: string): string[] {
  return codeFolders(root)
    .flatMap(({ name }) => readdirSync(join(root, name), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .sort()
}

/**
 * Folders without faults, wherever they stand: tests and tools, state machines (tests/mbt has faults of its
 * own for these), demo data.
 */
const leftOut =
  /(^|\/)(tests|machines|migrations|demo|bench|samples|docs|inspector|vite-plugins)\/|\.d\.m?ts$|\.machine\.ts$/

/** The files in which faults are made. */
export const productFiles = (root: string): string[] =>
  filesOf(root).filter((file) => /\.tsx?$/.test(file) && !leftOut.test(file))

const isOwn = (file: string) => file.startsWith('tests/mutation/')
const isTest = (file: string) => /\.test\.tsx?$/.test(file)

/**
 * What the tests depend on beside the product and themselves: their helpers, settings, tables, machines and
 * data.
 */
export function otherFiles(root: string): string[] {
  const product = new Set(productFiles(root))
  const tops = readdirSync(root, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && /\.(json|ts)$/.test(entry.name),
  )
  return [
    ...tops.map(({ name }) => name),
    ...filesOf(root).filter((file) => !product.has(file) && !isOwn(file) && !isTest(file)),
  ]
}

/** What distinguishes the content of files from any other. */
export function hashOf(root: string, files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  return hash.digest('hex').slice(0, 16)
}

/** The same for everything that a result depends on. */
export const keyOf = (root: string): string =>
  hashOf(root, [...otherFiles(root), ...filesOf(root).filter((file) => !isOwn(file) && /\.tsx?$/.test(file))])

/** Ends processes that a killed test left running in a folder. Known on Linux alone. */
export function endProcessesIn(folder: string, kept: readonly number[]): void {
  if (process.platform !== 'linux') return
  for (const pid of readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)) {
    try {
      const at = readlinkSync(`/proc/${pid}/cwd`)
      if ((at === folder || at.startsWith(`${folder}/`)) && ![...kept, process.pid].includes(pid))
        process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended meanwhile, or belongs to somebody else.
    }
  }
}

export const write = (root: string, file: string, text: string) => writeFileSync(join(root, file), text)
export const read = (root: string, file: string) => readFileSync(join(root, file), 'utf8')
