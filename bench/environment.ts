import { createHash } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { projectFolder } from '../server/config/projectFolder.ts'
import type { Db } from '../server/db/db.ts'
import type { Contender } from './case.ts'
import { addData, type Person, people } from './data.ts'
import { callHttp, type HttpCall } from './http.ts'
import { calling } from './measure.ts'
import { directusHeaders, startDirectus } from './peers/directus.ts'
import { startPeer, startProgram, type Program } from './peers/programs.ts'
import type { Statement } from './peers/statement.ts'
import { openBenchDatabase, signInAs } from './support.ts'

const password = 'nine tall green lanterns'
const secret = Buffer.alloc(32, 1)
/** Milliseconds after which people sign in anew, so that no session ends in the middle of a round. */
const sessionMillis = 8 * 60_000

/** Ways to end what was started, in the order it was. */
export type Cleanups = (() => Promise<unknown>)[]

type EnvironmentOptions = {
  /** Merchants. */
  size: number
  isShort: boolean
  /** Whether the months of residuals are filled. */
  hasMonths: boolean
  /** The folder of Directus; null to do without. */
  directus: string | null
  /** What it starts is ended by these, the last first, also when it fails to open. */
  cleanups: Cleanups
}
type SignedIn = Awaited<ReturnType<typeof signInAs>>

/** A database of one size with the portal and its peers on it. */
export type Environment = {
  /** Merchants. */
  size: number
  isShort: boolean
  folder: string
  url: string
  db: Db
  /** The first processes of PostgreSQL, the portal and the peers. */
  pids: { postgres: number; portal: number; plain: number; bare: number }
  portal: Program
  plain: Program
  bare: Program
  /** Null where it is not there. */
  directus: Program | null
  /** Connections whose statements are prepared by name, one a lane. */
  prepared: readonly pg.Client[]
  signedIn(person: Person): Promise<SignedIn>
  /** A call of the portal: '/api/v1/merchant'. */
  call(person: Person, path: string, call?: HttpCall): Promise<Buffer>
}

/**
 * Fills a database with `size` merchants, and starts the portal as it is built in dist/ and its peers on it.
 */
export async function openEnvironment({
  size,
  isShort,
  hasMonths,
  directus: folderOfDirectus,
  cleanups,
}: EnvironmentOptions): Promise<Environment> {
  const ending = <T extends { stop(): Promise<void> }>(program: T): T => {
    cleanups.push(() => program.stop())
    return program
  }
  // Vacuums that begin by themselves would fall into some rounds and not into others.
  const settings = { autovacuum: 'off', max_wal_size: '4GB' }
  const opened = await openBenchDatabase(`${size}`, { max: 8, settings })
  cleanups.push(opened.close)
  const { db, folder, url, runtimeUrl, pid: postgres } = opened
  await addData(db, { merchants: size, hasMonths, secret, password })
  const program = await startProgram([join(projectFolder, 'dist/server/main.js')], {
    env: {
      DATABASE_URL: runtimeUrl,
      MIGRATE_DATABASE_URL: url,
      DATA_DIR: join(folder, 'portal'),
      SECRET_KEY: secret.toString('hex'),
      ADMIN_PASSWORD: password,
      DEMO: '0',
      PORT: '0',
      HOST: '127.0.0.1',
    },
    pattern: / is open at (\S+)/,
  })
  const portal = ending(program)
  const plain = ending(await startPeer('plain.ts', { DATABASE_URL: url }))
  const bare = ending(await startPeer('bare.ts'))
  const directus = folderOfDirectus === null ? null : ending(await startDirectus(folderOfDirectus, url))
  const prepared = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      cleanups.push(() => client.end())
      return client
    }),
  )
  const sessions = new Map<Person, { at: number; it: Promise<SignedIn> }>()
  const signedIn = (person: Person) => {
    const known = sessions.get(person)
    if (known && Date.now() - known.at < sessionMillis) return known.it
    const it = signInAs(portal.address, person, password)
    sessions.set(person, { at: Date.now(), it })
    return it
  }
  return {
    size,
    isShort,
    folder,
    url,
    db,
    pids: { postgres, portal: portal.pid, plain: plain.pid, bare: bare.pid },
    portal,
    plain,
    bare,
    directus,
    prepared,
    signedIn,
    async call(person, path, call = {}) {
      const { 'content-type': type, ...headers } = (await signedIn(person)).headers
      const sent = { ...headers, ...(call.body !== undefined && { 'content-type': type }), ...call.headers }
      return callHttp(portal.address + path, { ...call, headers: sent })
    },
  }
}

/** The ids of the agents whose rows a person sees; null for all. */
export async function scopeOf(db: Db, person: Person): Promise<number[] | null> {
  const { agent } = people[person]
  if (agent === null) return null
  const rows = await db.query<{ id: number }>(
    `with recursive below as (
      select id from master_agent where id = $1
      union all select a.id from master_agent a join below b on a.parentid = b.id)
    select id from below order by id`,
    [agent],
  )
  return rows.map(({ id }) => id)
}

/** A contender that calls the portal. `path` may differ from call to call. */
export const portalCalling = (
  it: Environment,
  person: Person,
  path: () => string,
  call?: (lane: number) => HttpCall,
): Contender =>
  calling('portal', [it.pids.portal, it.pids.postgres], (lane) => it.call(person, path(), call?.(lane)))

/** A contender that asks the plain server on Fastify and pg for a statement's rows. */
export async function plainCalling(
  it: Environment,
  name: string,
  statement: Statement,
  values: () => unknown[],
): Promise<Contender> {
  const key = encodeURIComponent(name)
  await callHttp(`${it.plain.address}/statements/${key}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(statement),
  })
  return calling('plain', [it.pids.plain, it.pids.postgres], () =>
    callHttp(`${it.plain.address}/run/${key}?values=${encodeURIComponent(JSON.stringify(values()))}`),
  )
}

/** A contender that runs the statement prepared, without any server before the database. */
export const preparedCalling = (
  it: Environment,
  name: string,
  statement: string,
  values: () => unknown[],
): Contender =>
  calling('prepared', ['self', it.pids.postgres], (lane) =>
    it.prepared[lane]!.query({
      name: createHash('md5').update(name).digest('hex'),
      text: statement,
      values: values(),
    }),
  )

/** A contender that answers the bytes of one answer of the portal from memory. */
export async function bareCalling(
  it: Environment,
  name: string,
  person: Person,
  path: string,
): Promise<Contender> {
  const url = `${it.bare.address}/${encodeURIComponent(name)}`
  await callHttp(url, { method: 'PUT', body: await it.call(person, path) })
  return calling('bare', [it.pids.bare], () => callHttp(url))
}

/** A contender that calls Directus; none where it is not there. */
export const directusCalling = (it: Environment, path: () => string, call?: () => HttpCall): Contender[] =>
  it.directus === null
    ? []
    : [
        calling('Directus', [it.directus.pid, it.pids.postgres], () =>
          callHttp(it.directus!.address + path(), { ...call?.(), headers: directusHeaders }),
        ),
      ]
