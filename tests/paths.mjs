// `npm run test:paths`: runs the generated tests, those of the short run and of the long one, and what comes in
// turns there; writes dist/paths/report.html and report.csv. Fails when a test fails or when a declared
// transition is not taken by the actor alone, on the rendered screens or in Chromium.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { build, isBuilt } from '../server/build.mjs'
import { checkNode, root, install } from '../server/install.mjs'
import { findChromium } from './chromium.mjs'
import { workers } from './runs/shortRun.mjs'
import { inTurns } from './runs/turns.mjs'

checkNode()
install({ all: true })
if (!isBuilt() && !build({ quiet: true })) process.exit(1)
const chromium = findChromium()
if (!chromium) {
  process.stderr.write('There is no Chromium and none could be installed: set CHROMIUM to one\n')
  process.exit(1)
}

const folder = join(root, 'dist/paths')
const journal = join(folder, 'journal.jsonl')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
writeFileSync(journal, '')
const node = (...args) =>
  spawnSync(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { MONEY_SCENARIOS: '60', ...process.env, CHROMIUM: chromium, PATHS_JOURNAL: journal },
  }).status
const passed =
  node(
    'node_modules/vitest/vitest.mjs',
    'run',
    ...workers([]),
    'tests/machines/',
    'tests/machineMutants/',
    'tests/server/lifecycle/kill.long',
    'tests/server/imports/kill.long',
    'tests/server/payouts/scenarios.',
    'tests/server/payouts/duties.',
    'tests/walks/',
    'tests/faults/',
    'tests/browser/widget.',
    '.long.test.',
    // What the short run does not take at each commit.
    ...Object.keys(inTurns),
  ) === 0
const whole = node('node_modules/tsx/dist/cli.mjs', 'tests/paths/make.ts', journal, folder) === 0
process.stdout.write(
  `\n${relative(process.cwd(), join(folder, 'report.html'))}\n${relative(process.cwd(), join(folder, 'report.csv'))}\n`,
)
if (!passed) process.stdout.write('Some of the generated tests failed\n')
if (!whole) process.stdout.write('Some transitions failed or were never taken\n')
process.exit(passed && whole ? 0 : 1)
