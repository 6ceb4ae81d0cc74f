// `npm test`: on a fresh machine with nothing but Node, installs what is missing, then checks the types, the style, the build and
// every test. The last line says how many passed and failed; arguments go to vitest.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { isBuilt } from '../server/build.mjs'
import { checkNode, home, install } from '../server/install.mjs'
import { findChromium } from './chromium.mjs'

checkNode()
const wanted = process.argv.slice(2)
const problems = []
const browser = needsBrowser(wanted) ? run('tests/chromium.mjs') : null
install({ all: true })

const checks = {
  Types: run('node_modules/typescript/bin/tsc', '--noEmit', '--singleThreaded'),
  Style: run('node_modules/oxlint/bin/oxlint', '--deny-warnings'),
  Format: run('node_modules/oxfmt/bin/oxfmt', '--check'),
  Build: isBuilt() ? { isDone: true, said: '' } : run('server/build.mjs'),
}
for (const [title, running] of Object.entries(checks)) {
  const { isDone, said } = await running
  process.stdout.write(`\n${title}\n${isDone && title === 'Build' ? '' : said}`)
  if (!isDone) problems.push(title)
}
if (isBuilt()) Object.assign(process.env, { TEST_BUILT: '1', READER: join(home, 'dist/server/reader.js') })
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

process.stdout.write('\nTests\n')
const folder = mkdtempSync(join(tmpdir(), 'portal-report-'))
const file = join(folder, 'report.json')
const options = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...wanted]
const ran =
  spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', ...options], { cwd: home, stdio: 'inherit' })
    .status === 0
const report = existsSync(file)
  ? JSON.parse(readFileSync(file, 'utf8'))
  : { testResults: [], numPassedTests: 0, numFailedTests: 0 }
rmSync(folder, { recursive: true, force: true })

const broken = report.testResults.filter(
  ({ status, assertionResults }) =>
    status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
)
for (const { name } of broken) problems.push(`${relative(home, name)} did not run`)
if (!ran && report.numFailedTests === 0 && broken.length === 0)
  problems.push('Tests ended with an error outside of any test')

for (const { name, assertionResults } of report.testResults) {
  for (const test of assertionResults.filter(({ status }) => !['passed', 'failed'].includes(status))) {
    process.stdout.write(
      `skipped: ${relative(home, name)}: ${test.fullName}${test.meta?.why ? `: ${test.meta.why}` : ''}\n`,
    )
  }
}
for (const problem of problems) process.stdout.write(`failed: ${problem}\n`)
const failed = report.numFailedTests + problems.length
process.stdout.write(`\n${report.numPassedTests} passed, ${failed} failed\n`)
process.exit(failed === 0 && report.numPassedTests > 0 ? 0 : 1)

/** Runs a script beside what else is done, and answers what it said. */
function run(...args) {
  const child = spawn(process.execPath, args, { cwd: home, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => void (said += text))
  return new Promise((done) => child.on('close', (status) => done({ isDone: status === 0, said })))
}

/** A run of other projects alone does without. */
function needsBrowser(args) {
  const projects = args.flatMap((arg, at) =>
    arg === '--project' ? [args[at + 1]] : arg.startsWith('--project=') ? [arg.slice(10)] : [],
  )
  return projects.length === 0 || projects.includes('browser')
}
