import { isDeepStrictEqual } from 'node:util'
import { escapeIdentifier } from 'pg'
import { bulkOperations, type BulkChange } from '../../schemas/api/bulk/bulk.ts'
import type { Entity } from '../../schemas/entities/entity.ts'
import { lookups, type LookupName } from '../../schemas/entities/lookups.ts'
import { reasonOf } from '../../schemas/permissions.ts'
import type { Sql, Tx } from '../db/db.ts'
import type { EntityRecords } from '../entities/records.ts'
import type { Caller } from '../http/call.ts'
import type { Operation, Outcome } from './operations.ts'
import { countOutcomes, fieldText } from './summary.ts'

/**
 * What a bulk change did to one record, so that it can be undone: {"field": [before, after]}, of a field that
 * is written for a month with what held in that before, or all columns of a deleted one.
 */
export type RecordChange = {
  id: number
  name: string
  version: number
  changed: Record<string, [before: unknown, after: unknown, held?: unknown]> | null
  removed: Record<string, unknown> | null
}

/** Stores a bulk change with what it did to each record, and answers its id. */
export async function insertBulkChange(
  tx: Tx,
  { userid, username }: Caller,
  { entity, operation, outcomes }: { entity: Entity; operation: Operation; outcomes: readonly Outcome[] },
): Promise<number> {
  const { changed, unchanged, refused } = countOutcomes(outcomes)
  const [stored] = await tx.query<{ id: number }>(
    `insert into bulk_change (entity, operation, sent, userid, username, changed, unchanged, refused)
      values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
    [
      entity.name,
      operation === 'delete' ? operation : 'set',
      operation === 'delete' ? {} : operation.values,
      userid,
      username,
      changed,
      unchanged,
      refused,
    ],
  )
  const changes = outcomes.flatMap((it): RecordChange[] => {
    const { id, version, name } = it
    if (it.is === 'deleted') return [{ id, name, version, changed: null, removed: it.stored }]
    if (it.is !== 'changed') return []
    const fields = Object.entries(it.body).map(([field, value]) =>
      // What is never answered is sent again as it was.
      entity.schema.properties[field]?.writeOnly
        ? [field, [value, value]]
        : [
            field,
            [
              it.before[field] ?? null,
              it.after[field] ?? null,
              ...(field in it.heldBefore ? [it.heldBefore[field]] : []),
            ],
          ],
    )
    return [{ id, name, version: it.after.version, changed: Object.fromEntries(fields), removed: null }]
  })
  await tx.query(
    `insert into bulk_record_change (changeid, rowid, name, version, changed, removed)
      select $1, c.id, c.name, c.version, c.changed, c.removed
      from jsonb_to_recordset($2::jsonb)
        as c(id int, name text, version int, changed jsonb, removed jsonb)`,
    [stored!.id, JSON.stringify(changes.map((it) => withoutNulls(it)))],
  )
  return stored!.id
}

/** A missing key becomes an SQL null; null itself would become the JSON null. */
const withoutNulls = (change: RecordChange) =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== null))

/** The changes of a bulk change's records; `condition` is on c, a row of `bulk_record_change`. */
export const readRecordChanges = (
  sql: Sql,
  id: number,
  { condition = 'true', limit }: { condition?: string; limit?: number } = {},
) =>
  sql.query<RecordChange>(
    `select c.rowid as id, c.name, c.version, c.changed, c.removed from bulk_record_change c
      where c.changeid = $1 and ${condition} order by c.rowid ${limit ? `limit ${limit}` : ''}`,
    [id],
  )

/** Why a record cannot be put back; null when it holds what the change stored. */
export async function conflictOf(
  sql: Sql,
  { entity, findOrNull }: EntityRecords,
  caller: Caller,
  change: RecordChange,
): Promise<'is gone' | 'was changed since' | null> {
  const row = await findOrNull(sql, caller, change.id)
  if (!row) return 'is gone'
  const differs = Object.entries(change.changed ?? {}).some(
    ([field, [, after]]) =>
      !entity.schema.properties[field]?.writeOnly && !isDeepStrictEqual(row[field] ?? null, after ?? null),
  )
  return differs ? 'was changed since' : null
}

export type StoredBulkChange = Omit<BulkChange, 'values' | 'undo'> & { sent: Record<string, unknown> }

const columns = `b.id, floor(extract(epoch from b.done_at))::bigint as at, b.username, b.operation, b.sent,
  b.changed, b.unchanged, b.refused, case when b.undone_at is null then 'done' else 'undone' end as state,
  b.undone_by as undoneby, floor(extract(epoch from b.undone_at))::bigint as undoneat`
/** A caller who does not see all master agents sees only their own changes (bulk 5). */
const visible = 'b.entity = $1 and ($2::int[] is null or b.userid = $3)'
const visibleTo = (entity: Entity, { scope, userid }: Caller) => [entity.name, scope, userid]

/** One page of the changes of an entity's records, newest first; pages count from 1. */
export async function listBulkChanges(
  sql: Sql,
  records: EntityRecords,
  caller: Caller,
  { page, size }: { page: number; size: number },
): Promise<{ data: BulkChange[]; total_length: number }> {
  const { entity } = records
  const values = visibleTo(entity, caller)
  const stored = await sql.query<StoredBulkChange>(
    `select ${columns} from bulk_change b where ${visible}
      order by b.id desc limit ${size} offset ${(page - 1) * size}`,
    values,
  )
  const [count] = await sql.query<{ n: number }>(
    `select count(*) as n from bulk_change b where ${visible}`,
    values,
  )
  const data: BulkChange[] = []
  for (const bulkChange of stored) data.push(await presentBulkChange(sql, records, caller, bulkChange))
  return { data, total_length: count!.n }
}

/** One change, locked until the transaction ends; null when there is none that the caller may see. */
export async function findBulkChange(
  tx: Tx,
  entity: Entity,
  caller: Caller,
  id: number,
): Promise<StoredBulkChange | null> {
  const [bulkChange] = await tx.query<StoredBulkChange>(
    `select ${columns} from bulk_change b where ${visible} and b.id = $4 for update`,
    [...visibleTo(entity, caller), id],
  )
  return bulkChange ?? null
}

export async function presentBulkChange(
  sql: Sql,
  records: EntityRecords,
  caller: Caller,
  { sent, ...bulkChange }: StoredBulkChange,
): Promise<BulkChange> {
  const { properties } = records.entity.schema
  const values = await Promise.all(
    Object.entries(sent).map(async ([field, value]) => {
      const property = properties[field]
      const label = await readLabel(sql, property?.to, value)
      const row = { id: 0, version: 0, ...(label !== null && { labels: { [field]: label } }) }
      return { title: property?.title ?? field, text: fieldText(property, row, field, value) }
    }),
  )
  const reason = await refusalOfUndo(sql, records, caller, bulkChange)
  return { ...bulkChange, values, undo: { allowed: reason === null, reason } }
}

async function readLabel(sql: Sql, to: string | undefined, id: unknown): Promise<string | null> {
  if (to === undefined || typeof id !== 'number') return null
  const { table, fields } = lookups[to as LookupName]
  const [found] = await sql.query<{ label: string }>(
    `select concat_ws(' - ', ${fields.map(escapeIdentifier).join(', ')}) as label
      from ${escapeIdentifier(table)} where id = $1`,
    [id],
  )
  return found?.label ?? null
}

/** How many changed records are checked before an undo is offered; the undo itself checks all. */
const mostChecked = 20

/** Why a change cannot be undone, by its first `mostChecked` changed records; null when it may be. */
async function refusalOfUndo(
  sql: Sql,
  records: EntityRecords,
  caller: Caller,
  bulkChange: Pick<BulkChange, 'id' | 'state' | 'operation'>,
): Promise<string | null> {
  const { entity } = records
  if (bulkChange.state === 'undone') return 'it was undone'
  const operations = bulkOperations(entity, caller)
  if (bulkChange.operation === 'delete')
    return operations?.remove ? null : reasonOf(entity.access.delete, caller)
  if (!operations || operations.fields.length === 0) return reasonOf(entity.access.update, caller)
  const table = escapeIdentifier(entity.table)
  const suspects = await readRecordChanges(sql, bulkChange.id, {
    condition: `not exists (select from ${table} t where t.id = c.rowid and t.version = c.version)`,
    limit: mostChecked,
  })
  for (const change of suspects) {
    const conflict = await conflictOf(sql, records, caller, change)
    if (conflict) return `${change.name} ${conflict}`
  }
  return null
}
