import { isDeepStrictEqual } from 'node:util'
import { answeredBeside } from '../../schemas/api/replies.ts'
import { readOnlyFields, referencesOf, type Entity, type Row } from '../../schemas/entities/entity.ts'
import { lookups, type LookupName } from '../../schemas/entities/lookups.ts'
import { reasonOf } from '../../schemas/permissions.ts'
import type { Sql } from '../db/db.ts'
import type { Caller } from '../http/call.ts'
import { HttpError } from '../http/errors.ts'
import { quoteIdentifier, scopeCondition, statementFor } from './sql.ts'

export type Changes = Record<string, unknown>

const isSame = (a: unknown, b: unknown) => isDeepStrictEqual(a ?? null, b ?? null)

/** The fields of a body that differ from the record, without id and version. */
export const changesOf = (body: Changes, row?: Row): Changes =>
  Object.fromEntries(
    Object.entries(body).filter(
      ([field, value]) => !['id', 'version'].includes(field) && !(row && isSame(value, row[field])),
    ),
  )

/**
 * Throws an HttpError (403) naming the fields that the caller may not change, and why where the whole record
 * is closed to them (permissions 7).
 */
export function checkFields(entity: Entity, caller: Caller, changes: Changes, row?: Row) {
  const closed = [...readOnlyFields(entity, caller, row), ...Object.keys(answeredBeside)]
  const refused = closed.filter((field) => field in changes)
  if (refused.length === 0) return
  const titles = refused.map((field) => entity.schema.properties[field]?.title ?? field)
  const message = (title: string) => `You may not change ${title}`
  const { update } = entity.access
  const isClosed = row !== undefined && !update(caller, row)
  throw new HttpError(403, isClosed ? reasonOf(update, caller, row) : message(titles.join(', ')), {
    fields: Object.fromEntries(refused.map((field, index) => [field, message(titles[index]!)])),
  })
}

/**
 * Throws an HttpError (422) with what the entity's own check finds wrong in the record as it would be. Faults
 * that the stored record has already count only in changed fields. Secrets that are not sent are left out:
 * they are masked.
 */
export function checkValues(entity: Entity, changes: Changes, row?: Row) {
  const before = Object.fromEntries(
    Object.entries(row ?? {}).filter(([field]) => !entity.schema.properties[field]?.secret),
  )
  const faultsBefore = row ? (entity.check?.(before, false) ?? {}) : {}
  const faults = Object.entries(entity.check?.({ ...before, ...changes }, !row) ?? {})
  const fields = Object.fromEntries(faults.filter(([field]) => field in changes || !(field in faultsBefore)))
  if (Object.keys(fields).length > 0) throw new HttpError(422, Object.values(fields).join('. '), { fields })
}

/** Throws an HttpError (422) for a reference to a record that does not exist or is outside the scope. */
export async function checkReferences(sql: Sql, entity: Entity, scope: number[] | null, changes: Changes) {
  for (const [field, to] of referencesOf(entity)) {
    const id = changes[field]
    const property = entity.schema.properties[field]!
    if (typeof id !== 'number' || (id === 0 && property.none)) continue
    const lookup = lookups[to as LookupName]
    const [found] = await sql.prepared(
      statementFor(
        scope,
        `select 1 from ${quoteIdentifier(lookup.table)} t
          where ${scopeCondition(lookup.scope)} and t.id = $2`,
      ),
      [scope, id],
    )
    const message = `${property.title} ${id} does not exist`
    if (!found) throw new HttpError(422, message, { fields: { [field]: message } })
  }
}
