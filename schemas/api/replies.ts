import type { Entity, Property, Row } from '../entities/entity.ts'
import { describes, string } from '../shapes.ts'

const isAnswered = ([, property]: [string, Property]) => !property.writeOnly

/** The names of the records that a record refers to, by field. */
const labels = { type: 'object', additionalProperties: string } as const
/** What an answer holds besides the fields of the schema; sent back unchanged it is accepted (api 5). */
export const answerOnlyFields = { labels } as const
/** The body of a DELETE, which may name the version that was read (api 6). */
export const versionBody = {
  type: ['object', 'null'],
  additionalProperties: false,
  properties: { version: { type: 'integer', title: 'Version', minimum: 1 } },
} as const
/** A stored record. Which entity it is of is known at run time, so its type names the common fields alone. */
export const rowReply = (entity: Entity) =>
  describes<Row>().by({
    type: 'object',
    required: ['id', 'version', ...entity.schema.required],
    properties: {
      ...Object.fromEntries(Object.entries(entity.schema.properties).filter(isAnswered)),
      ...answerOnlyFields,
    },
  })
