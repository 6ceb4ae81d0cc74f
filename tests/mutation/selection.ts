import type { Coverage, TestCoverage } from './coverage.ts'
import type { Mutant } from './operators/mutant.ts'
import { regionAt } from './operators/regions.ts'

/** The test files that try a mutant, the best first, within the seconds allowed; `left` are those beyond. */
export type Selection = { tried: TestCoverage[]; left: TestCoverage[]; isInSetup: boolean }

/** How near the text of a test file is to a mutant, from 0 on. */
type Nearness = (test: string, mutant: Mutant) => number

/**
 * Cheap files first, and those that run little else; a name in common is worth much, and so are rare words
 * around the mutant that the test knows too. A file that does not fit into the time leaves it to others; at
 * `most` so many are tried.
 */
export function testsFor(
  { files, tests, setup }: Coverage,
  mutant: Mutant,
  seconds: number,
  nearness: Nearness,
  most = Infinity,
): Selection {
  const { file, start, end } = mutant
  const region = regionAt(files[file]!.regions, { start, end })
  const usable = tests.filter(({ hits, failure }) => failure === null && hits[file]?.includes(region))
  const costOf = (test: TestCoverage) =>
    ((startSeconds + test.seconds) * sizeOf(test)) /
    4 ** inCommon(test.file, file) /
    Math.exp(nearness(test.file, mutant) / 6)
  const ranked = usable
    .map((test) => [costOf(test), test] as const)
    .sort(([a], [b]) => a - b)
    .map(([, test]) => test)
  const tried: TestCoverage[] = []
  let sum = 0
  for (const test of ranked) {
    if (tried.length === most || (tried.length > 0 && sum + test.seconds > seconds)) continue
    tried.push(test)
    sum += test.seconds
  }
  return {
    tried,
    left: ranked.filter((test) => !tried.includes(test)),
    isInSetup: setup[file]?.includes(region) ?? false,
  }
}

/** What the worker of a run takes to begin, however short its test file is. */
const startSeconds = 4

/** Lines before and behind a mutant whose words count. */
const linesAround = 3
const wordsIn = (text: string) =>
  new Set((text.match(/[A-Za-z_]{3,}/g) ?? []).map((word) => word.toLowerCase()))

/** The words that the lines around a mutant and a test file have in common, each the more the rarer it is. */
export function nearnessIn(read: (file: string) => string, tests: readonly string[]): Nearness {
  const words = new Map(tests.map((test) => [test, wordsIn(read(test))]))
  const counts = new Map<string, number>()
  for (const found of words.values()) for (const word of found) counts.set(word, (counts.get(word) ?? 0) + 1)
  return (test, { file, line }) => {
    const lines = read(file)
      .split('\n')
      .slice(Math.max(0, line - 1 - linesAround), line + linesAround)
    return [...wordsIn(lines.join('\n'))]
      .filter((word) => words.get(test)?.has(word))
      .reduce((sum, word) => sum + Math.log(tests.length / counts.get(word)!), 0)
  }
}

const sizeOf = ({ hits }: TestCoverage) =>
  Object.values(hits).reduce((sum, regions) => sum + regions.length, 0)

const common = new Set(['tests', 'test', 'server', 'src', 'index', 'tsx', 'ts'])
const wordsOf = (path: string) =>
  path
    .split(/[/.]|(?<=[a-z])(?=[A-Z])/)
    .map((word) => word.toLowerCase().replace(/s$/, ''))
    .filter((word) => !common.has(word))

/** 'imports.undo.test.ts' and 'imports/undo.ts' have two words in common. */
function inCommon(test: string, file: string): number {
  const words = new Set(wordsOf(test))
  return new Set(wordsOf(file).filter((word) => words.has(word))).size
}
