/**
 * A report of many rows as the screen asks for it: how long it takes, how long other calls wait meanwhile at
 * most, and by how much the memory of the portal grows. The reader is a process of its own.
 * `npx tsx --expose-gc bench/reportOnScreen.ts [rows]`
 */
import { execFile } from 'node:child_process'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { promisify } from 'node:util'
import { buildApp } from '../server/app.ts'
import { readConfig } from '../server/config/config.ts'
import { seed } from '../server/demo/seed.ts'
import { measureTime, median, openBenchDatabase, serve, signIn } from './support.ts'

const rows = Number(process.argv[2] ?? 100_000)
const rounds = 5
const password = 'nine tall green lanterns'
const { db, folder, close } = await openBenchDatabase('report')
const config = { ...readConfig({ DEMO: '0', ADMIN_PASSWORD: password }), dataDir: folder }
const secret = Buffer.alloc(32, 1)
await seed(db, config, secret)
await db.query(`insert into master_agent (name) values ('North')`)
await db.query(
  `insert into merchant (xmid, dba, masteragentid, accountstatus, date_added)
    select lpad(n::text, 12, '0'), 'Corner Deli ' || n, (select min(id) from master_agent), 2,
      1700000000 / 86400 * 86400 from generate_series(1, $1::int) n`,
  [rows],
)
await db.query(
  `insert into equipment (model, serialnumber, licensingkey, merchantid, masteragentid, soldfor, paidsofar,
      requestedpaperworkdate)
    select 'Model ' || m.id % 7, 'SN' || m.id, 'LK' || m.id, m.id, m.masteragentid, 100 + m.id % 900,
      m.id % 100, 1700000000 / 86400 * 86400 from merchant m`,
)
await db.query('vacuum analyze')
const app = await buildApp({ db, config, secret })
const address = await serve(app)
const headers = await signIn(address, 'admin', password)

const reader = `
  const answer = await fetch('${address}/api/v1/report/equipment-outstanding', {
    method: 'POST', headers: ${JSON.stringify(headers)}, body: '{}' })
  let bytes = 0
  for await (const part of answer.body) bytes += part.length
  console.log(answer.status, bytes)`

async function measure() {
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let peak = before
  const sampler = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 10)
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  let said = ''
  const time = await measureTime(async () => {
    said = (await promisify(execFile)(process.execPath, ['--input-type=module', '-e', reader])).stdout.trim()
  })
  delay.disable()
  clearInterval(sampler)
  return { said, time, wait: delay.max / 1e6, growth: (peak - before) / 1_048_576 }
}

await measure()
const found: Awaited<ReturnType<typeof measure>>[] = []
for (let round = 0; round < rounds; round += 1) found.push(await measure())
const middle = (of: (it: (typeof found)[number]) => number) => median(found.map(of)).toFixed(0)
console.log(`${found[0]!.said} bytes of ${rows} rows: ${middle(({ time }) => time)} ms`)
const worst = Math.max(...found.map(({ wait }) => wait)).toFixed(0)
console.log(`others wait at most ${middle(({ wait }) => wait)} ms (worst round ${worst})`)
console.log(`memory grows by ${middle(({ growth }) => growth)} MB`)
await app.close()
await close()
