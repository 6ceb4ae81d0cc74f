import { deepEquals } from '@rjsf/utils'
import type { Entity, Property } from '../../schemas/entities/entity.ts'

type Values = Readonly<Record<string, unknown>>

/** What the form starts from: the fields of the schema, not the names of referenced records that come with a row. */
export const formValues = (entity: Entity, row: Values | null): Values =>
  Object.fromEntries(
    Object.keys(entity.schema.properties).flatMap((field) =>
      row && field in row ? [[field, row[field]]] : [],
    ),
  )

/** Has anything been changed? A value typed back to what it was has not. */
export const hasChanges = (entity: Entity, before: Values, now: Values): boolean =>
  Object.entries(entity.schema.properties).some(([field, property]) =>
    changed(property, before[field], now[field]),
  )

/**
 * What is sent: of a new record every field that may be written, of a stored one its version and what was changed.
 * Frozen fields stay away, for the server refuses them.
 */
export const buildDraft = (
  entity: Entity,
  frozen: readonly string[],
  row: Values | null,
  now: Values,
): Record<string, unknown> => {
  const open = Object.entries(entity.schema.properties).filter(([field]) => !frozen.includes(field))
  const sent = row ? open.filter(([field, property]) => changed(property, row[field], now[field])) : open
  const values = sent.map(([field, property]) => [field, settled(property, now[field])] as const)
  return {
    ...(row && { version: row.version }),
    ...Object.fromEntries(values.filter(([, value]) => value !== undefined)),
  }
}

const changed = (property: Property, before: unknown, now: unknown) =>
  !deepEquals(settled(property, before), settled(property, now))

/** The many ways to be empty, made one: what the schema holds for empty, or undefined. */
const settled = ({ kind, type, default: empty }: Property, value: unknown): unknown => {
  if (value === undefined || value === null || (kind === 'seconds' && value === 0)) {
    return empty !== undefined ? empty : [type].flat().includes('null') ? null : undefined
  }
  return value === '' && empty === undefined ? undefined : value
}
