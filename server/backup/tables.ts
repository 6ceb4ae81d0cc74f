import { escapeIdentifier } from 'pg'
import type { Sql } from '../db/db.ts'

/** A table as a backup holds it: its columns but for those that PostgreSQL works out itself. */
export type StoredTable = { name: string; columns: string[] }

export const columnList = ({ columns }: StoredTable) => columns.map(escapeIdentifier).join(', ')

/** Relations of the portal; those of extensions belong to the server. */
const ownRelations = `
  from pg_class c where c.relnamespace = current_schema()::regnamespace
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')`

/** The tables whose rows a backup holds. Unlogged ones are left out: a crash empties them too. */
export const listTables = (sql: Sql) =>
  sql.query<StoredTable>(
    `select c.relname::text as name, (
        select array_agg(a.attname::text order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
      ${ownRelations} and c.relkind = 'r' and c.relpersistence = 'p' order by c.relname`,
  )

export const listSequences = async (sql: Sql): Promise<string[]> =>
  (
    await sql.query<{ name: string }>(
      `select c.relname::text as name ${ownRelations} and c.relkind = 'S' order by c.relname`,
    )
  ).map(({ name }) => name)

/** Whether the database holds any table of the portal, or of anybody. */
export async function isEmptyDatabase(sql: Sql): Promise<boolean> {
  const found = await sql.query(
    `select ${ownRelations} and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f') limit 1`,
  )
  return found.length === 0
}

/** Statements that remove every view, table, sequence and function of the portal. */
const dropAll = `
  select 'drop view ' || c.oid::regclass || ' cascade' as statement, 1 as step
    ${ownRelations} and c.relkind = 'v'
  union all
  select 'drop table ' || c.oid::regclass || ' cascade', 2 ${ownRelations} and c.relkind in ('r', 'p')
  union all
  select 'drop sequence ' || c.oid::regclass, 3 ${ownRelations} and c.relkind = 'S'
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i'))
  union all
  select 'drop function ' || p.oid::regprocedure || ' cascade', 4
    from pg_proc p where p.pronamespace = current_schema()::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  order by step`

export async function dropEverything(sql: Sql): Promise<void> {
  for (const { statement } of await sql.query<{ statement: string }>(dropAll)) await sql.query(statement)
}

/**
 * Empties all tables, drops their foreign keys and disables their triggers, so that rows can be stored in any
 * order. The function it answers ends the loading: it brings both back, and PostgreSQL then checks every
 * reference.
 */
export async function beginLoading(sql: Sql, tables: readonly StoredTable[]): Promise<() => Promise<void>> {
  const references = await sql.query<{ table: string; name: string; definition: string }>(
    `select r.conrelid::regclass::text as table, r.conname::text as name,
        pg_get_constraintdef(r.oid) as definition
      from pg_constraint r join pg_class c on c.oid = r.conrelid
      where r.contype = 'f' and c.relnamespace = current_schema()::regnamespace order by r.oid`,
  )
  const names = tables.map(({ name }) => escapeIdentifier(name))
  for (const { table, name } of references)
    await sql.query(`alter table ${table} drop constraint ${escapeIdentifier(name)}`)
  for (const name of names) await sql.query(`alter table ${name} disable trigger user`)
  await sql.query(`truncate ${names.join(', ')}`)
  return async () => {
    for (const { table, name, definition } of references)
      await sql.query(`alter table ${table} add constraint ${escapeIdentifier(name)} ${definition}`)
    for (const name of names) await sql.query(`alter table ${name} enable trigger user`)
  }
}
