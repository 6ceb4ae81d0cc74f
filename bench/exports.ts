import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
/**
 * Exports of many rows: what our server streams as .csv and .xlsx against a plain query stream written as CSV, on the same PostgreSQL,
 * in one run, interleaved; and how far memory grows. `npx tsx --expose-gc bench/exports.ts [rows]`
 */
import { stringify } from 'csv-stringify'
import pg from 'pg'
import QueryStream from 'pg-query-stream'
import { buildApp } from '../server/app.ts'
import { readConfig } from '../server/config/config.ts'
import { openDb } from '../server/db/db.ts'
import { migrate } from '../server/db/migrate.ts'
import { startPostgres } from '../server/db/postgres/postgres.ts'
import { seed } from '../server/demo/seed.ts'

const rows = Number(process.argv[2] ?? 200_000)
const folder = await mkdtemp(join(tmpdir(), 'bench-exports-'))
const postgres = await startPostgres({ folder })
await migrate(postgres.url)
const db = openDb(postgres.url)
const config = readConfig({ DEMO: '0', ADMIN_PASSWORD: 'nine tall green lanterns' })
const secret = Buffer.alloc(32, 1)
await seed(db, config, secret)
await db.query(
  `insert into equipment (model, serialnumber, licensingkey, soldfor, paidsofar, requestedpaperworkdate)
    select 'Model ' || n % 7, 'SN' || n, 'LK' || n, 100 + n % 900, n % 100, 1700000000 / 86400 * 86400 from generate_series(1, $1::int) n`,
  [rows],
)
await db.query('vacuum analyze equipment')
const app = await buildApp({ db, config, secret })
await app.listen({ host: '127.0.0.1', port: 0 })
const base = `http://127.0.0.1:${(app.server.address() as { port: number }).port}`

const cookie =
  /XSRF-TOKEN=([^;]+)/.exec((await fetch(`${base}/healthz`)).headers.get('set-cookie') ?? '')?.[1] ?? ''
const headers = { 'content-type': 'application/json', cookie: `XSRF-TOKEN=${cookie}`, 'x-xsrf-token': cookie }
const signedIn = await fetch(`${base}/api/v1/login`, {
  method: 'PUT',
  headers,
  body: JSON.stringify({ username: 'admin', password: 'nine tall green lanterns' }),
})
const own = /XSRF-TOKEN=([^;]+)/.exec(signedIn.headers.get('set-cookie') ?? '')?.[1] ?? cookie
const { access_token } = (await signedIn.json()) as { access_token: string }
const signed = {
  'content-type': 'application/json',
  authorization: `Bearer ${access_token}`,
  cookie: `XSRF-TOKEN=${own}`,
  'x-xsrf-token': own,
}

/** Reads it all and keeps nothing; answers bytes, and how many megabytes memory grew at most. */
async function measured(work: (sink: (bytes: number) => void) => Promise<void>) {
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let [bytes, peak] = [0, before]
  const begin = performance.now()
  await work((length) => {
    bytes += length
    peak = Math.max(peak, process.memoryUsage.rss())
  })
  return {
    perSecond: (rows * 1000) / (performance.now() - begin),
    growth: (peak - before) / 1_048_576,
    bytes,
  }
}

const ours = (format: string) => async (sink: (bytes: number) => void) => {
  const answer = await fetch(`${base}/api/v1/report/equipment-outstanding/export?format=${format}`, {
    method: 'POST',
    headers: signed,
    body: '{}',
  })
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) sink(chunk.length)
}
const plain = async (sink: (bytes: number) => void) => {
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  const query = client.query(
    new QueryStream(
      `select e.serialnumber, e.model, e.licensingkey, m.xmid, m.dba, a.displayid || ' - ' || a.name as agent, e.equipmentownertypeid, e.soldfor, e.paidsofar,
        e.soldfor - e.paidsofar as balance, e.paymentterms, e.requestedpaperworkdate, 1 as age, 'x' as paperwork
        from equipment e left join merchant m on m.id = e.merchantid left join master_agent a on a.id = e.masteragentid
        where e.soldfor > e.paidsofar order by balance desc, e.id`,
      [],
      { batchSize: 1000 },
    ),
  )
  const out = new Writable({ write: (chunk: Buffer, _, done) => (sink(chunk.length), done()) })
  await pipeline(query, stringify({ header: true }), out)
  await client.end()
}

const median = (numbers: number[]) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!
const works = { 'plain query stream as csv': plain, 'our csv': ours('csv'), 'our xlsx': ours('xlsx') }
const found = Object.fromEntries(
  Object.keys(works).map((name) => [name, { speed: [] as number[], growth: [] as number[] }]),
)
for (let round = 0; round < 4; round += 1)
  for (const [name, work] of Object.entries(works)) {
    const { perSecond, growth } = await measured(work)
    // The first round warms up, and lets the heap find its size.
    if (round > 0) found[name]!.speed.push(perSecond)
    found[name]!.growth.push(growth)
  }
const base0 = median(found['plain query stream as csv']!.speed)
console.log(
  `${rows.toLocaleString('en-US')} rows, 14 columns; median of 3 rounds; server and reader in one process`,
)
for (const [name, { speed, growth }] of Object.entries(found))
  console.log(
    `${name}: ${Math.round(median(speed)).toLocaleString('en-US')} rows/s, ratio ${(median(speed) / base0).toFixed(2)}, memory grew by at most ${Math.max(...growth).toFixed(0)} MB`,
  )
await app.close()
await db.close()
await postgres.stop()
await rm(folder, { recursive: true, force: true })
