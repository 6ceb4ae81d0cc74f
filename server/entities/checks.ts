import { isDeepStrictEqual } from 'node:util'
import { escapeIdentifier } from 'pg'
import { answerOnlyFields } from '../../schemas/api/replies.ts'
import { secondsInDay } from '../../schemas/dates.ts'
import {
  newFaults,
  readOnlyFields,
  readOnlyReason,
  referencesOf,
  type Entity,
  type Property,
  type Row,
} from '../../schemas/entities/entity.ts'
import { lookups, type LookupName } from '../../schemas/entities/lookups.ts'
import { reasonOf } from '../../schemas/permissions.ts'
import type { Sql } from '../db/db.ts'
import type { Caller } from '../http/call.ts'
import { HttpError } from '../http/errors.ts'
import { scopeCondition, statementFor } from './sql.ts'

export type Changes = Record<string, unknown>

/** Of an object that holds names, what is not sent stays as it is (users 4). */
const isSame = (sent: unknown, stored: unknown): boolean =>
  isObject(sent) && isObject(stored)
    ? Object.entries(sent).every(([name, value]) => isSame(value, stored[name]))
    : isDeepStrictEqual(sent ?? null, stored ?? null)
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A day as its midnight in UTC: another second of it would be left out of spans that end with the day. */
const wholeDay = (entity: Entity, field: string, value: unknown): unknown =>
  entity.schema.properties[field]?.kind === 'seconds' && typeof value === 'number'
    ? value - (value % secondsInDay)
    : value

/** The fields of a body that differ from the record, without id and version, as they are stored. */
export const changesOf = (entity: Entity, body: Changes, row?: Row): Changes =>
  Object.fromEntries(
    Object.entries(body)
      .filter(([field, value]) => !['id', 'version'].includes(field) && !(row && isSame(value, row[field])))
      .map(([field, value]) => [field, wholeDay(entity, field, value)] as const)
      .filter(([field, value]) => !(row && isSame(value, row[field]))),
  )

/** Whether an empty form shows this value: the default, a count of 0, or no permission. */
const isUntouched = ({ kind, default: initial }: Property, value: unknown): boolean => {
  if (kind === 'permissions') return isObject(value) && Object.values(value).every((given) => given === false)
  if (kind === 'number') return value === (initial ?? 0)
  return initial !== undefined && isDeepStrictEqual(value, initial)
}

/** The values of a new record, without closed fields that are as an empty form shows them (permissions 7). */
export function newValuesOf(entity: Entity, caller: Caller, body: Changes): Changes {
  const closed = new Set(readOnlyFields(entity, caller))
  return Object.fromEntries(
    Object.entries(body).filter(
      ([field, value]) => !(closed.has(field) && isUntouched(entity.schema.properties[field]!, value)),
    ),
  )
}

/** 'You may not change Notes, Product: Needs the permission “Manage merchants”', for each reason. */
function refusalOf(entity: Entity, caller: Caller, refused: readonly string[], row?: Row): string {
  const titles = new Map<string, string[]>()
  for (const field of refused) {
    const property = entity.schema.properties[field]
    const why = property ? `: ${readOnlyReason(entity, field, caller, row)}` : ''
    titles.set(why, [...(titles.get(why) ?? []), property?.title ?? field])
  }
  return [...titles].map(([why, names]) => `You may not change ${names.join(', ')}${why}`).join('. ')
}

/**
 * Throws an HttpError (403) naming the fields that the caller may not change and why, or why the whole record
 * is closed to them (permissions 7).
 */
export function checkFields(entity: Entity, caller: Caller, changes: Changes, row?: Row) {
  const closed = [...readOnlyFields(entity, caller, row), ...Object.keys(answerOnlyFields)]
  const refused = closed.filter((field) => field in changes)
  if (refused.length === 0) return
  const message = (field: string) => `You may not change ${entity.schema.properties[field]?.title ?? field}`
  const { update } = entity.access
  const isClosed = row !== undefined && !update(caller, row)
  throw new HttpError(
    403,
    isClosed ? reasonOf(update, caller, row) : refusalOf(entity, caller, refused, row),
    {
      fields: Object.fromEntries(refused.map((field) => [field, message(field)])),
    },
  )
}

/**
 * Throws an HttpError (422) with what the entity's own check finds wrong in the record as it would be
 * (`newFaults`). Secrets that are not sent are left out: they are masked.
 */
export function checkValues(entity: Entity, changes: Changes, row?: Row) {
  const before = Object.fromEntries(
    Object.entries(row ?? {}).filter(([field]) => !entity.schema.properties[field]?.secret),
  )
  const values = { ...before, ...changes }
  const stored = row ? before : null
  const isChanged = (field: string) => field in changes
  const fields = newFaults(entity.check, values, { isNew: !row, stored, isChanged })
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
        `select 1 from ${escapeIdentifier(lookup.table)} t
          where ${scopeCondition(lookup.scope)} and t.id = $2`,
      ),
      [scope, id],
    )
    const message = `${property.title} ${id} does not exist`
    if (!found) throw new HttpError(422, message, { fields: { [field]: message } })
  }
}
