/**
 * Imports of 200,000 merchants of 24 columns, each against its limit, in one run and interleaved; medians.
 * `npx tsx bench/imports.ts [rounds] [rows]`
 * - a CSV file, imported whole, against COPY of the same rows into a table with the same indexes;
 * - processor time to read a workbook, and to read and check it, against unpacking it with its checksums and doing nothing else;
 * - the largest memory of the reading process, for 50,000 and 200,000 rows.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, writeFileSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { from } from 'pg-copy-streams'
import { readConfig } from '../server/config/config.ts'
import { openDb } from '../server/db/db.ts'
import { migrate } from '../server/db/migrate.ts'
import { startPostgres } from '../server/db/postgres/postgres.ts'
import { importFile } from '../server/imports/importFile.ts'
import { portfolioCsv, portfolioXlsx } from '../tests/files/portfolio.ts'

const rounds = Number(process.argv[2] ?? 5)
const rows = Number(process.argv[3] ?? 200_000)
const folder = await mkdtemp(join(tmpdir(), 'bench-imports-'))
const path = (name: string) => join(folder, name)
writeFileSync(path('few.csv'), [...portfolioCsv(rows / 4)].join(''))
writeFileSync(path('many.csv'), [...portfolioCsv(rows)].join(''))
writeFileSync(path('few.xlsx'), portfolioXlsx(rows / 4))
writeFileSync(path('many.xlsx'), portfolioXlsx(rows))

const postgres = await startPostgres({ folder: path('data') })
await migrate(postgres.url)
const db = openDb(postgres.url)
const config = readConfig({})
// A busy machine is slow, not wrong.
const limits = { ...config.importLimits, seconds: 3600 }
for (let id = 1; id <= 5; id += 1)
  await db.query('insert into master_agent (id, name) values ($1, $2)', [id, `Agent ${id}`])

/** Seconds an import of a file takes into an empty table, from the file on the disk to the commit. */
async function imported(name: string): Promise<number> {
  await db.query('truncate merchant cascade')
  const { size } = await stat(path(name))
  const sha256 = createHash('sha256').update(`${name}${Math.random()}`).digest('hex')
  const file = { path: path(name), filename: name, size, sha256, date: null, kind: 'merchant' as const }
  const began = performance.now()
  const signal = new AbortController().signal
  await importFile({
    ...file,
    db,
    viewer: { username: 'bench' },
    scope: null,
    dryrun: false,
    config,
    signal,
    limits,
  })
  return (performance.now() - began) / 1000
}

const columns = (
  await db.query<{ name: string }>(
    `select column_name as name from information_schema.columns
      where table_name = 'merchant' and is_generated = 'NEVER' and is_identity = 'NO' order by ordinal_position`,
  )
).map(({ name }) => name)

/** Writes the stored rows as COPY takes them. */
async function keepRows(): Promise<void> {
  const line = `concat_ws(E'\\t', ${columns.map((column) => `coalesce(${column}::text, '\\N')`).join(', ')})`
  const written = await db.query<{ line: string }>(`select ${line} as line from merchant order by id`)
  if (written.length !== rows) throw new Error('not all rows were imported')
  writeFileSync(path('rows.copy'), written.map(({ line: one }) => `${one}\n`).join(''))
}
/** Seconds COPY takes for the same rows into the same empty table. */
async function copied(): Promise<number> {
  await db.query('truncate merchant cascade')
  const began = performance.now()
  await db.transaction(async ({ client }) => {
    const lines = createReadStream(path('rows.copy'), { highWaterMark: 131_072 })
    await pipeline(lines, client.query(from(`copy merchant (${columns.join(', ')}) from stdin`)))
  })
  return (performance.now() - began) / 1000
}

type Cost = { seconds: number; megabytes: number }
const reading = (way: string, name: string): Cost => {
  const program = ['--import', 'tsx', join(import.meta.dirname, 'reading.ts'), way, path(name)]
  const { stdout, stderr } = spawnSync(process.execPath, program, { encoding: 'utf8' })
  if (!stdout) throw new Error(stderr)
  return JSON.parse(stdout) as Cost
}
const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!

const times = { import: [] as number[], copy: [] as number[] }
const ways: [way: string, name: string][] = [
  ['unpack', 'many.xlsx'],
  ['unpackLarge', 'many.xlsx'],
  ['cells', 'many.xlsx'],
  ['rows', 'many.xlsx'],
  ['rows', 'few.xlsx'],
  ['rows', 'many.csv'],
  ['rows', 'few.csv'],
]
const costs = new Map(ways.map((way) => [way.join(' '), [] as Cost[]]))
await imported('many.csv')
await keepRows()
for (let round = 0; round < rounds; round += 1) {
  times.copy.push(await copied())
  times.import.push(await imported('many.csv'))
  for (const [way, name] of ways) costs.get(`${way} ${name}`)!.push(reading(way, name))
}

const load = loadavg()
  .map((one) => one.toFixed(1))
  .join(' ')
console.log(
  `${rows.toLocaleString('en-US')} merchants, medians of ${rounds} interleaved rounds, load ${load}`,
)
const [copy, whole] = [median(times.copy), median(times.import)]
const share = ((100 * copy) / whole).toFixed(0)
console.log(
  `COPY ${copy.toFixed(1)} s, import of the CSV ${whole.toFixed(1)} s: ${share} % of its speed (to reach: 50 %)`,
)
const seconds = (way: string) => median(costs.get(way)!.map((one) => one.seconds))
const floor = seconds('unpack many.xlsx')
for (const [way, name] of ways) {
  const key = `${way} ${name}`
  const most = median(costs.get(key)!.map((one) => one.megabytes))
  const ratio = name === 'many.xlsx' ? `, ${(seconds(key) / floor).toFixed(1)} times the unpacking` : ''
  console.log(`${key}: ${seconds(key).toFixed(2)} s of processor, ${most.toFixed(0)} MB${ratio}`)
}
await db.close()
await postgres.stop()
await rm(folder, { recursive: true, force: true })
