/**
 * Imports of 200,000 merchants of 24 columns, interleaved in one run; prints medians.
 * - the time to import a CSV file against COPY of the same rows into a table with the same indexes;
 * - the processor time to read a workbook, and to read and check it, against unpacking it and verifying its
 *   checksums, and against yauzl and saxes;
 * - the largest memory of the reading process, for 50,000 and 200,000 rows.
 *
 * `npx tsx bench/imports.ts [rounds] [rows]`
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, writeFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { from } from 'pg-copy-streams'
import { readConfig } from '../server/config/config.ts'
import { importFile } from '../server/imports/importFile.ts'
import { portfolioCsv, portfolioXlsx } from '../tests/files/portfolio.ts'
import { measureTime, median, openBenchDatabase } from './support.ts'

const rounds = Number(process.argv[2] ?? 5)
const rows = Number(process.argv[3] ?? 200_000)
const { folder, db, close } = await openBenchDatabase('imports')
const path = (name: string) => join(folder, name)
writeFileSync(path('few.csv'), [...portfolioCsv(rows / 4)].join(''))
writeFileSync(path('many.csv'), [...portfolioCsv(rows)].join(''))
writeFileSync(path('few.xlsx'), portfolioXlsx(rows / 4))
writeFileSync(path('many.xlsx'), portfolioXlsx(rows))

const config = readConfig({})
// On a busy machine a reader may take longer than the default limit.
const limits = { ...config.importLimits, seconds: 3600 }
for (let id = 1; id <= 5; id += 1)
  await db.query('insert into master_agent (id, name) values ($1, $2)', [id, `Agent ${id}`])

/** Seconds an import of a file takes into an empty table, from the file on the disk to the commit. */
async function measureImport(name: string): Promise<number> {
  await db.query('truncate merchant cascade')
  const { size } = await stat(path(name))
  const sha256 = createHash('sha256').update(`${name}${Math.random()}`).digest('hex')
  const file = { path: path(name), filename: name, size, sha256, date: null, kind: 'merchant' as const }
  const signal = new AbortController().signal
  const millis = await measureTime(() =>
    importFile({
      ...file,
      db,
      user: { username: 'bench' },
      scope: null,
      dryrun: false,
      config,
      signal,
      limits,
    }),
  )
  return millis / 1000
}

const columns = (
  await db.query<{ name: string }>(
    `select column_name as name from information_schema.columns
      where table_name = 'merchant' and is_generated = 'NEVER' and is_identity = 'NO'
      order by ordinal_position`,
  )
).map(({ name }) => name)

/** Writes the stored rows into rows.copy in the format of COPY. */
async function writeCopyFile(): Promise<void> {
  const line = `concat_ws(E'\\t', ${columns.map((column) => `coalesce(${column}::text, '\\N')`).join(', ')})`
  const written = await db.query<{ line: string }>(`select ${line} as line from merchant order by id`)
  if (written.length !== rows) throw new Error('not all rows were imported')
  writeFileSync(path('rows.copy'), written.map(({ line: one }) => `${one}\n`).join(''))
}
/** Seconds COPY takes for the same rows into the same empty table. */
async function measureCopy(): Promise<number> {
  await db.query('truncate merchant cascade')
  const millis = await measureTime(() =>
    db.transaction(async ({ client }) => {
      const lines = createReadStream(path('rows.copy'), { highWaterMark: 131_072 })
      await pipeline(lines, client.query(from(`copy merchant (${columns.join(', ')}) from stdin`)))
    }),
  )
  return millis / 1000
}

type Cost = { seconds: number; megabytes: number }
/** Runs bench/reading.ts. */
const measureReading = (way: string, name: string): Cost => {
  const program = ['--import', 'tsx', join(import.meta.dirname, 'reading.ts'), way, path(name)]
  const { stdout, stderr } = spawnSync(process.execPath, program, { encoding: 'utf8' })
  if (!stdout) throw new Error(stderr)
  return JSON.parse(stdout) as Cost
}

const times = { import: [] as number[], copy: [] as number[] }
const ways: [way: string, name: string][] = [
  ['unpack', 'many.xlsx'],
  ['unpackLarge', 'many.xlsx'],
  ['cells', 'many.xlsx'],
  ['libraries', 'many.xlsx'],
  ['rows', 'many.xlsx'],
  ['rows', 'few.xlsx'],
  ['rows', 'many.csv'],
  ['rows', 'few.csv'],
]
const costs = new Map(ways.map((way) => [way.join(' '), [] as Cost[]]))
await measureImport('many.csv')
await writeCopyFile()
for (let round = 0; round < rounds; round += 1) {
  times.copy.push(await measureCopy())
  times.import.push(await measureImport('many.csv'))
  for (const [way, name] of ways) costs.get(`${way} ${name}`)!.push(measureReading(way, name))
}

const load = loadavg()
  .map((one) => one.toFixed(1))
  .join(' ')
console.log(
  `${rows.toLocaleString('en-US')} merchants, medians of ${rounds} interleaved rounds, load ${load}`,
)
const [copySeconds, importSeconds] = [median(times.copy), median(times.import)]
const share = ((100 * copySeconds) / importSeconds).toFixed(0)
console.log(
  `COPY ${copySeconds.toFixed(1)} s, import of the CSV ${importSeconds.toFixed(1)} s: ` +
    `${share} % of its speed (to reach: 50 %)`,
)
const seconds = (way: string) => median(costs.get(way)!.map((one) => one.seconds))
const unpackSeconds = seconds('unpack many.xlsx')
for (const [way, name] of ways) {
  const key = `${way} ${name}`
  const memory = median(costs.get(key)!.map((one) => one.megabytes))
  const ratio =
    name === 'many.xlsx' ? `, ${(seconds(key) / unpackSeconds).toFixed(1)} times the unpacking` : ''
  console.log(`${key}: ${seconds(key).toFixed(2)} s of processor, ${memory.toFixed(0)} MB${ratio}`)
}
await close()
