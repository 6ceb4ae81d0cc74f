import type { Coverage, TestCoverage } from './coverage.ts'
import type { Mutant } from './operators/mutant.ts'
import { regionAt } from './operators/regions.ts'

/** The test files that try a mutant, the best first, within the seconds allowed; `left` are those beyond. */
export type Selection = { tried: TestCoverage[]; left: TestCoverage[]; isInSetup: boolean }

/** Cheap files first, and those that run little else; a name in common is worth much. */
export function testsFor(
  { files, tests, setup }: Coverage,
  { file, start, end }: Mutant,
  seconds: number,
): Selection {
  const region = regionAt(files[file]!.regions, { start, end })
  const usable = tests.filter(({ hits, failure }) => failure === null && hits[file]?.includes(region))
  const ranked = usable
    .map(
      (test) =>
        [(Math.max(0.5, test.seconds) * sizeOf(test)) / 4 ** inCommon(test.file, file), test] as const,
    )
    .sort(([a], [b]) => a - b)
    .map(([, test]) => test)
  let sum = 0
  const tried = ranked.filter((test, index) => (sum += test.seconds) <= seconds || index === 0)
  return {
    tried,
    left: ranked.filter((test) => !tried.includes(test)),
    isInSetup: setup[file]?.includes(region) ?? false,
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
