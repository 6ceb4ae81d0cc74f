import type { Entity, Property } from '../entities/entity.ts'

/** Building blocks of the JSON Schemas of replies. */
export const string = { type: 'string' } as const
export const stringOrNull = { type: ['string', 'null'] } as const
export const integer = { type: 'integer' } as const
export const integerOrNull = { type: ['integer', 'null'] } as const
export const arrayOf = <T>(items: T) => ({ type: 'array', items }) as const
/** An object whose properties are required, except those named `optional`. */
export const objectOf = <P extends Record<string, object>>(
  properties: P,
  ...optional: (keyof P & string)[]
) =>
  ({
    type: 'object',
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    properties,
  }) as const

const isAnswered = ([, property]: [string, Property]) => !property.writeOnly

const labels = { type: 'object', additionalProperties: string }
/** A stored record. `labels` names the records it refers to, by field. */
export const rowReply = (entity: Entity) => ({
  type: 'object',
  required: ['id', 'version', ...entity.schema.required],
  properties: { ...Object.fromEntries(Object.entries(entity.schema.properties).filter(isAnswered)), labels },
})
