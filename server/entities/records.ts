import { escapeIdentifier } from 'pg'
import { nounOfOne, type Entity, type Row } from '../../schemas/entities/entity.ts'
import { joinWithAnd } from '../../schemas/wording.ts'
import type { Sql } from '../db/db.ts'
import { decrypt, decryptMasked, encrypt } from '../db/encryption.ts'
import type { Caller } from '../http/call.ts'
import { notFound } from '../http/errors.ts'
import { entityHooks } from './entityHooks.ts'
import type { EntitySettings } from './hooks/hook.ts'
import { entityScopeCondition, fromClause, selectList, statementFor } from './sql.ts'

/** Secret fields in full, or only their last four characters (permissions 10). */
type SecretsAs = 'full' | 'masked'
/** `lock` is a locking clause. */
type FindOptions = { secretsAs?: SecretsAs; lock?: string }
export type EntityRecords = ReturnType<typeof entityRecords>

const forChange = 'for no key update'

const encryptionContext = ({ table }: Entity, field: string, id: number) => `${table}.${field}.${id}`

/** Returns what shows a stored row as the caller is answered it, its secret fields decrypted. */
const presenterOf =
  (entity: Entity, secretFields: readonly string[], secret: Buffer, settings: EntitySettings) =>
  (row: Row, caller: Caller, secretsAs: SecretsAs = 'masked'): Row => {
    const read = secretsAs === 'full' ? decrypt : decryptMasked
    const secrets = secretFields.map((field) => [
      field,
      read(secret, row[field] as Buffer | null, encryptionContext(entity, field, row.id)),
    ])
    const record = { ...row, ...Object.fromEntries(secrets) }
    return entityHooks[entity.name]?.present?.(record, caller, settings) ?? record
  }

/** Reads the records of one entity as a caller may see them. `secret` is the key of the secret fields. */
export const entityRecords = (entity: Entity, secret: Buffer, settings: EntitySettings) => {
  const { properties } = entity.schema
  const secretFields = Object.keys(properties).filter((field) => properties[field]!.secret)
  const present = presenterOf(entity, secretFields, secret, settings)
  const readOne = `select ${selectList(entity)} from ${fromClause(entity)}
    where ${entityScopeCondition(entity)} and t.id = $2`

  /** One record; null when there is none or it is outside the caller's scope. */
  const findOrNull = async (
    sql: Sql,
    caller: Caller,
    id: number,
    { secretsAs, lock = '' }: FindOptions = {},
  ): Promise<Row | null> => {
    const statement = statementFor(caller.scope, `${readOne} ${lock}`)
    const [row] = await sql.prepared<Row>(statement, [caller.scope, id])
    return row ? present(row, caller, secretsAs) : null
  }

  /** Like `findOrNull`, but throws an HttpError (404) for null. */
  const find = async (...args: Parameters<typeof findOrNull>): Promise<Row> => {
    const row = await findOrNull(...args)
    if (!row) throw notFound(nounOfOne(entity))
    return row
  }

  return {
    entity,
    secret,
    secretFields,
    present,
    findOrNull,
    find,

    /** A field's value as its column stores it: secrets are encrypted. */
    storedValue: (field: string, value: unknown, id: number) =>
      secretFields.includes(field)
        ? encrypt(secret, String(value), encryptionContext(entity, field, id))
        : value,

    canReveal: (caller: Caller, row: Row) =>
      secretFields.length > 0 && (entity.access.reveal?.(caller, row) ?? false),

    /** Locks a record until the transaction ends; others can still store references to it. */
    lock: (sql: Sql, id: number) =>
      sql.prepared(`select 1 from ${escapeIdentifier(entity.table)} where id = $1 ${forChange}`, [id]),

    /**
     * `lock` and `find` in one statement, for callers that refuse a version they did not expect: where
     * another transaction changed the record while this one waited, the answer has the columns that one
     * stored, but what other tables hold as it was before.
     */
    findLocked: (sql: Sql, caller: Caller, id: number) =>
      find(sql, caller, id, { lock: `${forChange} of t` }),
  }
}

/** The columns of other tables that refer to a table without `on delete cascade`. */
const referencesQuery = `
  select c.conrelid::regclass::text as table, array_agg(a.attname::text) as columns
  from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
  where c.contype = 'f' and c.confdeltype = 'a' and c.confrelid = $1::regclass group by 1 order by 1`

/** '12 merchants, 1 user and 1 master agent': what refers to this record; null for nothing. */
export async function describeReferences(sql: Sql, table: string, id: number): Promise<string | null> {
  const descriptions: string[] = []
  const references = await sql.query<{ table: string; columns: string[] }>(referencesQuery, [
    escapeIdentifier(table),
  ])
  for (const reference of references) {
    const condition = reference.columns.map((column) => `${escapeIdentifier(column)} = $1`).join(' or ')
    const [count] = await sql.query<{ n: number }>(
      `select count(*) as n from ${reference.table} where ${condition}`,
      [id],
    )
    if (count!.n === 0) continue
    const noun = reference.table
      .replace(/^portal_/, '')
      .replaceAll('_', ' ')
      .replaceAll('"', '')
    descriptions.push(`${count!.n} ${noun}${count!.n === 1 || noun === 'equipment' ? '' : 's'}`)
  }
  return descriptions.length === 0 ? null : joinWithAnd(descriptions)
}
