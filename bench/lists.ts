import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
/**
 * Lists on a million merchants: our server against the same SQL written plainly (exact count, OFFSET) on the same Fastify
 * and the same PostgreSQL, in one run, interleaved; medians of five rounds and their ratio. `npx tsx bench/lists.ts`
 */
import fastify from 'fastify'
import { buildApp } from '../server/app.ts'
import { readConfig } from '../server/config/config.ts'
import { openDb } from '../server/db/db.ts'
import { migrate } from '../server/db/migrate.ts'
import { startPostgres } from '../server/db/postgres/postgres.ts'
import { seed } from '../server/demo/seed.ts'
import { mergeRowCounts } from '../server/entities/rowCounts.ts'

const merchants = Number(process.argv[2] ?? 1_000_000)
const folder = await mkdtemp(join(tmpdir(), 'bench-lists-'))
const postgres = await startPostgres({ folder })
await migrate(postgres.url)
const db = openDb(postgres.url, { max: 10 })
const config = readConfig({})
const secret = Buffer.alloc(32, 1)
const people = await seed(db, config, secret)
await db.query(
  `insert into merchant (xmid, dba, masteragentid, sales_rep, status, accountstatus)
    select '5' || lpad(n::text, 11, '0'), 'Merchant ' || md5(n::text), 2 + n % 59, 'Rep ' || n % 500, 'Approved', 2 from generate_series(1, $1::int) n`,
  [merchants - 3000],
)
await db.query('vacuum analyze merchant')
await mergeRowCounts(db)

const ours = await buildApp({ db, config, secret })
await ours.listen({ host: '127.0.0.1', port: 0 })
const plain = fastify()
plain.get('/merchant', async (request) => {
  const { page, search } = request.query as { page: string; search?: string }
  const where = search
    ? `where (xmid || ' ' || dba || ' ' || sales_rep || ' ' || status) ilike '%' || $1 || '%'`
    : ''
  const values = search ? [search] : []
  const [data, [count]] = await Promise.all([
    db.query(
      `select t.*, a.displayid || ' - ' || a.name as agent from (select * from merchant ${where} order by id limit 10 offset ${(Number(page) - 1) * 10}) t
        join master_agent a on a.id = t.masteragentid`,
      values,
    ),
    db.query(`select count(*) from merchant ${where}`, values),
  ])
  return { data, total_length: count!.count }
})
await plain.listen({ host: '127.0.0.1', port: 0 })
const portOf = (app: { server: { address(): unknown } }) => (app.server.address() as { port: number }).port

const base = `http://127.0.0.1:${portOf(ours)}`
const cookieOf = (headers: Headers) => /XSRF-TOKEN=([^;]+)/.exec(headers.get('set-cookie') ?? '')?.[1] ?? ''
const cookie = cookieOf((await fetch(`${base}/healthz`)).headers)
const admin = people.find((person) => person.username === 'admin')!
const signedIn = await fetch(`${base}/api/v1/login`, {
  method: 'PUT',
  headers: { 'content-type': 'application/json', cookie: `XSRF-TOKEN=${cookie}`, 'x-xsrf-token': cookie },
  body: JSON.stringify({ username: admin.username, password: admin.password }),
})
const { access_token } = (await signedIn.json()) as { access_token: string }

/** Requests per second over `millis`, eight at a time. */
async function rate(url: () => string, headers: Record<string, string>, millis: number) {
  const end = performance.now() + millis
  let done = 0
  const begin = performance.now()
  const one = async () => {
    while (performance.now() < end) {
      const answer = await fetch(url(), { headers })
      if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
      await answer.arrayBuffer()
      done += 1
    }
  }
  await Promise.all(Array.from({ length: 8 }, one))
  return (done * 1000) / (performance.now() - begin)
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!
const deep = () => Math.floor(merchants / 10) - 10_000 + Math.floor(Math.random() * 9_000)
const hex = () =>
  Math.floor(Math.random() * 0xffff)
    .toString(16)
    .padStart(4, '0')
const works: [string, () => string, number][] = [
  ['page 1 with exact total', () => 'page=1', 300],
  ['deep page', () => `page=${deep()}`, 150],
  ['substring search with exact total', () => `page=1&search=${hex()}`, 20],
]
console.log(
  `${merchants.toLocaleString('en-US')} merchants, requests a second, median of 5 interleaved rounds`,
)
for (const [name, query, goal] of works) {
  const figures = { ours: [] as number[], plain: [] as number[] }
  for (let round = 0; round < 5; round += 1) {
    figures.ours.push(
      await rate(
        () => `${base}/api/v1/merchant?size=10&${query()}`,
        { authorization: `Bearer ${access_token}` },
        2000,
      ),
    )
    figures.plain.push(await rate(() => `http://127.0.0.1:${portOf(plain)}/merchant?${query()}`, {}, 2000))
  }
  const [a, b] = [median(figures.ours), median(figures.plain)]
  console.log(
    `${name}: ours ${a.toFixed(0)} (to reach: ${goal} on a quiet machine of two cores), plain ${b.toFixed(1)}, ratio ${(a / b).toFixed(1)}`,
  )
}
await ours.close()
await plain.close()
await db.close()
await postgres.stop()
await rm(folder, { recursive: true, force: true })
