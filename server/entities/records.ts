import type { Entity, Row } from '../../schemas/entities/entity.ts'
import type { Sql } from '../db/db.ts'
import { maskSecret, decrypt } from '../db/encryption.ts'
import type { Caller } from '../http/call.ts'
import { notFound } from '../http/errors.ts'
import { quoteIdentifier, entityScopeCondition, selectList, fromClause } from './sql.ts'

const secretsOf = (it: Entity) =>
  Object.keys(it.schema.properties).filter((field) => it.schema.properties[field]!.secret)
const encryptionContext = (it: Entity, field: string, id: number) => `${it.table}.${field}.${id}`

/** Records of one entity as a caller may see them. */
export const entityRecords = (it: Entity, secret: Buffer) => {
  const secrets = secretsOf(it)

  /** Secret fields come as stored; `whole` opens them, else their last four characters are shown. */
  const withReadableSecrets = (row: Row, whole: boolean): Row => {
    if (secrets.length === 0) return row
    const opened = secrets.map((field) => {
      const text = decrypt(secret, row[field] as Buffer | null, encryptionContext(it, field, row.id))
      return [field, whole ? text : maskSecret(text)]
    })
    return { ...row, ...Object.fromEntries(opened) }
  }

  const findOrNull = async (sql: Sql, caller: Caller, id: number, whole = false): Promise<Row | null> => {
    const [row] = await sql.query<Row>(
      `select ${selectList(it)} from ${fromClause(it)} where ${entityScopeCondition(it)} and t.id = $2`,
      [caller.scope, id],
    )
    return row ? withReadableSecrets(row, whole) : null
  }

  return {
    secrets,
    shown: withReadableSecrets,
    contextOf: (field: string, id: number) => encryptionContext(it, field, id),
    mayReveal: (caller: Caller, row: Row) => secrets.length > 0 && (it.access.reveal?.(caller, row) ?? false),

    look: findOrNull,

    /** One record in the caller's scope, or a 404 that is the same for one that does not exist. */
    async find(sql: Sql, caller: Caller, id: number, whole = false): Promise<Row> {
      const row = await findOrNull(sql, caller, id, whole)
      if (!row) throw notFound(it.noun)
      return row
    },

    /** Until the transaction ends; a record that refers to this one can still be stored meanwhile. */
    lock: (sql: Sql, id: number) =>
      sql.query(`select 1 from ${quoteIdentifier(it.table)} where id = $1 for no key update`, [id]),
  }
}

/** The tables whose foreign keys point to a table without deleting along with it, as the database itself knows them. */
const referencesQuery = `
  select c.conrelid::regclass::text as table, array_agg(a.attname::text) as columns
  from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
  where c.contype = 'f' and c.confdeltype = 'a' and c.confrelid = $1::regclass group by 1 order by 1`

/** '12 merchants, 1 user and 1 master agent', or null when nothing points to this record. */
export async function describeReferences(sql: Sql, table: string, id: number): Promise<string | null> {
  const counts: string[] = []
  for (const pointer of await sql.query<{ table: string; columns: string[] }>(referencesQuery, [
    quoteIdentifier(table),
  ])) {
    const points = pointer.columns.map((column) => `${quoteIdentifier(column)} = $1`).join(' or ')
    const [count] = await sql.query<{ n: number }>(
      `select count(*) as n from ${pointer.table} where ${points}`,
      [id],
    )
    if (count!.n === 0) continue
    const noun = pointer.table
      .replace(/^portal_/, '')
      .replaceAll('_', ' ')
      .replaceAll('"', '')
    counts.push(`${count!.n} ${noun}${count!.n === 1 || noun === 'equipment' ? '' : 's'}`)
  }
  const last = counts.pop()
  return last === undefined ? null : [counts.join(', '), last].filter(Boolean).join(' and ')
}
