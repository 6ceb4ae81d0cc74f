import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { TestCoverage } from './coverage.ts'
import type { RunResult } from './lane.ts'
import type { Lane } from './lanes.ts'
import { applied, type Mutant } from './operators/mutant.ts'
import type { Selection } from './selection.ts'
import { read } from './tree.ts'

/**
 * What came of a mutant: a test failed, its tests did not end, the types do not fit, no test failed, or no
 * test runs the code. The first three are caught, the last two survive.
 */
export type Outcome = 'failed' | 'timeout' | 'types' | 'survived' | 'not covered'
export type Trial = {
  mutant: Mutant
  outcome: Outcome
  by: string | null
  tried: string[]
  left: string[]
  isInSetup: boolean
  seconds: number
}

export const isCaught = ({ outcome }: Trial): boolean => outcome !== 'survived' && outcome !== 'not covered'

/** Tests of a mutant may take so many times as long as usual, and these seconds more. */
const slowness = 4
const grace = 20
/**
 * The first test files are run by themselves, for most mutants are caught by them; the others in greater
 * numbers.
 */
const batchSizes = [1, 3]

function batchesOf(tests: readonly TestCoverage[]): TestCoverage[][] {
  const left = [...tests]
  const batches = batchSizes.map((size) => left.splice(0, size))
  return [...batches, left].filter((batch) => batch.length > 0)
}

/** `isSure` is false when a busy machine may be to blame. */
type Verdict = { outcome: Outcome; by: string; files: readonly string[]; isSure: boolean }

const hasToDoWithTime = /tim(ed|e)[ -]?out|unable to find|waitfor/i

function verdictOf({ files, error, isLate }: RunResult, batch: readonly TestCoverage[]): Verdict | null {
  const names = batch.map(({ file }) => file)
  const failed = files.find(({ isPassed }) => !isPassed)
  if (failed) {
    const by = `${failed.file}: ${failed.failure}`
    return { outcome: 'failed', by, files: [failed.file], isSure: !hasToDoWithTime.test(by) }
  }
  if (isLate) return { outcome: 'timeout', by: names.join(', '), files: names, isSure: true }
  if (error !== null) return { outcome: 'failed', by: error, files: names, isSure: false }
  const hasRun = ({ file, passed }: TestCoverage) =>
    passed === 0 || files.some((it) => it.file === file && it.passed > 0)
  const idle = names.filter((_, index) => !hasRun(batch[index]!))
  return idle.length === 0 ? null : { outcome: 'failed', by: 'no test ran', files: idle, isSure: false }
}

/**
 * Runs some test files up to the first failure. A failure that may be the machine's counts only when it comes
 * again. A process that does not answer is ended; the next run has a new one.
 */
async function runBatch(
  lane: Lane,
  batch: readonly TestCoverage[],
  isSecond = false,
): Promise<Verdict | null> {
  const seconds = grace + slowness * batch.reduce((sum, test) => sum + test.seconds, 0)
  const names = batch.map(({ file }) => file)
  const verdict = await lane
    .run(
      batch.map(({ file, project }) => ({ file, project })),
      seconds,
    )
    .then(
      (result) => verdictOf(result, batch),
      (error: Error): Verdict => ({ outcome: 'timeout', by: error.message, files: names, isSure: false }),
    )
  if (lane.isClosed) throw new Error('The trial was interrupted')
  if (!verdict || verdict.isSure || isSecond) return verdict
  const again = batch.filter(({ file }) => verdict.files.includes(file))
  const others = batch.filter(({ file }) => !verdict.files.includes(file))
  return (await runBatch(lane, again, true)) ?? (others.length > 0 ? runBatch(lane, others) : null)
}

/** Whether the project's type check refuses the sources as they are in this copy. */
export function hasTypeErrors(root: string): Promise<boolean> {
  const args = [join(root, 'node_modules/typescript/bin/tsc'), '--noEmit', '--singleThreaded']
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'ignore' })
  return new Promise((resolve) => child.once('close', (code) => resolve(code !== 0)))
}

/** Tries one mutant against its tests, then against the types if no test fails. */
export async function tryMutant(
  lane: Lane,
  mutant: Mutant,
  { tried, left, isInSetup }: Selection,
  hasTypes: boolean,
): Promise<Trial> {
  const begin = performance.now()
  const text = applied(read(lane.root, mutant.file), mutant)
  const { outcome, by } = await lane.with(mutant.file, text, async () => {
    for (const batch of batchesOf(tried)) {
      const verdict = await runBatch(lane, batch)
      if (verdict) return verdict
    }
    if (hasTypes && (await hasTypeErrors(lane.root))) return { outcome: 'types' as const, by: 'tsc' }
    return { outcome: tried.length > 0 ? ('survived' as const) : ('not covered' as const), by: null }
  })
  const names = (tests: readonly TestCoverage[]) => tests.map(({ file }) => file)
  return {
    mutant,
    outcome,
    by,
    tried: names(tried),
    left: names(left),
    isInSetup,
    seconds: (performance.now() - begin) / 1000,
  }
}
