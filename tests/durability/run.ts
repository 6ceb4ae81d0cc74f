// `npm run test:faults`: starts the real portal, sends writes, breaks something, starts it again and looks for
// what it acknowledged. Prints a row for each fault, writes dist/faults.md, and ends with an error when
// something was lost or half stored. `npm run test:faults -- lock power --rounds 5` tries two of them.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { projectFolder } from '../../server/config/projectFolder.ts'
import { endChildren } from '../fixtures/children.ts'
import { folder, folderWithDatabase, removeFolders, removeOriginal } from '../fixtures/folders.ts'
import { launch } from '../models/lib/drivers/chromiumDriver.ts'
import type { Fault, Place } from './fault.ts'
import { faults } from './faults.ts'
import { complaintsOf, rowOf, tableOf, type Row } from './table.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string' } },
})
const say = (text: string) => process.stdout.write(`${text}\n`)
const names = faults.map(({ name }) => name)
const unknown = positionals.filter((name) => !names.includes(name))
const rounds = values.rounds === undefined ? null : Number(values.rounds)
if (unknown.length > 0 || (rounds !== null && !(Number.isInteger(rounds) && rounds > 0))) {
  say(`Usage: npm run test:faults -- [--rounds <whole number above 0>] [${names.join('] [')}]`)
  process.exit(2)
}

let browser: ReturnType<typeof launch> | undefined
const place: Place = { folder, folderWithDatabase, browser: () => (browser ??= launch()) }

async function tryFault(fault: Fault): Promise<Row> {
  const { name, what } = fault
  const missing = fault.missing?.() ?? null
  if (missing !== null) return { name, what, outcome: missing }
  try {
    return { name, what, outcome: await fault.run(place, rounds ?? fault.rounds) }
  } catch (error) {
    say((error as Error).stack ?? String(error))
    const problems = [`it could not be tried to its end: ${(error as Error).message}`]
    return { name, what, outcome: { tried: 0, acknowledged: 0, found: 0, half: 0, problems } }
  } finally {
    await endChildren()
    removeFolders()
  }
}

const rows: Row[] = []
for (const fault of faults.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  const begun = performance.now()
  const row = await tryFault(fault)
  rows.push(row)
  // Each row as soon as it is there, because a whole run takes long.
  say(`${rowOf(row)} ${fault.name}, ${((performance.now() - begun) / 1000).toFixed(0)} s`)
}
await (await browser)?.close()
await removeOriginal()

const table = tableOf(rows)
const complaints = complaintsOf(rows)
mkdirSync(join(projectFolder, 'dist'), { recursive: true })
writeFileSync(join(projectFolder, 'dist/faults.md'), `${table}\n`)
say(`\n${table}\n`)
for (const complaint of complaints) say(complaint)
process.exit(complaints.length === 0 ? 0 : 1)
