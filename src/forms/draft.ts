import { deepEquals } from '@rjsf/utils'
import type { Entity, Property } from '../../schemas/entities/entity.ts'

type Values = Readonly<Record<string, unknown>>

/** The initial values of the form: the fields of the schema, without the labels that come with a row. */
export const formValues = (entity: Entity, row: Values | null): Values =>
  Object.fromEntries(
    Object.keys(entity.schema.properties).flatMap((field) =>
      row && field in row ? [[field, row[field]]] : [],
    ),
  )

/**
 * The fields whose value differs from the one before; one that was typed back or is read-only does not. One
 * that is sent with others alone (`sentWith`) differs only while one of these does.
 */
export const fieldsThatChanged = ({ schema: { properties } }: Entity, before: Values, now: Values) => {
  const fields = Object.keys(properties).filter(
    (field) => !properties[field]!.readOnly && isChanged(properties[field]!, before[field], now[field]),
  )
  return fields.filter((field) => isSentWith(properties[field]!, fields))
}

/** Whether a field may be sent when these change. */
export const isSentWith = ({ sentWith }: Property, changed: readonly string[]): boolean =>
  !sentWith || sentWith.some((field) => changed.includes(field))

/**
 * The body of a write: of a new record every field, of a stored one the version and the changed fields.
 * Read-only fields are left out, because the server refuses them (permissions 7).
 */
export const buildDraft = (
  entity: Entity,
  readOnly: readonly string[],
  row: Values | null,
  now: Values,
): Record<string, unknown> => {
  const writable = Object.entries(entity.schema.properties).filter(([field]) => !readOnly.includes(field))
  const changed = row && fieldsThatChanged(entity, row, now)
  const sent = changed ? writable.filter(([field]) => changed.includes(field)) : writable
  const values = sent.map(([field, property]) => [field, normalize(property, now[field])] as const)
  return {
    ...(row && { version: row.version }),
    ...Object.fromEntries(values.filter(([, value]) => value !== undefined)),
  }
}

const isChanged = (property: Property, before: unknown, now: unknown) =>
  !deepEquals(normalize(property, before), normalize(property, now))

/** All empty values become one: the default of the schema, null if it allows null, or undefined. */
const normalize = ({ kind, type, default: empty }: Property, value: unknown): unknown => {
  if (value === undefined || value === null || (kind === 'seconds' && value === 0)) {
    return empty !== undefined ? empty : [type].flat().includes('null') ? null : undefined
  }
  return value === '' && empty === undefined ? undefined : value
}
