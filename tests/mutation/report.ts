import { changeOf } from './change.ts'
import type { TestCoverage } from './coverage.ts'
import { folderOf } from './sample.ts'
import { isCaught, type Outcome, type Trial } from './trial.ts'

/** Percent of the mutants that may survive. */
const mostSurvivors = 15

const outcomes: readonly Outcome[] = ['failed', 'timeout', 'types', 'survived', 'not covered']
const heads: Record<Outcome, string> = {
  failed: 'A test failed',
  timeout: 'Timeout',
  types: 'Types',
  survived: 'Survived',
  'not covered': 'Not covered',
}

export const survivors = (trials: readonly Trial[]) => trials.filter((trial) => !isCaught(trial))
export const isTooWeak = (trials: readonly Trial[]) =>
  survivors(trials).length * 100 > mostSurvivors * trials.length
export const summary = (trials: readonly Trial[]) =>
  `${trials.length - survivors(trials).length} caught, ${survivors(trials).length} survived`

function table(title: string, trials: readonly Trial[], groupOf: (trial: Trial) => string): string {
  const groups = [...new Set(trials.map(groupOf))].sort()
  const row = (name: string, own: readonly Trial[]) => {
    const counts = outcomes.map((outcome) => own.filter((trial) => trial.outcome === outcome).length)
    return `| ${[name, own.length, ...counts, `${Math.round((100 * own.filter(isCaught).length) / own.length)} %`].join(' | ')} |`
  }
  return [
    `| ${[title, 'Mutants', ...outcomes.map((outcome) => heads[outcome]), 'Caught'].join(' | ')} |`,
    `|${'---|'.repeat(outcomes.length + 3)}`,
    ...groups.map((name) =>
      row(
        name,
        trials.filter((trial) => groupOf(trial) === name),
      ),
    ),
    ...(groups.length > 1 ? [row('**All**', trials)] : []),
  ].join('\n')
}

const listOf = (files: readonly string[]) => files.map((file) => `\`${file}\``).join(', ')

function survivor(trial: Trial, read: (file: string) => string): string {
  const { mutant, tried, left, isInSetup } = trial
  const lines = [
    `### ${mutant.file}:${mutant.line} ${mutant.operator}`,
    `\`\`\`diff\n${changeOf(read(mutant.file), mutant)}\n\`\`\``,
    `\`${mutant.id}\`. ${tried.length > 0 ? `Tried: ${listOf(tried)}.` : isInSetup ? 'Only the global setup of the tests runs it.' : 'No test runs it.'}`,
    ...(left.length > 0 ? [`Left out, for time: ${listOf(left)}.`] : []),
  ]
  return lines.join('\n\n')
}

type Facts = {
  seed: number
  all: number
  isWithTypes: boolean
  tests: readonly TestCoverage[]
  read(file: string): string
}

/** The whole report as Markdown. */
export function reportOf(trials: readonly Trial[], { seed, all, isWithTypes, tests, read }: Facts): string {
  const broken = tests.filter(({ failure }) => failure !== null)
  const seconds = trials.reduce((sum, trial) => sum + trial.seconds, 0) / trials.length
  const of = (outcome: Outcome) =>
    trials.filter((trial) => trial.outcome === outcome).map((trial) => survivor(trial, read))
  return [
    '# Mutants',
    `${trials.length} of ${all} possible faults, seed ${seed}: **${summary(trials)}**; ${seconds.toFixed(1)} s each on average.`,
    'Tests in Chromium are not run, nor are faults made in machines, migrations, demo data and plain .mjs scripts.' +
      (isWithTypes ? '' : ' The type check fails without any fault, and is not asked.'),
    ...(broken.length > 0
      ? [
          `Test files that fail without any fault, and are not run:\n\n${broken.map(({ file, failure }) => `- \`${file}\`: ${failure}`).join('\n')}`,
        ]
      : []),
    '## By operator',
    table('Operator', trials, ({ mutant }) => mutant.operator),
    '## By folder',
    table('Folder', trials, ({ mutant }) => folderOf(mutant.file)),
    '## Survived',
    ...of('survived'),
    '## Not covered',
    ...of('not covered'),
    '',
  ].join('\n\n')
}
