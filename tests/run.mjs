// `npm test`: on a fresh machine with nothing but Node, installs what is missing, then checks the types, the
// style and the build and runs the tests of the short run. The last line says how many passed and failed;
// arguments go to vitest instead of the short run's projects. Slow files run when what they are about changed,
// and else at every eighth commit (tests/runs/turns.mjs); `--all` runs them all. `--changed-walks` (.ci/run)
// adds the walks in Chromium of what changed lately.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { isBuilt } from '../server/build.mjs'
import { checkNode, root, install } from '../server/install.mjs'
import { findChromium, needsBrowser } from './chromium.mjs'
import { changedWalks, changedWalksVariable, walksPartVariable } from './runs/changedWalks.mjs'
import { shortRun, workers } from './runs/shortRun.mjs'
import { turnOfCommit, turns } from './runs/turns.mjs'

checkNode()
const isWithWalks = process.argv.includes('--changed-walks')
const isAll = process.argv.includes('--all')
const wanted = process.argv.slice(2).filter((arg) => !['--changed-walks', '--all'].includes(arg))
const problems = []
const browser = needsBrowser(wanted) ? run('tests/chromium.mjs') : null
install({ all: true })

const built = isBuilt() ? { isDone: true, said: '' } : run('server/build.mjs')
// What no test waits for runs beside the first of them, which prepare a database on one processor.
const beside = [
  check('Types', run('node_modules/typescript/bin/tsc', '--noEmit', '--singleThreaded')),
  check('Style', run('node_modules/oxlint/bin/oxlint', '--deny-warnings')),
  check('Format', run('node_modules/oxfmt/bin/oxfmt', '--check')),
]
await check('Build', built, (said) => (isBuilt() ? '' : said))
if (isBuilt()) Object.assign(process.env, { TEST_BUILT: '1', READER: join(root, 'dist/server/reader.js') })
if (browser) {
  process.stdout.write('\nBrowser\n')
  await browser
  const path = findChromium()
  if (path) process.env.CHROMIUM = path
  else problems.push('Browser')
  process.stdout.write(
    path ? `${path}\n` : 'There is no Chromium and none could be installed: set CHROMIUM to one\n',
  )
}

if (isWithWalks) await addChangedWalks()
const leftOut = wanted.length > 0 || isAll ? [] : await filesOfOtherTurns()
process.stdout.write('\nTests\n')
const short = [
  ...shortRun.flatMap((name) => ['--project', name]),
  ...leftOut.flatMap((file) => ['--exclude', file]),
]
const report = await vitest(...(wanted.length > 0 ? wanted : short))
await Promise.all(beside)
const passed = report.numPassedTests
const failed = report.numFailedTests + problems.length
for (const problem of problems) process.stdout.write(`failed: ${problem}\n`)
listFailed(report)
if (wanted.length === 0)
  process.stdout.write('\nThe long run, with all walks in Chromium, mutants and faults: npm run test:paths\n')
process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
process.exit(failed === 0 && passed > 0 ? 0 : 1)

/** Runs the tests these arguments name. What went wrong outside of a test is added to the problems. */
async function vitest(...args) {
  const folder = mkdtempSync(join(tmpdir(), 'portal-report-'))
  const file = join(folder, 'report.json')
  const options = [
    'run',
    ...workers(args),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
    ...args,
  ]
  const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', ...options], {
    cwd: root,
    stdio: 'inherit',
  })
  const status = await new Promise((done) => child.on('close', done))
  const report = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { testResults: [], numPassedTests: 0, numFailedTests: 0 }
  rmSync(folder, { recursive: true, force: true })
  const broken = report.testResults.filter(
    ({ status: result, assertionResults }) =>
      result === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  for (const { name } of broken) problems.push(`${relative(root, name)} did not run`)
  if (status !== 0 && report.numFailedTests === 0 && broken.length === 0)
    problems.push('Tests ended with an error outside of any test')
  for (const { name, assertionResults } of report.testResults) {
    for (const test of assertionResults.filter(
      ({ status: result }) => !['passed', 'failed'].includes(result),
    )) {
      const why = test.meta?.why ? `: ${test.meta.why}` : ''
      process.stdout.write(`skipped: ${relative(root, name)}: ${test.fullName}${why}\n`)
    }
  }
  return report
}

/** Repeats the failed tests at the end of the output, where a reader who sees only its tail finds them. */
function listFailed({ testResults }) {
  for (const { name, assertionResults } of testResults) {
    for (const test of assertionResults.filter(({ status }) => status === 'failed')) {
      const message = (test.failureMessages ?? []).join('\n').split('\n').slice(0, 12).join('\n  ')
      process.stdout.write(`failed: ${relative(root, name)}: ${test.fullName}\n  ${message}\n`)
    }
  }
}

/** Adds the walks of the long run that the latest changes call for, and prints which, and what changed. */
async function addChangedWalks() {
  const { found, part, unknown } = await changedWalks()
  process.stdout.write('\nWalks in Chromium of what changed in the last 40 commits\n')
  if (unknown) process.stdout.write(`None: ${unknown}\n`)
  else if (found.length === 0) process.stdout.write('None: no machine, model or screen did\n')
  for (const { name, because } of found) {
    const more = because.length > 3 ? ` and ${because.length - 3} more` : ''
    process.stdout.write(`${name}: ${because.slice(0, 3).join(', ')}${more}\n`)
  }
  if (found.length === 0) return
  process.env[changedWalksVariable] = found.map(({ walk }) => walk).join(',')
  process.env[walksPartVariable] = part
  const [turn, parts] = part.split('/').map(Number)
  if (parts > 1)
    process.stdout.write(
      `Part ${turn + 1} of ${parts} of their paths; the commits after this take the others\n`,
    )
}

/** The slow files that other commits run; prints which run now and which do not. */
async function filesOfOtherTurns() {
  const { turn, leftOut: others, unknown } = await turnOfCommit()
  process.stdout.write('\nSlow tests that come in turns\n')
  if (unknown) process.stdout.write(`All: ${unknown}\n`)
  else process.stdout.write(`Turn ${turn} of ${turns}; all of them run with npm test -- --all. Left out:\n`)
  for (const file of others) process.stdout.write(`  ${file}\n`)
  return others
}

/** Prints what a check said once it is over, in one piece, and adds it to the problems if it failed. */
async function check(title, running, shown = (said) => said) {
  const { isDone, said } = await running
  process.stdout.write(`\n${title}\n${shown(said)}`)
  if (!isDone) problems.push(title)
}

/** Runs a script beside what else is done, and answers what it said. */
function run(...args) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => void (said += text))
  return new Promise((done) => child.on('close', (status) => done({ isDone: status === 0, said })))
}
