import type { FastifyError } from 'fastify'
import { escapeIdentifier } from 'pg'
import { bulkOperations, type BulkChange } from '../../schemas/api/bulk/bulk.ts'
import { recordsTitle, type Entity, type Row } from '../../schemas/entities/entity.ts'
import { reasonOf } from '../../schemas/permissions.ts'
import { joinWithAnd } from '../../schemas/wording.ts'
import { audit } from '../db/audit.ts'
import { storedValue, storedColumns } from '../db/storedColumns.ts'
import { entityHooks } from '../entities/entityHooks.ts'
import type { EntityRecords } from '../entities/records.ts'
import { updateRecordIn, type Writing } from '../entities/write.ts'
import { toHttpError } from '../http/answerError.ts'
import { HttpError, notFound } from '../http/errors.ts'
import {
  conflictOf,
  findBulkChange,
  presentBulkChange,
  readRecordChanges,
  type StoredBulkChange,
  type RecordChange,
} from './history.ts'
import { lockAll } from './operations.ts'

/** The number of records that a refusal names; the others are only counted. */
const named = 5

const undoRefused = (reason: string) => new HttpError(409, `This change cannot be undone: ${reason}`)

/** 'A, B and 3 more records were changed since' */
function describeConflicts(names: readonly string[], what: string): string {
  const more = names.length - named
  const texts = [
    ...names.slice(0, named),
    ...(more > 0 ? [`${more.toLocaleString('en-US')} more ${more === 1 ? 'record' : 'records'}`] : []),
  ]
  const verb = names.length > 1 ? what.replace(/^is /, 'are ').replace(/^was /, 'were ') : what
  return `${joinWithAnd(texts)} ${verb}`
}

/**
 * Undoes a bulk change in its transaction, whole or not at all (bulk 6). Throws HttpError: 404 when the
 * caller has no such change, 403 when they may not change such records, 409 with the reason when later
 * changes or a rule forbid it.
 */
export async function undoBulkChange(
  writing: Writing,
  records: EntityRecords,
  id: number,
): Promise<BulkChange> {
  const { tx, caller, address } = writing
  const { entity } = records
  const bulkChange = await findBulkChange(tx, entity, caller, id)
  if (!bulkChange) throw notFound('change')
  if (bulkChange.state === 'undone') throw undoRefused(`${bulkChange.undoneby} has undone it already`)
  checkRight(entity, writing, bulkChange)
  const changes = await readRecordChanges(tx, id)
  if (bulkChange.operation === 'delete') await restoreAll(writing, records, changes)
  else await setBack(writing, records, changes)
  await tx.query('update bulk_change set undone_at = now(), undone_by = $2 where id = $1', [
    id,
    caller.username,
  ])
  const after = { records: recordsTitle(entity), changed: bulkChange.changed }
  await audit(tx, {
    username: caller.username,
    address,
    action: 'undobulk',
    entity: 'bulk',
    entityid: id,
    after,
  })
  return presentBulkChange(tx, records, caller, (await findBulkChange(tx, entity, caller, id))!)
}

function checkRight(entity: Entity, { caller }: Writing, { operation }: StoredBulkChange) {
  const operations = bulkOperations(entity, caller)
  const may = operation === 'delete' ? operations?.remove : (operations?.fields.length ?? 0) > 0
  const rule = operation === 'delete' ? entity.access.delete : entity.access.update
  if (!may) throw new HttpError(403, reasonOf(rule, caller))
}

/** Restores the former values, by the rules of a change of one record. */
async function setBack(writing: Writing, records: EntityRecords, changes: readonly RecordChange[]) {
  const { tx, caller } = writing
  await lockAll(
    tx,
    records.entity,
    changes.map(({ id }) => id),
  )
  const conflicts = new Map<string, string[]>()
  for (const change of changes) {
    const conflict = await conflictOf(tx, records, caller, change)
    if (conflict) conflicts.set(conflict, [...(conflicts.get(conflict) ?? []), change.name])
  }
  if (conflicts.size > 0)
    throw undoRefused([...conflicts].map(([what, names]) => describeConflicts(names, what)).join('; '))
  for (const { id, name, changed } of changes) {
    const { version } = await records.find(tx, caller, id)
    const fields = Object.entries(changed ?? {})
    const sent = Object.fromEntries(fields.map(([field, [before]]) => [field, before]))
    const heldAgain = Object.fromEntries(
      fields.flatMap(([field, values]) => (values.length > 2 ? [[field, values[2]]] : [])),
    )
    await updateRecordIn(writing, records, { id, version, sent, heldAgain }).catch((error: unknown) => {
      throw refused(error, name)
    })
  }
}

/** Puts deleted records back with their ids; versions go on, so that open forms become stale. */
async function restoreAll(writing: Writing, records: EntityRecords, changes: readonly RecordChange[]) {
  const { tx, caller, address } = writing
  const { entity } = records
  const table = escapeIdentifier(entity.table)
  const columns = await storedColumns(tx, entity.table)
  const names = columns.map(({ name }) => name)
  const values = columns.map((column) =>
    column.key === 'version' ? 'was.version + 1' : storedValue(column, '$1::jsonb'),
  )
  for (const { id, name, removed } of changes) {
    await tx
      .query(
        `insert into ${table} (${names.join(', ')}) overriding system value
          select ${values.join(', ')} from jsonb_populate_record(null::${table}, $1::jsonb) was`,
        [removed],
      )
      .catch((error: unknown) => {
        throw restoreRefused(error, name)
      })
    const row = await records.findOrNull(tx, caller, id)
    if (!row) throw undoRefused(`${name} is outside of your branch`)
    // Who may no longer delete it alone does not bring it back: another branch may have a part in it.
    const { delete: removes } = entity.access
    if (!removes(caller, row)) throw undoRefused(`${name}: ${reasonOf(removes, caller, row)}`)
    await entityHooks[entity.name]?.afterRestore?.({ tx, caller, address, row })?.catch((error: unknown) => {
      throw refused(error, name)
    })
    await auditRestored(writing, entity, row)
  }
}

const auditRestored = ({ tx, caller: { username }, address }: Writing, { name }: Entity, row: Row) =>
  audit(tx, { username, address, action: 'create', entity: name, entityid: row.id, after: row })

function restoreRefused(error: unknown, name: string): unknown {
  const { code } = error as { code?: string }
  if (code === '23505') return undoRefused(`another record has taken the place of ${name}`)
  if (code === '23503') return undoRefused(`what ${name} refers to is gone`)
  if (code === '23502') return undoRefused(`the portal now keeps more of ${name} than it did then`)
  return error
}

/** The refusal of one record becomes that of the whole undo. */
function refused(error: unknown, name: string): unknown {
  const known = toHttpError(error as FastifyError, {})
  return known === null || known.status >= 500 ? error : undoRefused(`${name}: ${known.message}`)
}
