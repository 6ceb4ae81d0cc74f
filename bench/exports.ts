/**
 * Exports of many rows: what the portal streams as .csv and .xlsx against a plain query stream written as
 * CSV, on the same PostgreSQL, interleaved in one run; and by how much memory grows. `npx tsx --expose-gc
 * bench/exports.ts [rows]`
 */
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { stringify } from 'csv-stringify'
import pg from 'pg'
import QueryStream from 'pg-query-stream'
import { buildApp } from '../server/app.ts'
import { readConfig } from '../server/config/config.ts'
import { seed } from '../server/demo/seed.ts'
import { median, openBenchDatabase, serve, signIn } from './support.ts'

const rows = Number(process.argv[2] ?? 200_000)
const password = 'nine tall green lanterns'
const { db, url, close } = await openBenchDatabase('exports')
const config = readConfig({ DEMO: '0', ADMIN_PASSWORD: password })
const secret = Buffer.alloc(32, 1)
await seed(db, config, secret)
await db.query(
  `insert into equipment (model, serialnumber, licensingkey, soldfor, paidsofar, requestedpaperworkdate)
    select 'Model ' || n % 7, 'SN' || n, 'LK' || n, 100 + n % 900, n % 100, 1700000000 / 86400 * 86400
    from generate_series(1, $1::int) n`,
  [rows],
)
await db.query('vacuum analyze equipment')
const app = await buildApp({ db, config, secret })
const address = await serve(app)
const headers = await signIn(address, 'admin', password)

/** Takes the length of each chunk of a file. */
type Sink = (bytes: number) => void

/** Rows per second, and by how many megabytes memory grew at most. */
async function measure(exportTo: (sink: Sink) => Promise<void>) {
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let peak = before
  const start = performance.now()
  await exportTo(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  })
  return { speed: (rows * 1000) / (performance.now() - start), growth: (peak - before) / 1_048_576 }
}

const exportByPortal = (format: string) => async (sink: Sink) => {
  const answer = await fetch(`${address}/api/v1/report/equipment-outstanding/export?format=${format}`, {
    method: 'POST',
    headers,
    body: '{}',
  })
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) sink(chunk.length)
}
const exportByQueryStream = async (sink: Sink) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const query = client.query(
    new QueryStream(
      `select e.serialnumber, e.model, e.licensingkey, m.xmid, m.dba, a.displayid || ' - ' || a.name as agent,
          e.equipmentownertypeid, e.soldfor, e.paidsofar, e.soldfor - e.paidsofar as balance, e.paymentterms,
          e.requestedpaperworkdate, 1 as age, 'x' as paperwork
        from equipment e left join merchant m on m.id = e.merchantid
          left join master_agent a on a.id = e.masteragentid
        where e.soldfor > e.paidsofar order by balance desc, e.id`,
      [],
      { batchSize: 1000 },
    ),
  )
  const output = new Writable({ write: (chunk: Buffer, _, done) => (sink(chunk.length), done()) })
  await pipeline(query, stringify({ header: true }), output)
  await client.end()
}

const exports = {
  'plain query stream as csv': exportByQueryStream,
  'portal csv': exportByPortal('csv'),
  'portal xlsx': exportByPortal('xlsx'),
}
const results = Object.fromEntries(
  Object.keys(exports).map((name) => [name, { speed: [] as number[], growth: [] as number[] }]),
)
for (let round = 0; round < 4; round += 1)
  for (const [name, exportTo] of Object.entries(exports)) {
    const { speed, growth } = await measure(exportTo)
    // In the first round the code is compiled and the heap grows to its size.
    if (round > 0) results[name]!.speed.push(speed)
    results[name]!.growth.push(growth)
  }
const plainSpeed = median(results['plain query stream as csv']!.speed)
console.log(
  `${rows.toLocaleString('en-US')} rows, 14 columns; median of 3 rounds; server and reader in one process`,
)
for (const [name, { speed, growth }] of Object.entries(results))
  console.log(
    `${name}: ${Math.round(median(speed)).toLocaleString('en-US')} rows/s, ` +
      `ratio ${(median(speed) / plainSpeed).toFixed(2)}, ` +
      `memory grew by at most ${Math.max(...growth).toFixed(0)} MB`,
  )
await app.close()
await close()
