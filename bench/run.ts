/**
 * `npm run bench`: how fast the portal is, beside limits and peers in the same run (docs/growing.md). Prints
 * one table, writes bench.json and bench.html, and ends with 1 when an answer was wrong or it could not go
 * on, never because of a time.
 *
 * --short                 2,000 and 20,000 merchants, short rounds: five minutes on two idle cores
 * --large                 10,000,000 merchants too
 * --sizes 10000,100000    these sizes instead
 * --rounds 6              rounds of each case, of which the first is dropped
 * --only TEXT             the cases whose name or area has the text; several with commas
 * --directus FOLDER       compares with Directus 11.3.5, which is installed there
 * --out FOLDER            where the results are written, dist/bench unless given
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { projectFolder } from '../server/config/projectFolder.ts'
import { checkAnswers } from './answers.ts'
import { closeBrowser, whyNoBrowser } from './areas/firstLoad.ts'
import { checkMoney, money } from './areas/money.ts'
import type { Area, Case, Measured } from './case.ts'
import { areas } from './cases.ts'
import { type Cleanups, openEnvironment } from './environment.ts'
import { closeConnections } from './http.ts'
import { canReadCpu } from './measure.ts'
import { whyNoDirectus } from './peers/directus.ts'
import { hasPgbench } from './peers/pgbench.ts'
import { pageOf, type Run } from './results/page.ts'
import { rowsOf, slopesOf } from './results/rows.ts'
import { printedSlopes, printedTable } from './results/table.ts'
import { measureAreas } from './rounds.ts'

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    large: { type: 'boolean', default: false },
    sizes: { type: 'string' },
    rounds: { type: 'string', default: '6' },
    only: { type: 'string', default: '' },
    directus: { type: 'string' },
    out: { type: 'string', default: join(projectFolder, 'dist/bench') },
  },
})
const isShort = values.short
const sizes = values.sizes
  ? values.sizes.split(',').map(Number)
  : isShort
    ? [2_000, 20_000]
    : [10_000, 100_000, 1_000_000, ...(values.large ? [10_000_000] : [])]
const out = resolve(values.out)
const wanted = values.only.toLowerCase().split(',')
/** Prints a line after the seconds since the start. */
const say = (text: string) =>
  process.stderr.write(`${(performance.now() / 1000).toFixed(0).padStart(5)} s ${text}\n`)

const isWanted = (area: Area, it: Case) =>
  wanted.some((text) => `${area.name}: ${it.name}`.toLowerCase().includes(text)) &&
  (!isShort || it.isInShortForm !== false) &&
  (area.name !== 'First load' || !whyNoBrowser())
/** All that was measured so far. */
const measured: Measured[] = []
const options = {
  rounds: Math.max(2, Number(values.rounds)),
  millis: isShort ? 40 : 400,
  isWanted,
  onCase: (area: Area, it: Case) => say(`  ${area.name}: ${it.name}`),
  onMeasured: (figures: readonly Measured[]) => void measured.push(...figures),
}
const whyWithout = whyNoDirectus(values.directus)
const directus = whyWithout === null ? resolve(values.directus!) : null
const hasCases = (area: Area) => area.cases.some((it) => isWanted(area, it))

const cleanups: Cleanups = []
let ended = Promise.resolve()
/**
 * Ends what was started, the last first; what fails to end does not keep the others from it. Called while it
 * runs, as an interrupt does, it waits for what is being ended too.
 */
function endAll(): Promise<void> {
  ended = ended.then(async () => {
    for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop())
      await cleanup().catch((error: Error) => say(error.message))
  })
  return ended
}

/** Opens a portal of one size, compares its answers, and measures the areas that belong there. */
async function measureSize(size: number, where: readonly Area['where'][]): Promise<void> {
  const here = areas.filter((area) => where.includes(area.where) && hasCases(area))
  if (here.length === 0) return
  const hasMonths = here.includes(money)
  say(`${size.toLocaleString('en-US')} merchants: filling the database`)
  try {
    // Nothing in a portal without merchants is measured beside Directus.
    const environment = await openEnvironment({
      size,
      isShort,
      hasMonths,
      directus: size > 0 ? directus : null,
      cleanups,
    })
    if (size > 0) {
      say('  comparing answers with plain SQL')
      const count = await checkAnswers(environment)
      if (hasMonths) await checkMoney(environment)
      say(`  ${count} lists, pickers and charts are those of plain SQL`)
    }
    await measureAreas(environment, here, options)
  } finally {
    await endAll()
  }
}

const notes = [
  canReadCpu() ? null : 'CPU cannot be read here (no /proc/self/schedstat): only times are measured',
  whyNoBrowser(),
  whyWithout,
  hasPgbench() ? null : 'pgbench is not installed: prepared statements are measured through pg alone',
].filter((note) => note !== null)
for (const note of notes) say(note)

/** Writes and prints what was measured so far. */
function writeResults(): void {
  const load = loadavg()
    .map((one) => one.toFixed(1))
    .join(' ')
  const rows = rowsOf(
    measured,
    areas.flatMap((area) => area.cases),
  )
  const form = `${isShort ? 'short form' : 'full form'}, ${options.rounds - 1} rounds`
  const machine = `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}, load ${load}`
  const run: Run = { at: new Date().toISOString(), machine, form, rows, slopes: slopesOf(rows) }
  mkdirSync(out, { recursive: true })
  writeFileSync(join(out, 'bench.json'), `${JSON.stringify({ ...run, notes }, null, 2)}\n`)
  writeFileSync(join(out, 'bench.html'), pageOf(run))
  console.log(`\n${run.form}, ${machine}\n${notes.map((note) => `${note}\n`).join('')}`)
  console.log(printedTable(rows))
  const slopes = printedSlopes(run.slopes)
  if (slopes) console.log(`\nCPU grows with the merchants to the power of\n${slopes}`)
  console.log(`\n${join(out, 'bench.json')}\n${join(out, 'bench.html')}`)
}

let isInterrupted = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    isInterrupted = true
    say('Interrupted: ending what was started')
    void Promise.allSettled([endAll(), closeBrowser()]).then(() => {
      writeResults()
      process.exit(130)
    })
  })

try {
  for (const [at, size] of sizes.entries())
    await measureSize(size, at === 0 ? ['each', 'smallest'] : ['each'])
  await measureSize(0, ['empty'])
} catch (error) {
  say(`\nThe bench ended early: ${(error as Error).message}`)
  process.exitCode = 1
} finally {
  await closeBrowser()
  closeConnections()
}

if (!isInterrupted) writeResults()
