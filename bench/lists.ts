/**
 * Lists of a million merchants: the portal against a plain Fastify server with a straightforward query (exact
 * count, OFFSET) on the same PostgreSQL, interleaved in one run. Prints medians of five rounds and their
 * ratio. `npx tsx bench/lists.ts [merchants]`
 */
import fastify from 'fastify'
import { buildApp } from '../server/app.ts'
import { readConfig } from '../server/config/config.ts'
import { seed } from '../server/demo/seed.ts'
import { mergeRowCounts } from '../server/entities/rowCounts.ts'
import { median, openBenchDatabase, serve, signIn } from './support.ts'

const merchants = Number(process.argv[2] ?? 1_000_000)
const { db, close } = await openBenchDatabase('lists', { max: 10 })
const config = readConfig({})
const secret = Buffer.alloc(32, 1)
const people = await seed(db, config, secret)
await db.query(
  `insert into merchant (xmid, dba, masteragentid, sales_rep, status, accountstatus)
    select '5' || lpad(n::text, 11, '0'), 'Merchant ' || md5(n::text), 2 + n % 59, 'Rep ' || n % 500,
      'Approved', 2
    from generate_series(1, $1::int) n`,
  [merchants - 3000],
)
await db.query('vacuum analyze merchant')
await mergeRowCounts(db)

const portal = await buildApp({ db, config, secret })
const plain = fastify()
plain.get('/merchant', async (request) => {
  const { page, search } = request.query as { page: string; search?: string }
  const where = search
    ? `where (xmid || ' ' || dba || ' ' || sales_rep || ' ' || status) ilike '%' || $1 || '%'`
    : ''
  const values = search ? [search] : []
  const [data, [count]] = await Promise.all([
    db.query(
      `select t.*, a.displayid || ' - ' || a.name as agent
        from (select * from merchant ${where} order by id limit 10 offset ${(Number(page) - 1) * 10}) t
        join master_agent a on a.id = t.masteragentid`,
      values,
    ),
    db.query(`select count(*) from merchant ${where}`, values),
  ])
  return { data, total_length: count!.count }
})
const [portalAddress, plainAddress] = [await serve(portal), await serve(plain)]
const { password } = people.find(({ username }) => username === 'admin')!
const { authorization } = await signIn(portalAddress, 'admin', password)

/** Requests per second over `duration` milliseconds, eight at a time. */
async function measureRate(url: () => string, headers: Record<string, string>, duration: number) {
  const start = performance.now()
  const end = start + duration
  let count = 0
  const sendUntilEnd = async () => {
    while (performance.now() < end) {
      const answer = await fetch(url(), { headers })
      if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
      await answer.arrayBuffer()
      count += 1
    }
  }
  await Promise.all(Array.from({ length: 8 }, sendUntilEnd))
  return (count * 1000) / (performance.now() - start)
}

const randomDistantPage = () => Math.floor(merchants / 10) - 10_000 + Math.floor(Math.random() * 9_000)
const randomHex = () =>
  Math.floor(Math.random() * 0xffff)
    .toString(16)
    .padStart(4, '0')
const queries: { name: string; query: () => string; goal: number }[] = [
  { name: 'page 1 with exact total', query: () => 'page=1', goal: 300 },
  { name: 'deep page', query: () => `page=${randomDistantPage()}`, goal: 150 },
  { name: 'substring search with exact total', query: () => `page=1&search=${randomHex()}`, goal: 20 },
]
console.log(
  `${merchants.toLocaleString('en-US')} merchants, requests a second, median of 5 interleaved rounds`,
)
for (const { name, query, goal } of queries) {
  const rates = { portal: [] as number[], plain: [] as number[] }
  for (let round = 0; round < 5; round += 1) {
    const portalUrl = () => `${portalAddress}/api/v1/merchant?size=10&${query()}`
    rates.portal.push(await measureRate(portalUrl, { authorization }, 2000))
    rates.plain.push(await measureRate(() => `${plainAddress}/merchant?${query()}`, {}, 2000))
  }
  const [ofPortal, ofPlain] = [median(rates.portal), median(rates.plain)]
  console.log(
    `${name}: portal ${ofPortal.toFixed(0)} (to reach: ${goal} on a quiet machine of two cores), ` +
      `plain ${ofPlain.toFixed(1)}, ratio ${(ofPortal / ofPlain).toFixed(1)}`,
  )
}
await portal.close()
await plain.close()
await close()
