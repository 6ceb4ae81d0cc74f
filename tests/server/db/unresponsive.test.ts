import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { buildApp } from '../../../server/app.ts'
import { openDb, type Db } from '../../../server/db/db.ts'
import { networkTo, type Network } from '../../fixtures/network.ts'
import { testSecret } from '../../setup/postgres.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
let admin: SignedIn
let network: Network
let db: Db
let app: FastifyInstance
beforeAll(async () => {
  portal = await openTestPortal()
  admin = await portal.login('admin')
  network = await networkTo(portal.url)
  db = openDb(network.url, { max: 6, connectWithin: 700, checkInterval: 100 })
  app = await buildApp({ db, config: portal.config, secret: testSecret })
})
afterAll(async () => {
  await app.close()
  await network.close()
  await db.close()
  await portal.close()
})

const call = async (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object | string) => {
  const begun = performance.now()
  const headers = {
    authorization: `Bearer ${admin.token}`,
    cookie: `XSRF-TOKEN=${admin.cookie}`,
    'x-xsrf-token': admin.cookie,
    ...(typeof payload === 'string' && { 'content-type': 'multipart/form-data; boundary=cut' }),
  }
  const answer = await app.inject({ method, url, headers, ...(payload !== undefined && { payload }) })
  return {
    status: answer.statusCode,
    body: answer.body,
    retryAfter: answer.headers['retry-after'],
    seconds: (performance.now() - begun) / 1000,
  }
}
const away = 'The database is not available at the moment. Please try again.'
const file =
  '--cut\r\nContent-Disposition: form-data; name="f"; filename="m.csv"\r\n\r\nXMID,DBA,Master Agent\nS1,Shop,MA0002\n\r\n--cut--\r\n'
const kinds: [string, Parameters<typeof call>][] = [
  ['a list', ['GET', '/api/v1/merchant']],
  ['a new record', ['POST', '/api/v1/masteragent', { name: 'Silent', parentid: 0 }]],
  ['a report', ['POST', '/api/v1/report/user-access', {}]],
  ['a download', ['POST', '/api/v1/report/user-access/export', {}]],
  ['an import', ['POST', '/api/v1/file/merchant', file]],
  ['a login', ['PUT', '/api/v1/login', { username: 'admin', password: 'wrong' }]],
  ['readiness', ['GET', '/readyz']],
]

test('while a database does not answer every call, begun before or after, is answered 503 in time, and none once it is back', async () => {
  expect(await call('GET', '/readyz')).toMatchObject({ status: 200, body: '{"status":"ok"}' })
  // Three that wait for an answer, two of them in a transaction, when the network is lost.
  const underWay = [
    db.query('select pg_sleep(60)'),
    db.transaction((tx) => tx.query('select pg_sleep(60)')),
    db.transaction(async (tx) => {
      await tx.query('select 1')
      await tx.client.query('select pg_sleep(60)')
    }),
  ].map((work) => work.catch((error: Error) => error.message))
  const running = `select 1 from pg_stat_activity where query like '%pg_sleep(60)%' and state = 'active' and pid <> pg_backend_pid()`
  await expect.poll(async () => (await portal.db.query(running)).length).toBe(3)
  network.lose()
  const answers = await Promise.all(kinds.map(([, asked]) => call(...asked)))
  expect(answers.map(({ status, body }, at) => [kinds[at]![0], status, JSON.parse(body).error])).toEqual(
    kinds.map(([name]) => [name, 503, away]),
  )
  expect(await Promise.all(underWay)).toEqual(
    underWay.map(() => expect.stringMatching(/^Connection terminated/)),
  )
  // The portal itself lives, and says so at once.
  expect(await call('GET', '/healthz')).toMatchObject({ status: 200, body: '{"status":"ok"}' })
  expect((await call('GET', '/readyz')).status).toBe(503)

  network.restore()
  for (const [name, asked] of kinds) {
    const { status } = await call(...asked)
    expect({ name, status }).toEqual({ name, status: name === 'a login' ? 401 : expect.any(Number) })
    expect({ name, is5xx: status >= 500 }).toEqual({ name, is5xx: false })
  }
  await portal.db.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(60)%' and pid <> pg_backend_pid()`,
  )
})

test('a statement that takes long makes no call fail while the database answers others', async () => {
  const slow = db.transaction((tx) => tx.query<{ n: number }>('select 7 as n from pg_sleep(1.5)'))
  expect(await slow).toEqual([{ n: 7 }])
})

test('when all connections are in use the sentence says so, and not that the database is unavailable', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const works = Array.from({ length: 6 }, () =>
    db.transaction(async (tx) => {
      await tx.query('select 1')
      await held
    }),
  )
  const { status, body, retryAfter } = await call('GET', '/api/v1/merchant')
  release()
  await Promise.all(works)
  expect({ status, retryAfter, error: JSON.parse(body).error }).toEqual({
    status: 503,
    retryAfter: '2',
    error:
      'The portal is busy: all its connections to the database are in use. Please try again in a moment.',
  })
})

describe('a statement that takes longer than an answer may', () => {
  let hasty: Db
  let hastyApp: FastifyInstance
  beforeAll(async () => {
    hasty = openDb(portal.url, { max: 3, answerWithin: 300 })
    hastyApp = await buildApp({ db: hasty, config: portal.config, secret: testSecret })
  })
  afterAll(async () => {
    await hastyApp.close()
    await hasty.close()
  })

  /** The statements with this text that the database works on. */
  const running = async (text: string) =>
    (
      await portal.db.query<{ n: number }>(
        `select count(*) as n from pg_stat_activity
          where datname = current_database() and state = 'active' and pid <> pg_backend_pid()
            and position($1 in query) > 0`,
        [text],
      )
    )[0]!.n

  test.each(['query', 'prepared'] as const)('is ended in the database too: %s', async (how) => {
    const text = `select pg_sleep(600) as ${how}`
    const slow = hasty[how](text).catch((error: Error) => error.message)
    await vi.waitUntil(async () => (await running(text)) === 1)
    expect(await slow).toBe('Query read timeout')
    await vi.waitUntil(async () => (await running(text)) === 0, { timeout: 60_000 })
  })

  test('is answered with 504 and a sentence', async () => {
    const headers = { authorization: `Bearer ${admin.token}`, cookie: `XSRF-TOKEN=${admin.cookie}` }
    await portal.db.transaction(async (tx) => {
      await tx.query('lock table merchant')
      const answer = await hastyApp.inject({ url: '/api/v1/merchant?search=shop', headers })
      expect([answer.statusCode, answer.json().error]).toEqual([
        504,
        'This was stopped because it took too long. Ask for less, or try again at a quieter time.',
      ])
      await vi.waitUntil(async () => (await running('from "merchant" t')) === 0, { timeout: 60_000 })
    })
  })
})
