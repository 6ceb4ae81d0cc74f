import { AsyncLocalStorage } from 'node:async_hooks'
import { tmpdir } from 'node:os'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { buildApp } from '../../server/app.ts'
import { readConfig } from '../../server/config/config.ts'
import { openDb } from '../../server/db/db.ts'
import { testSecret } from '../setup/postgres.ts'
import { originator } from './payoutOrigin.ts'

/** What the process receives: the month, the run, and the statement before which it is killed, if any. */
export type ReleaseOrder = { month: string; hash: string; dieAt: number | null }
/** What it says: the answer, and how many statements it took. */
export type ReleaseSaid = { status: number; statements: number }

/*
 * A process of its own that serves the portal on a database and releases what it is asked to, as the person
 * whose token and cookie it was given.
 */
const [url, token, cookie] = process.argv.slice(2) as [string, string, string]
let statements = 0
let dieAt: number | null = null
/** Set within a release: what the portal does beside it, at moments of its own, is not counted. */
const release = new AsyncLocalStorage<true>()
const die = () => process.kill(process.pid, 'SIGKILL')

const query = pg.Client.prototype.query as (...given: unknown[]) => unknown
Object.assign(pg.Client.prototype, {
  query(this: pg.Client, ...given: unknown[]) {
    if (release.getStore()) statements += 1
    if (release.getStore() && statements === dieAt) die()
    return query.apply(this, given)
  },
})

const db = openDb(url, { max: 1 })
const config = { ...readConfig({ DATABASE_URL: url, DATA_DIR: tmpdir() }), ach: originator, timeZone: 'UTC' }
const app = await buildApp({ db, config, secret: testSecret })
await app.ready()
await db.query('select 1')
process.stdout.write('ready\n')
for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line) as ReleaseOrder
  statements = 0
  dieAt = order.dieAt
  const reply = await release.run(true, async () =>
    app.inject({
      method: 'POST',
      url: `/api/v1/month/${order.month}/release`,
      headers: {
        authorization: `Bearer ${token}`,
        cookie: `XSRF-TOKEN=${cookie}`,
        'x-xsrf-token': cookie,
      },
      payload: { hash: order.hash, how: 'file' },
    }),
  )
  // The last point of a kill: all is stored, and nobody was answered.
  if (dieAt !== null && dieAt > statements) die()
  process.stdout.write(`${JSON.stringify({ status: reply.statusCode, statements } satisfies ReleaseSaid)}\n`)
}
await app.close()
await db.close()
