import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runner } from 'node-pg-migrate'
import pg from 'pg'
import { projectFolder } from '../config/projectFolder.ts'
import type { Sql } from './db.ts'

/** The advisory lock under which one process at a time changes the tables (operations 5). */
export const migrationLock = 7_160_205_190_301

/**
 * Brings the database at `url` to this code's version: runs the files of `folder` that it has not run yet in
 * the order of their names, each in a transaction. Throws an Error when the database holds a migration that
 * `folder` does not.
 */
export async function migrate(url: string, folder = migrations): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    // The migration of a killed process ends with its connection, not with its statement.
    await client.query(`set client_connection_check_interval = '1s'`).catch(() => {})
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await refuseNewerDatabase(client, folder)
    await runner({
      dbClient: client,
      dir: folder,
      direction: 'up',
      migrationsTable: 'migration',
      noLock: true,
      logger: quiet,
    }).catch((error: Error) => {
      throw new Error(`The database could not be brought to this portal's version: ${error.message}`, {
        cause: error,
      })
    })
  } finally {
    await client.end()
  }
}

/**
 * Runs migrations by name on an empty database, as a part of the caller's transaction: a restore makes the
 * tables of its backup so (operations 17).
 */
export async function createTables(sql: Sql, names: readonly string[], folder = migrations): Promise<void> {
  await sql.query(
    'create table migration (id serial primary key, name varchar(255) not null, run_on timestamp not null)',
  )
  for (const name of names) await sql.query(await readFile(join(folder, `${name}.sql`), 'utf8'))
}

/** The names of this portal's migrations. */
export const knownMigrations = async (folder = migrations): Promise<Set<string>> =>
  new Set((await readdir(folder)).map((file) => file.replace(/\.sql$/, '')))

async function refuseNewerDatabase(client: pg.Client, folder: string) {
  const {
    rows: [found],
  } = await client.query<{ table: string | null }>(`select to_regclass('migration') as table`)
  if (!found?.table) return
  const known = await knownMigrations(folder)
  const { rows } = await client.query<{ name: string }>('select name from migration order by id')
  const newer = rows.find(({ name }) => !known.has(name))
  if (newer) {
    throw new Error(
      `The database is newer than this portal: it holds the migration ${newer.name}, ` +
        'which this portal does not know; ' +
        'start the newer portal, or restore a backup made before it',
    )
  }
}

/** The build does not copy the SQL files: the built server reads them from the sources. */
const migrations = join(projectFolder, 'server/db/migrations')

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
