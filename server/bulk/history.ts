import { isDeepStrictEqual } from 'node:util'
import { escapeIdentifier } from 'pg'
import { bulkOperations, type BulkAction } from '../../schemas/api/bulk/bulk.ts'
import type { Entity } from '../../schemas/entities/entity.ts'
import { lookups, type LookupName } from '../../schemas/entities/lookups.ts'
import { reasonOf } from '../../schemas/permissions.ts'
import type { Sql, Tx } from '../db/db.ts'
import type { EntityRecords } from '../entities/records.ts'
import type { Caller } from '../http/call.ts'
import type { Operation, Outcome } from './operations.ts'
import { countOutcomes, fieldText } from './summary.ts'

/** What undoes the change of one record: {"field": [before, after]}, or all columns of a deleted one. */
export type StoredChange = {
  id: number
  name: string
  version: number
  changed: Record<string, [before: unknown, after: unknown]> | null
  removed: Record<string, unknown> | null
}

/** Stores what a bulk change did, and answers its number. */
export async function recordAction(
  tx: Tx,
  entity: Entity,
  { userid, username }: Caller,
  operation: Operation,
  outcomes: readonly Outcome[],
): Promise<number> {
  const { changed, unchanged, refused } = countOutcomes(outcomes)
  const [action] = await tx.query<{ id: number }>(
    `insert into bulk_action (entity, operation, sent, userid, username, changed, unchanged, refused)
      values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
    [
      entity.name,
      operation === 'remove' ? 'delete' : 'set',
      operation === 'remove' ? {} : operation.values,
      userid,
      username,
      changed,
      unchanged,
      refused,
    ],
  )
  const changes = outcomes.flatMap((it): StoredChange[] => {
    const { id, version, name } = it
    if (it.is === 'removed') return [{ id, name, version, changed: null, removed: it.stored }]
    if (it.is !== 'changed') return []
    const fields = Object.entries(it.body).map(([field, value]) =>
      // What is never answered is sent again as it was.
      entity.schema.properties[field]?.writeOnly
        ? [field, [value, value]]
        : [field, [it.before[field] ?? null, it.after[field] ?? null]],
    )
    return [{ id, name, version: it.after.version, changed: Object.fromEntries(fields), removed: null }]
  })
  await tx.query(
    `insert into bulk_change (actionid, rowid, name, version, changed, removed)
      select $1, c.id, c.name, c.version, c.changed, c.removed
      from jsonb_to_recordset($2::jsonb)
        as c(id int, name text, version int, changed jsonb, removed jsonb)`,
    [action!.id, JSON.stringify(changes.map((it) => withoutNulls(it)))],
  )
  return action!.id
}

/** A key that is missing becomes an SQL null; null itself would be the JSON one. */
const withoutNulls = (change: StoredChange) =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== null))

export const readChanges = (sql: Sql, action: number, condition = 'true', limit?: number) =>
  sql.query<StoredChange>(
    `select c.rowid as id, c.name, c.version, c.changed, c.removed from bulk_change c
      where c.actionid = $1 and ${condition} order by c.rowid ${limit ? `limit ${limit}` : ''}`,
    [action],
  )

/** Why a record cannot be put back; null when it holds what the change stored. */
export async function conflictOf(
  sql: Sql,
  { entity, findOrNull }: EntityRecords,
  caller: Caller,
  change: StoredChange,
): Promise<'is gone' | 'was changed since' | null> {
  const row = await findOrNull(sql, caller, change.id)
  if (!row) return 'is gone'
  const differs = Object.entries(change.changed ?? {}).some(
    ([field, [, after]]) =>
      !entity.schema.properties[field]?.writeOnly && !isDeepStrictEqual(row[field] ?? null, after ?? null),
  )
  return differs ? 'was changed since' : null
}

export type StoredAction = Omit<BulkAction, 'values' | 'undo'> & { sent: Record<string, unknown> }

const columns = `a.id, floor(extract(epoch from a.done_at))::bigint as at, a.username, a.operation, a.sent,
  a.changed, a.unchanged, a.refused, case when a.undone_at is null then 'done' else 'undone' end as state,
  a.undone_by as undoneby, floor(extract(epoch from a.undone_at))::bigint as undoneat`
/** Who does not see all master agents sees their own changes alone (bulk 5). */
const visible = 'a.entity = $1 and ($2::int[] is null or a.userid = $3)'
const visibleTo = (entity: Entity, { scope, userid }: Caller) => [entity.name, scope, userid]

/** One page of the changes of an entity's records, newest first; pages count from 1. */
export async function listActions(
  sql: Sql,
  records: EntityRecords,
  caller: Caller,
  { page, size }: { page: number; size: number },
): Promise<{ data: BulkAction[]; total_length: number }> {
  const { entity } = records
  const values = visibleTo(entity, caller)
  const stored = await sql.query<StoredAction>(
    `select ${columns} from bulk_action a where ${visible}
      order by a.id desc limit ${size} offset ${(page - 1) * size}`,
    values,
  )
  const [count] = await sql.query<{ n: number }>(
    `select count(*) as n from bulk_action a where ${visible}`,
    values,
  )
  const data: BulkAction[] = []
  for (const action of stored) data.push(await presentAction(sql, records, caller, action))
  return { data, total_length: count!.n }
}

/** One change, locked until the transaction ends; null when there is none that the caller may see. */
export async function findAction(
  tx: Tx,
  entity: Entity,
  caller: Caller,
  id: number,
): Promise<StoredAction | null> {
  const [action] = await tx.query<StoredAction>(
    `select ${columns} from bulk_action a where ${visible} and a.id = $4 for update`,
    [...visibleTo(entity, caller), id],
  )
  return action ?? null
}

export async function presentAction(
  sql: Sql,
  records: EntityRecords,
  caller: Caller,
  { sent, ...action }: StoredAction,
): Promise<BulkAction> {
  const { properties } = records.entity.schema
  const values = await Promise.all(
    Object.entries(sent).map(async ([field, value]) => {
      const property = properties[field]
      const label = await readLabel(sql, property?.to, value)
      const row = { id: 0, version: 0, ...(label !== null && { labels: { [field]: label } }) }
      return { title: property?.title ?? field, text: fieldText(property, row, field, value) }
    }),
  )
  const reason = await refusalOfUndo(sql, records, caller, action)
  return { ...action, values, undo: { allowed: reason === null, reason } }
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
  action: Pick<BulkAction, 'id' | 'state' | 'operation'>,
): Promise<string | null> {
  const { entity } = records
  if (action.state === 'undone') return 'it was undone'
  const operations = bulkOperations(entity, caller)
  if (action.operation === 'delete') return operations?.remove ? null : reasonOf(entity.access.delete, caller)
  if (!operations || operations.fields.length === 0) return reasonOf(entity.access.update, caller)
  const table = escapeIdentifier(entity.table)
  const suspects = await readChanges(
    sql,
    action.id,
    `not exists (select from ${table} t where t.id = c.rowid and t.version = c.version)`,
    mostChecked,
  )
  for (const change of suspects) {
    const conflict = await conflictOf(sql, records, caller, change)
    if (conflict) return `${change.name} ${conflict}`
  }
  return null
}
