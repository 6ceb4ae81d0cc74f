import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, InjectOptions } from 'fastify'
import pg from 'pg'
import { inject } from 'vitest'
import { buildApp } from '../server/app.ts'
import { readConfig, type Config } from '../server/config/config.ts'
import { openDb, type Db } from '../server/db/db.ts'
import { seed } from '../server/demo/seed.ts'
import { plannedOnce } from './setup/plans.ts'
import { asRuntime, testSecret } from './setup/postgres.ts'

export type Method = NonNullable<InjectOptions['method']>
// oxlint-disable-line no-explicit-any
export type Answer = { status: number; body: any; headers: Record<string, unknown> }
export type SignedIn = {
  token: string
  cookie: string
  call(method: Method, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
}
export type TestPortal = {
  app: FastifyInstance
  db: Db
  url: string
  config: Config
  people: Record<string, { username: string; password: string }>
  login(name: string, password?: string): Promise<SignedIn>
  /** The visitor nobody knows: no token, a fresh XSRF cookie. */
  stranger(): Promise<SignedIn>
  /** Somebody who signed in to the portal of which this one is a copy. */
  resume(person: Pick<SignedIn, 'token' | 'cookie'>): SignedIn
  /** Stops the portal and leaves its database, so that copies can be made. */
  stop(): Promise<void>
  close(): Promise<void>
}

const admin = async (url: string, sql: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(sql)
  await client.end()
}

const cookieOf = (headers: Record<string, unknown>) =>
  [headers['set-cookie']]
    .flat()
    .map((text) => /^XSRF-TOKEN=([^;]+)/.exec(String(text))?.[1])
    .find(Boolean) ?? ''

/**
 * Where a machine has much to do beside the tests, PostgreSQL takes longer to begin a connection than the
 * portal waits elsewhere, and a call that nobody broke would be answered with 503. What is answered in that
 * case is tested by server/db/unresponsive, with its own limits.
 */
const patient = { connectWithin: 30_000, checkInterval: 5_000 }

/**
 * A portal of its own: a database with the demo data, unless told otherwise, and people to be; or a copy of
 * one that was stopped.
 */
export async function openTestPortal(
  settings: Partial<Config> = {},
  copied?: TestPortal,
): Promise<TestPortal> {
  const { url: server, template, demo, people: known } = inject('postgres')
  const name = `${template}_w${randomBytes(6).toString('hex')}`
  const isStandard = settings.demo === undefined && settings.adminPassword === undefined
  const origin = copied ? new URL(copied.url).pathname.slice(1) : isStandard ? demo : template
  await admin(server, `create database ${name} template ${origin} strategy file_copy`)
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).toString()
  const config: Config = { ...readConfig({ DATABASE_URL: url, DATA_DIR: join(tmpdir(), name) }), ...settings }
  const db = openDb(url, { timeZone: config.timeZone, ...patient })
  const seeded = copied ? [] : isStandard ? known : await seed(db, config, testSecret)
  // Copies: a test that changes a password notes the new one, and the next portal has the old one again.
  const people = Object.fromEntries(seeded.map((person) => [person.username, { ...person }]))
  // The portal runs with its own rights; what a test does beside it, it does as the owner.
  const limited = openDb(asRuntime(url), { timeZone: config.timeZone, ...patient })
  const app = await buildApp({ db: plannedOnce(limited), config, secret: testSecret })
  await app.ready()

  const as = (token: string, cookie: string): SignedIn => ({
    token,
    cookie,
    async call(method, path, body, headers = {}) {
      const reply = await app.inject({
        method,
        url: path,
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(cookie && { cookie: `XSRF-TOKEN=${cookie}`, 'x-xsrf-token': cookie }),
          ...headers,
        },
        ...(body !== undefined && { payload: body as object }),
      })
      const json = String(reply.headers['content-type']).includes('json')
      return { status: reply.statusCode, body: json ? reply.json() : reply.body, headers: reply.headers }
    },
  })
  const stranger = async () =>
    as('', cookieOf((await app.inject({ method: 'GET', url: '/healthz' })).headers))
  let isStopped = false
  const stop = async () => {
    if (isStopped) return
    isStopped = true
    const closing = app.close()
    // A connection kept alive for a next call that never comes would hold it open.
    app.server.closeAllConnections()
    await closing
    await Promise.all([limited.close(), db.close()])
  }
  return {
    app,
    db,
    url,
    config,
    people,
    stranger,
    stop,
    resume: ({ token, cookie }) => as(token, cookie),
    async login(name, password = people[name]?.password ?? '') {
      const reply = await (await stranger()).call('PUT', '/api/v1/login', { username: name, password })
      if (reply.status !== 200)
        throw new Error(`${name} cannot sign in: ${reply.status} ${JSON.stringify(reply.body)}`)
      return as(reply.body.access_token, cookieOf(reply.headers))
    },
    async close() {
      await stop()
      await rm(join(tmpdir(), name), { recursive: true, force: true })
      await admin(server, `drop database ${name} with (force)`)
    },
  }
}
