// `npm run test:mutants`: makes single faults in copies of the sources and runs the tests that reach them.
// Writes dist/mutants/report.md, and ends with an error when too many faults are not noticed.
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { changeOf } from './change.ts'
import { type Coverage, coverageByImports, coverageOf } from './coverage.ts'
import { Lane } from './lanes.ts'
import type { Mutant } from './operators/mutant.ts'
import { mutantsOf } from './operators/operators.ts'
import { isTooWeak, reportOf, summary } from './report.ts'
import { sample } from './sample.ts'
import { nearnessIn, testsFor } from './selection.ts'
import { copyTree, endProcessesIn, keyOf, productFiles, read } from './tree.ts'
import { hasTypeErrors, isCaught, type Trial, tryMutant } from './trial.ts'

const { values: options } = parseArgs({
  options: {
    workers: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '300' },
    /** Seconds of tests that a mutant may take. */
    seconds: { type: 'string', default: '90' },
    /** Faults in files whose path begins so. */
    only: { type: 'string', default: '' },
    /** Tries so many of the nearest test files alone, without measuring first which of them run the fault. */
    nearest: { type: 'string' },
    /** Goes on with the results of a run that was interrupted. */
    resume: { type: 'boolean', default: false },
    /** Tries one mutant, and shows it. */
    id: { type: 'string' },
  },
})
const [workers, seed, count, seconds] = [options.workers, options.seed, options.count, options.seconds].map(
  Number,
) as [number, number, number, number]
const most = Number(options.nearest ?? Infinity)
const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
const folder = join(root, 'dist/mutants')
const results = join(folder, 'results.jsonl')
const say = (text: string) => process.stdout.write(`${text}\n`)

/** Sources may be edited while this runs: everything is made from a copy of how they are now. */
const work = mkdtempSync(join(tmpdir(), 'portal-mutants-'))
// PostgreSQL may run as another user, who must be able to pass.
chmodSync(work, 0o755)
const source = join(work, 'source')
copyTree(root, source)
const lanes = new Set<Lane>()
let isStopping = false
let stopped: Promise<void> | undefined
const stop = () => (stopped ??= closeAll())
async function closeAll() {
  isStopping = true
  await Promise.all([...lanes].map((lane) => lane.close()))
  endProcessesIn(work, [])
  rmSync(work, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    say(`Interrupted by ${signal}; --resume goes on`)
    void stop().finally(() => process.exit(1))
  })

/** Results belong to the sources they were made with. */
function keptResults(key: string): Map<string, Trial> {
  if (!options.resume || !existsSync(results)) return new Map()
  const [head, ...lines] = readFileSync(results, 'utf8').split('\n').filter(Boolean)
  if ((JSON.parse(head ?? '{}') as { key?: string }).key !== key) {
    say('The sources have changed since the run that is to go on: it begins anew')
    return new Map()
  }
  return new Map(lines.map((line) => JSON.parse(line) as Trial).map((trial) => [trial.mutant.id, trial]))
}

async function tryAll(
  mutants: readonly Mutant[],
  coverage: Coverage,
  isWithTypes: boolean,
  note: (trial: Trial) => void,
) {
  const waiting = [...mutants]
  const files = coverage.tests.map(({ file }) => file)
  const nearness = nearnessIn((file) => read(source, file), files)
  const tryInLane = async (number: number) => {
    const tree = join(work, `tree${number}`)
    copyTree(source, tree)
    const lane = new Lane({ root: tree, temporary: join(work, 'tmp') })
    lanes.add(lane)
    for (let mutant = waiting.shift(); mutant && !isStopping; mutant = waiting.shift()) {
      const trial = await tryMutant(
        lane,
        mutant,
        testsFor(coverage, mutant, seconds, nearness, most),
        isWithTypes,
      )
      if (!isStopping) note(trial)
    }
    await lane.close()
    lanes.delete(lane)
  }
  await Promise.all(
    Array.from({ length: Math.min(workers, mutants.length) }, (_, index) => tryInLane(index + 1)),
  )
}

async function main(): Promise<boolean> {
  const all = productFiles(source).flatMap((file) => mutantsOf(file, read(source, file)))
  const wanted = options.id
    ? all.filter(({ id }) => id === options.id)
    : all.filter(({ file }) => file.startsWith(options.only))
  if (wanted.length === 0)
    throw new Error(
      options.id ? `There is no mutant ${options.id}` : `There is nothing to change in ${options.only}`,
    )
  const place = { source, work, workers, lanes, say }
  const coverage = options.nearest
    ? await coverageByImports(place, root)
    : await coverageOf(place, join(folder, 'coverage.json'))
  const isWithTypes = !(await hasTypeErrors(source))
  if (options.id) return tryOne(wanted[0]!, coverage, isWithTypes)

  const chosen = sample(wanted, count, seed)
  const key = keyOf(source)
  const known = keptResults(key)
  mkdirSync(folder, { recursive: true })
  writeFileSync(results, `${[{ key }, ...known.values()].map((it) => JSON.stringify(it)).join('\n')}\n`)
  await tryAll(
    chosen.filter(({ id }) => !known.has(id)),
    coverage,
    isWithTypes,
    (trial) => {
      known.set(trial.mutant.id, trial)
      appendFileSync(results, `${JSON.stringify(trial)}\n`)
      const { id, file, line, operator } = trial.mutant
      say(
        `${trial.outcome.padEnd(11)} ${trial.seconds.toFixed(1).padStart(6)} s  ${id}  ${operator.padEnd(14)} ${file}:${line}`,
      )
    },
  )
  if (isStopping) throw new Error('The run was interrupted')
  const trials = chosen.map(({ id }) => known.get(id)!)
  const facts = {
    seed,
    all: wanted.length,
    isWithTypes,
    tests: coverage.tests,
    read: (file: string) => read(source, file),
  }
  writeFileSync(join(folder, 'report.md'), reportOf(trials, facts))
  say(`\n${relative(process.cwd(), join(folder, 'report.md'))}\n${summary(trials)}`)
  return !isTooWeak(trials)
}

async function tryOne(mutant: Mutant, coverage: Coverage, isWithTypes: boolean): Promise<boolean> {
  say(`${mutant.file}:${mutant.line} ${mutant.operator}\n\n${changeOf(read(source, mutant.file), mutant)}\n`)
  let isOver = false
  await tryAll([mutant], coverage, isWithTypes, (trial) => {
    isOver = isCaught(trial)
    for (const file of trial.tried) say(`tries ${file}`)
    for (const file of trial.left) say(`leaves out ${file}`)
    say(
      `\n${trial.outcome} after ${trial.seconds.toFixed(1)} s${trial.by ? `: ${trial.by}` : ''}\n${summary([trial])}`,
    )
  })
  return isOver
}

try {
  process.exitCode = (await main()) ? 0 : 1
} catch (error) {
  // An interrupted run ends where it was interrupted.
  if (!isStopping) throw error
} finally {
  await stop()
}
