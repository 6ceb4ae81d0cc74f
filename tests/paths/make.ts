import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { machineFiles } from '../mbt/machines.ts'
import type { Entry } from '../mbt/pathLog.ts'
import { unreachable } from '../models/lib/unreachable.ts'
import { complaints, csvOf, outcomes } from './outcome.ts'
import { pageOf } from './page.ts'

// tests/paths.mjs runs this on the journal of its run: make.ts <journal> <folder>. Exits with 1 when a
// transition was left out.
const [journal = '', folder = ''] = process.argv.slice(2)
const entries = readFileSync(journal, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line) as Entry)
const all = outcomes(await machineFiles(), entries, unreachable)
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'report.html'), await pageOf(all))
writeFileSync(join(folder, 'report.csv'), csvOf(all))
const wrong = complaints(all)
for (const one of wrong) process.stdout.write(`${one}\n`)
process.exitCode = wrong.length === 0 ? 0 : 1
