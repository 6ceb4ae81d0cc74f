import { createHash } from 'node:crypto'
import type { FastifyError } from 'fastify'
import { escapeIdentifier } from 'pg'
import { bulkOperations, type BulkRequest, type SeenRecord } from '../../schemas/api/bulk/bulk.ts'
import { maxBulkRecords } from '../../schemas/constants.ts'
import { recordsTitle, type Entity, type Row } from '../../schemas/entities/entity.ts'
import { reasonOf } from '../../schemas/permissions.ts'
import type { Sql } from '../db/db.ts'
import { listCondition } from '../entities/condition.ts'
import type { EntityRecords } from '../entities/records.ts'
import { deleteRecordIn, updateRecordIn, type Writing } from '../entities/write.ts'
import { namingFields } from '../find/found.ts'
import { toHttpError } from '../http/answerError.ts'
import type { Caller } from '../http/call.ts'
import { HttpError } from '../http/errors.ts'

/** What is done to each record: these values are set, or it is deleted. */
export type Operation = { values: Record<string, unknown> } | 'delete'

/** The result for one record. `before` and `after` are the record as the caller sees it. */
export type Outcome = SeenRecord & { name: string } & (
    | {
        is: 'changed'
        before: Row
        after: Row
        body: Record<string, unknown>
        heldBefore: Record<string, unknown>
      }
    | { is: 'deleted'; stored: Record<string, unknown> }
    | { is: 'unchanged' }
    | { is: 'refused'; reason: string }
  )

/**
 * What a call asks to be done. Throws an HttpError: 422 unless it names one operation and one selection, 403
 * where the caller may do it to no record at all.
 */
export function operationOf(
  entity: Entity,
  caller: Caller,
  { records, found, values, remove }: BulkRequest,
): Operation {
  if ((records === undefined) === (found === undefined))
    throw new HttpError(422, 'Name the records, or the search and the filter that find them')
  const isSet = values !== undefined && Object.keys(values).length > 0
  if (isSet === (remove === true)) throw new HttpError(422, 'Name a field to set, or remove')
  const operations = bulkOperations(entity, caller)
  if (remove) {
    if (!entity.bulk?.delete)
      throw new HttpError(422, `Many of ${recordsTitle(entity)} cannot be deleted at once`)
    if (!operations?.remove) throw new HttpError(403, reasonOf(entity.access.delete, caller))
    return 'delete'
  }
  if (!operations || operations.fields.length === 0)
    throw new HttpError(403, reasonOf(entity.access.update, caller))
  return { values: values! }
}

const tooMany = (count: number, limit: number) =>
  new HttpError(
    422,
    `At most ${limit.toLocaleString('en-US')} records can be changed at once, and ` +
      `${count.toLocaleString('en-US')} are selected: filter the list, or select fewer`,
  )

/**
 * The records of a call with the versions that were read, by id: those that it names, or those that a list
 * finds now. Throws an HttpError (422) for more than `limit`, or one that is named twice.
 */
export async function readTargets(
  sql: Sql,
  entity: Entity,
  caller: Caller,
  { records, found, limit }: Pick<BulkRequest, 'records' | 'found'> & { limit: number },
): Promise<SeenRecord[]> {
  if (records) {
    if (records.length > limit) throw tooMany(records.length, limit)
    if (new Set(records.map(({ id }) => id)).size < records.length)
      throw new HttpError(422, 'A record is named twice')
    return records.toSorted((a, b) => a.id - b.id)
  }
  const { search = '', filter = '' } = found ?? {}
  const { where, values } = await listCondition(sql, entity, caller, { search, filter })
  const [counted] = await sql.query<{ n: number }>(
    `select count(*) as n from ${escapeIdentifier(entity.table)} t where ${where}`,
    values,
  )
  if (counted!.n > limit) throw tooMany(counted!.n, limit)
  return sql.query<SeenRecord>(
    `select t.id, t.version from ${escapeIdentifier(entity.table)} t where ${where}
      order by t.id limit ${maxBulkRecords}`,
    values,
  )
}

/**
 * Locks the records in the order of their ids, so that two bulk changes never wait for each other in a
 * circle.
 */
export const lockAll = (sql: Sql, entity: Entity, ids: readonly number[]) =>
  sql.query(
    `select from ${escapeIdentifier(entity.table)} where id = any ($1::int[]) order by id for no key update`,
    [ids],
  )

