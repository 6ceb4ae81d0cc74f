// `npm test`: on a fresh machine with nothing but Node, installs what is missing, then checks the types, the style, the build and
// every test. The last line says how many passed and failed; arguments go to vitest.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { build, isBuilt } from '../server/build.mjs'
import { checkNode, home, install } from '../server/install.mjs'
import { findChromium } from './chromium.mjs'

checkNode()
install({ all: true })

const wanted = process.argv.slice(2)
const problems = []
const step = (title, work) => {
  process.stdout.write(`\n${title}\n`)
  if (!work()) problems.push(title)
}
const node = (...args) => spawnSync(process.execPath, args, { cwd: home, stdio: 'inherit' }).status === 0

step('Types', () => node('node_modules/typescript/bin/tsc', '--noEmit', '--singleThreaded'))
step('Style', () => node('node_modules/oxlint/bin/oxlint', '--deny-warnings'))
step('Build', () => {
  const built = isBuilt() || build({ quiet: true })
  if (built) Object.assign(process.env, { TEST_BUILT: '1', READER: join(home, 'dist/server/reader.js') })
  return built
})
if (needsBrowser(wanted)) {
  step('Browser', () => {
    const path = findChromium()
    if (path) process.env.CHROMIUM = path
    process.stdout.write(path ? `${path}\n` : 'There is no Chromium and none could be installed: set CHROMIUM to one\n')
    return path !== null
  })
}

process.stdout.write('\nTests\n')
const folder = mkdtempSync(join(tmpdir(), 'portal-report-'))
const file = join(folder, 'report.json')
const ran = node('node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...wanted)
const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { testResults: [], numPassedTests: 0, numFailedTests: 0 }
rmSync(folder, { recursive: true, force: true })

const broken = report.testResults.filter(({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'))
for (const { name } of broken) problems.push(`${relative(home, name)} did not run`)
if (!ran && report.numFailedTests === 0 && broken.length === 0) problems.push('Tests ended with an error outside of any test')

for (const { name, assertionResults } of report.testResults) {
  for (const test of assertionResults.filter(({ status }) => !['passed', 'failed'].includes(status))) {
    process.stdout.write(`skipped: ${relative(home, name)}: ${test.fullName}${test.meta?.why ? `: ${test.meta.why}` : ''}\n`)
  }
}
for (const problem of problems) process.stdout.write(`failed: ${problem}\n`)
const failed = report.numFailedTests + problems.length
process.stdout.write(`\n${report.numPassedTests} passed, ${failed} failed\n`)
process.exit(failed === 0 && report.numPassedTests > 0 ? 0 : 1)

/** A run of other projects alone does without. */
function needsBrowser(args) {
  const projects = args.flatMap((arg, at) => (arg === '--project' ? [args[at + 1]] : arg.startsWith('--project=') ? [arg.slice(10)] : []))
  return projects.length === 0 || projects.includes('browser')
}
