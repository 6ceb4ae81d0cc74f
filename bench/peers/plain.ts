/**
 * A plain server on Fastify and pg, without rules, sessions, versions or audit: it runs the statement that it
 * is given under a name and answers its rows, beside a count where there is one. Its database is that of
 * DATABASE_URL.
 */
import fastify from 'fastify'
import pg from 'pg'
import type { Statement } from './statement.ts'

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 })
const statements = new Map<string, Statement>()
const app = fastify()

const run = async (name: string, values: unknown[]) => {
  const { rows, count, countValues } = statements.get(name)!
  const [{ rows: data }, counted] = await Promise.all([
    pool.query(rows, values),
    count && pool.query<{ n: number }>(count, values.slice(0, countValues)),
  ])
  return counted ? { data, total_length: counted.rows[0]!.n } : { data }
}
app.put('/statements/:name', async (request) => {
  statements.set((request.params as { name: string }).name, request.body as Statement)
  return {}
})
app.get('/run/:name', (request) => {
  const { name } = request.params as { name: string }
  return run(name, JSON.parse((request.query as { values: string }).values) as unknown[])
})
app.put('/run/:name', (request) =>
  run((request.params as { name: string }).name, (request.body as { values: unknown[] }).values),
)
console.log(`listening at ${await app.listen({ host: '127.0.0.1', port: 0 })}`)
