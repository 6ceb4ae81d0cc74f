import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { importsIn } from '../structure.ts'
import type { TestFile } from './lane.ts'
import { Lane } from './lanes.ts'
import { instrumented, type Region, regionsOf } from './operators/regions.ts'
import { copyTree, filesOf, hashOf, otherFiles, productFiles, read, write } from './tree.ts'

/** The regions run, of each file by its own numbers. */
type Hits = Record<string, number[]>
/**
 * What one test file runs, in its worker and in every process it starts, the time it takes, and why it fails
 * if it does.
 */
export type TestCoverage = TestFile & Measured & { hash: string; hits: Hits }
type Measured = { seconds: number; passed: number; failure: string | null }
/**
 * `base` stands for all but the product's files and the test files. `setup` is what the global setup of the
 * tests runs.
 */
export type Coverage = {
  base: string
  files: Record<string, { hash: string; regions: Region[] }>
  tests: TestCoverage[]
  setup: Hits
}

/**
 * `source` is a copy of the project that nobody changes meanwhile, `work` a folder for more copies; lanes are
 * in `lanes` while they are open.
 */
export type Place = {
  source: string
  work: string
  workers: number
  lanes: Set<Lane>
  say(text: string): void
}

/** A test file that takes longer than this does not end. */
const longest = 600

/**
 * What was measured before and kept in a file, with every test file measured anew that changed, failed or
 * runs functions of a file that changed. Throws when the tests fail without any fault.
 */
export async function coverageOf(place: Place, kept: string): Promise<Coverage> {
  const { source } = place
  const base = hashOf(source, otherFiles(source))
  const files = filesIn(source)
  const before = existsSync(kept) ? (JSON.parse(readFileSync(kept, 'utf8')) as Coverage) : null
  const known = before?.base === base ? before : null
  const changed = Object.keys(known?.files ?? {}).filter(
    (file) => known?.files[file]?.hash !== files[file]?.hash,
  )
  const isFresh = ({ file, hash, failure, hits }: TestCoverage) =>
    failure === null &&
    existsSync(join(source, file)) &&
    hash === hashOf(source, [file]) &&
    !changed.some((name) => hits[name]?.some((region) => region > 0))
  const coverage: Coverage = {
    base,
    files,
    tests: (known?.tests ?? []).filter(isFresh),
    setup: known?.setup ?? {},
  }
  mkdirSync(dirname(kept), { recursive: true })
  await measure(place, coverage, () => writeFileSync(kept, JSON.stringify(coverage)))
  const broken = coverage.tests.filter(({ failure }) => failure !== null)
  if (broken.length * 4 > coverage.tests.length)
    throw new Error(`Too many test files fail without any fault: ${broken[0]!.file}: ${broken[0]!.failure}`)
  return coverage
}

const filesIn = (source: string): Coverage['files'] =>
  Object.fromEntries(
    productFiles(source).map((file) => [
      file,
      { hash: hashOf(source, [file]), regions: regionsOf(file, read(source, file)) },
    ]),
  )

/**
 * What the test files could run, without measuring it: all of each product file that they import, themselves
 * or through others. Seconds are those of the last run in the project's own folder.
 */
export async function coverageByImports({ source, work, lanes }: Place, root: string): Promise<Coverage> {
  const files = filesIn(source)
  const lane = new Lane({ root: source, temporary: join(work, 'tmp') })
  lanes.add(lane)
  const found = await lane.testFiles()
  await lane.close()
  lanes.delete(lane)
  const imports = new Map(
    filesOf(source)
      .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
      .map((file) => [file, importsIn(file, read(source, file)).map(({ to }) => to)]),
  )
  const seconds = lastSeconds(root)
  const tests = found.map((test): TestCoverage => {
    const reached = [...reachedFrom(test.file, imports)].filter((file) => files[file])
    const hits = Object.fromEntries(reached.map((file) => [file, files[file]!.regions.map((_, at) => at)]))
    return { ...test, seconds: seconds(test), passed: 0, failure: null, hash: '', hits }
  })
  return { base: '', files, tests, setup: {} }
}

function reachedFrom(file: string, imports: ReadonlyMap<string, string[]>, reached = new Set<string>()) {
  for (const next of imports.get(file) ?? []) {
    if (reached.has(next)) continue
    reached.add(next)
    reachedFrom(next, imports, reached)
  }
  return reached
}

