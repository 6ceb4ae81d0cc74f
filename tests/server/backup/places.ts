import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { openDb, type Db, type Sql } from '../../../server/db/db.ts'
import { at } from '../../setup/postgres.ts'

export type Place = { url: string; db: Db }

const made: { name: string; db: Db }[] = []

/** A database of its own on the test's server: empty, or with the portal's tables. */
export async function place(holds: 'nothing' | 'tables'): Promise<Place> {
  const { url: server, template } = inject('postgres')
  const name = `${template}_b${randomBytes(4).toString('hex')}`
  const root = openDb(server)
  await root.query(`create database ${name} template ${holds === 'tables' ? template : 'template0'}`)
  await root.close()
  const url = at(server, name)
  const db = openDb(url)
  made.push({ name, db })
  return { url, db }
}

export async function removePlaces() {
  for (const { db } of made) await db.close()
  const root = openDb(inject('postgres').url)
  for (const { name } of made.splice(0)) await root.query(`drop database ${name} with (force)`)
  await root.close()
}

/** Every row of every table, in any order, and where each sequence stands. */
export const contentOf = (db: Db): Promise<Record<string, unknown>> =>
  db.transaction(async (tx) => {
    // Moments are compared as texts, which differ by the zone of the connection.
    await tx.query(`set local time zone 'UTC'`)
    return readContent(tx)
  })

async function readContent(sql: Sql): Promise<Record<string, unknown>> {
  const tables = await sql.query<{ name: string }>(
    `select relname::text as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p'`,
  )
  const content: Record<string, unknown> = {}
  for (const { name } of tables)
    [content[name]] = await sql.query(
      `select count(*) as rows, md5(string_agg(md5(t::text), '' order by md5(t::text))) as digest from "${name}" t`,
    )
  content['sequences'] = await sql.query('select sequencename, last_value from pg_sequences order by 1')
  return content
}

/** Writes two rows at a time, into two tables, as fast as it can, until it is told to stop. */
export function pairWriter(db: Db) {
  let isStopped = false
  let count = 0
  const writing = (async () => {
    for (; !isStopped; count++)
      await db.transaction(async (tx) => {
        await tx.query('insert into login_attempt (account, address) values ($1, $1)', [`pair ${count}`])
        await tx.query('insert into setting (name, value) values ($1, $1)', [`pair ${count}`])
      })
  })()
  return {
    written: () => count,
    async stop() {
      isStopped = true
      await writing
      return count
    },
  }
}

/** How many first and second rows of `pairWriter` a database holds. */
export async function pairsOf(db: Db): Promise<{ a: number; b: number }> {
  const [found] = await db.query<{ a: number; b: number }>(
    `select (select count(*) from login_attempt) as a,
      (select count(*) from setting where name like 'pair %') as b`,
  )
  return found!
}

export const removePairs = async (db: Db) => {
  await db.query('truncate login_attempt restart identity')
  await db.query(`delete from setting where name like 'pair %'`)
}