/** A record as a person calls it: '4001 - Harbor Bakery'. */
const recordName = (entity: Entity, row: Record<string, unknown>): string =>
  namingFields(entity)
    .map((field) => String(row[field] ?? ''))
    .filter((text) => text !== '')
    .join(' - ') || `#${String(row.id)}`

/** The names of records that the caller sees, by id. */
async function readNamesOf(
  sql: Sql,
  entity: Entity,
  targets: readonly SeenRecord[],
): Promise<Map<number, string>> {
  const columns = ['id', ...namingFields(entity)].map((field) => `t.${escapeIdentifier(field)}`)
  const rows = await sql.query<{ id: number }>(
    `select ${columns.join(', ')} from ${escapeIdentifier(entity.table)} t where t.id = any ($1::int[])`,
    [targets.map(({ id }) => id)],
  )
  return new Map(rows.map((row) => [row.id, recordName(entity, row)]))
}

/** Returns the HttpError that refuses one record; rethrows other errors, such as a lost connection. */
function refusalOf(error: unknown): HttpError {
  const refusal = toHttpError(error as FastifyError, {})
  if (refusal === null || refusal.status >= 500) throw error
  return refusal
}

/** The number of records between two checks whether the caller has disconnected. */
const recordsPerCheck = 20

type BulkWork = { operation: Operation; targets: readonly SeenRecord[]; signal?: AbortSignal | undefined }

/**
 * Does the operation to each record in turn, by the same rules as one by itself (bulk 2). A refused record is
 * left as it was, the others are changed. Aborts between two records when `signal` does.
 */
export async function doBulkChange(
  writing: Writing,
  records: EntityRecords,
  { operation, targets, signal }: BulkWork,
): Promise<Outcome[]> {
  const { tx } = writing
  const { entity } = records
  await lockAll(
    tx,
    entity,
    targets.map(({ id }) => id),
  )
  const names = await readNamesOf(tx, entity, targets)
  const outcomes: Outcome[] = []
  await tx.query('savepoint record')
  for (const [at, target] of targets.entries()) {
    if (at % recordsPerCheck === 0) signal?.throwIfAborted()
    const about = { ...target, name: names.get(target.id) ?? `#${target.id}` }
    try {
      outcomes.push({ ...about, ...(await doOne(writing, records, operation, target)) })
      await tx.query('release savepoint record; savepoint record')
    } catch (error) {
      const { status, message } = refusalOf(error)
      await tx.query('rollback to savepoint record')
      // A record that this caller does not see is not named.
      const name = status === 404 ? `#${target.id}` : about.name
      outcomes.push({ ...about, name, is: 'refused', reason: message })
    }
  }
  return outcomes
}

type Done = Outcome extends infer O ? (O extends Outcome ? Omit<O, keyof SeenRecord | 'name'> : never) : never

async function doOne(
  writing: Writing,
  records: EntityRecords,
  operation: Operation,
  { id, version }: SeenRecord,
): Promise<Done> {
  if (operation === 'delete') {
    const stored = await readStored(writing.tx, records.entity, id)
    await deleteRecordIn(writing, records, { id, version })
    return { is: 'deleted', stored }
  }
  const { row, ...done } = await updateRecordIn(writing, records, { id, version, sent: operation.values })
  return Object.keys(done.body).length === 0 ? { is: 'unchanged' } : { is: 'changed', before: row, ...done }
}

/** All columns of a record as they are stored. */
async function readStored(sql: Sql, { table }: Entity, id: number): Promise<Record<string, unknown>> {
  const [found] = await sql.query<{ stored: Record<string, unknown> }>(
    `select to_jsonb(t) as stored from ${escapeIdentifier(table)} t where id = $1`,
    [id],
  )
  return found?.stored ?? {}
}

/** A hash of which records would change from which versions, which stay, and which are refused. */
export function outcomesDigest(entity: Entity, operation: Operation, outcomes: readonly Outcome[]): string {
  const parts = outcomes.map(({ id, version, is }) => [id, is, ...(is === 'refused' ? [] : [version])])
  return createHash('sha256')
    .update(JSON.stringify([entity.name, operation, parts]))
    .digest('hex')
}