/** How long test files took when Vitest last ran them, as it keeps that; five seconds for the others. */
function lastSeconds(root: string): (test: TestFile) => number {
  const folder = join(root, 'node_modules/.vite/vitest')
  const kept = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name, 'results.json')) : []
  type Kept = { results: [name: string, { duration: number }][] }
  const results = kept.flatMap((path) => (JSON.parse(readFileSync(path, 'utf8')) as Kept).results)
  const durations = new Map(results.map(([name, { duration }]) => [name, duration / 1000]))
  return ({ file, project }) => durations.get(`${project}:${file}`) ?? 5
}

/** Measures the test files that `coverage` does not hold yet, and adds them. */
async function measure({ source, work, workers, lanes, say }: Place, coverage: Coverage, save: () => void) {
  const firsts = firstsOf(coverage.files)
  const whole = (file: string) => coverage.tests.some((test) => test.file === file)
  let waiting: TestFile[] | null = null
  let all = 0
  const measureInLane = async (number: number) => {
    const [tree, folder] = [join(work, `coverage${number}`), join(work, `hits${number}`)]
    makeTree(source, tree, folder, firsts)
    const lane = new Lane({ root: tree, temporary: join(work, 'tmp'), recordAs: 'setup' })
    lanes.add(lane)
    const found = await lane.testFiles()
    all = found.length
    waiting ??= found.filter(({ file }) => !whole(file))
    for (let test = waiting.shift(); test; test = waiting.shift()) {
      const name = String(waiting.length)
      writeFileSync(join(folder, 'current'), name)
      const result = await measureFile(lane, test)
      const hits = hitsIn(join(folder, `${name}.hits`), firsts)
      coverage.tests.push({ ...test, ...result, hash: hashOf(source, [test.file]), hits })
      coverage.setup = { ...coverage.setup, ...hitsIn(join(folder, 'setup.hits'), firsts) }
      save()
      say(
        `${coverage.tests.length} of ${all} test files: ${test.file}${result.failure === null ? '' : ` fails: ${result.failure}`}`,
      )
    }
    await lane.close()
    lanes.delete(lane)
  }
  await Promise.all(Array.from({ length: workers }, (_, index) => measureInLane(index + 1)))
}

/** The number of each file's first region, when the regions of all files are numbered in one row. */
function firstsOf(files: Coverage['files']): [file: string, first: number][] {
  let next = 0
  return Object.entries(files).map(([file, { regions }]) => {
    const first = next
    next += regions.length
    return [file, first]
  })
}

/** A copy of the project whose files note what runs; `folder` takes the notes. */
function makeTree(source: string, tree: string, folder: string, firsts: readonly [string, number][]) {
  copyTree(source, tree)
  mkdirSync(folder, { recursive: true })
  const recorder = fileURLToPath(new URL('recorder.cjs', import.meta.url))
  const [path, notes] = [JSON.stringify(recorder), JSON.stringify(folder)]
  // A test may ask whether the types of the project fit: those of `__hit` do not.
  const prologue = `// @ts-nocheck\nglobalThis.__hit??process.getBuiltinModule('node:module').createRequire(${path})(${path})(${notes});`
  for (const [file, first] of firsts)
    write(tree, file, instrumented(file, read(source, file), first, prologue))
}

function hitsIn(path: string, firsts: readonly [string, number][]): Hits {
  const hits: Hits = {}
  const numbers = existsSync(path)
    ? [...new Set(readFileSync(path, 'utf8').split('\n').filter(Boolean).map(Number))]
    : []
  let index = 0
  for (const number of numbers.sort((a, b) => a - b)) {
    while (firsts[index + 1] && firsts[index + 1]![1] <= number) index++
    const [file, first] = firsts[index]!
    ;(hits[file] ??= []).push(number - first)
  }
  return hits
}

/** A test that fails is given a second chance: it may have been the machine. */
async function measureFile(lane: Lane, test: TestFile, isSecond = false): Promise<Measured> {
  const begin = performance.now()
  const { files, error } = await lane
    .run([test], longest)
    .catch((reason: Error) => ({ files: [], error: reason.message }))
  if (lane.isClosed) throw new Error('The measuring was interrupted')
  const failure = error ?? (files[0] ? files[0].failure : 'Vitest did not run it')
  if (failure !== null && !isSecond) return measureFile(lane, test, true)
  return { seconds: (performance.now() - begin) / 1000, passed: files[0]?.passed ?? 0, failure }
}
