import { randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openDb } from '../../server/db/db.ts'
import { migrate } from '../../server/db/migrate.ts'
import { startPostgres } from '../../server/db/postgres/postgres.ts'
import { prepareRuntimeRole } from '../../server/db/roles.ts'
import type { SeededUser } from '../../server/demo/people.ts'
import { seed } from '../../server/demo/seed.ts'
import { copySeededServer, keepSeededServer } from './seededServer.ts'
import { makeServerFolder } from './serverFolder.ts'

/**
 * `url` leads to a server, `template` names a migrated database on it, `demo` one that holds the demo data
 * too, with its `people`: `create database mine template <template>` is a fresh one.
 */
type TestPostgres = { url: string; template: string; demo: string; people: SeededUser[] }

/** Encrypts the bank numbers of the demo data in tests. */
export const testSecret = Buffer.alloc(32, 7)

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: TestPostgres
  }
}

/** What a throwaway database may do without: surviving a power loss, being small, and being tidied up. */
const throwawaySettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // What a small machine gets: a large cache is looked through whenever a database is removed.
  shared_buffers: '128MB',
  max_connections: '300',
  autovacuum: 'off',
  max_wal_size: '64MB',
  min_wal_size: '32MB',
  // A statement that is prepared is planned once, for any values (tests/setup/plans.ts).
  plan_cache_mode: 'force_generic_plan',
  // The kernel copies the files of a database in a fifth less time; other systems may lack it.
  ...(process.platform === 'linux' && { file_copy_method: 'clone' }),
}

/** Vitest calls this for itself and for each project of a run, which all use one server. */
const held = globalThis as { testPostgres?: Promise<TestPostgres> }

/**
 * One PostgreSQL per run: the embedded one in a folder of its own, or the one of DATABASE_URL. All that was
 * made is removed at the end.
 */
export default async function setup(project: TestProject) {
  if (held.testPostgres) return project.provide('postgres', await held.testPostgres)
  const starting = startServer()
  held.testPostgres = starting.then(({ provided }) => provided)
  const { provided, stop } = await starting
  project.provide('postgres', provided)
  return stop
}

async function startServer(): Promise<{ provided: TestPostgres; stop(): Promise<void> }> {
  const folder = makeServerFolder()
  const elsewhere = process.env['DATABASE_URL']
  const start = () => startPostgres({ folder, settings: throwawaySettings })
  const notes = join(folder, 'template.json')
  const isKept = !elsewhere && copySeededServer(folder)
  let templates: Templates | undefined
  let server = elsewhere ? { url: elsewhere, stop: async () => {} } : await start()
  if (!isKept) {
    templates = await makeTemplates(server.url)
    if (!elsewhere) {
      await server.stop()
      await writeFile(notes, JSON.stringify(templates))
      keepSeededServer(folder)
      server = await start()
    }
  }
  const { template, demo, people } = templates ?? (JSON.parse(await readFile(notes, 'utf8')) as Templates)
  const stop = async () => {
    if (elsewhere)
      for (const name of await made(server.url, template))
        await run(server.url, `drop database if exists "${name}" with (force)`)
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { provided: { url: server.url, template, demo, people }, stop }
}

type Templates = Omit<TestPostgres, 'url'>

const newTemplate = () => `portal_test_${randomBytes(4).toString('hex')}`

/** Brings the tables of a database up to date, and lets the role of the running portal use them. */
async function prepare(url: string) {
  await migrate(url)
  await prepareRuntimeRole(url, asRuntime(url))
}

async function makeTemplates(url: string): Promise<Templates> {
  const given = process.env['TEST_TEMPLATES']
  if (given) return updateTemplates(url, JSON.parse(given) as Templates)
  const template = newTemplate()
  await run(url, `create database ${template}`)
  // The embedded server has made it already.
  const [role] = await run(url, `select from pg_roles where rolname = 'portal_runtime'`)
  await run(url, `${role ? 'alter' : 'create'} role portal_runtime login password 'runtime'`)
  await prepare(at(url, template))
  const demo = `${template}_demo`
  await run(url, `create database ${demo} template ${template}`)
  const db = openDb(at(url, demo))
  const people = await seed(db, { adminPassword: null, demo: true }, testSecret)
  await db.close()
  return { template, demo, people }
}

/** The templates of another run on the same server, with the migrations that it lacked. */
async function updateTemplates(url: string, of: Templates): Promise<Templates> {
  const template = newTemplate()
  const demo = `${template}_demo`
  await run(url, `create database ${template} template ${of.template}`)
  await run(url, `create database ${demo} template ${of.demo}`)
  await prepare(at(url, template))
  await prepare(at(url, demo))
  return { template, demo, people: of.people }
}

/**
 * The same database, for the role of the running portal (operations 13). It signs in by itself: a superuser
 * who only takes the role has statements that the role may not cancel.
 */
export const asRuntime = (url: string) =>
  Object.assign(new URL(url), { username: 'portal_runtime', password: 'runtime' }).href

/** The same server's other database. */
export function at(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}

async function run<R extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values: unknown[] = [],
): Promise<R[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<R>(sql, values)).rows
  } finally {
    await client.end()
  }
}

/** Test databases are named after their template, so that a run on a shared server removes its own alone. */
const made = async (url: string, template: string) =>
  (
    await run<{ datname: string }>(url, 'select datname from pg_database where starts_with(datname, $1)', [
      template,
    ])
  ).map(({ datname }) => datname)
