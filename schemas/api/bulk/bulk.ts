import { maxBulkRecords } from '../../constants.ts'
import { recordsTitle, readOnlyFields, type Entity, type Property } from '../../entities/entity.ts'
import { entities } from '../../entities/index.ts'
import { reasonOf, ruleWithReason, type Rule, type Viewer } from '../../permissions.ts'
import {
  arrayOf,
  boolean,
  describes,
  integer,
  integerOrNull,
  mapValues,
  objectOf,
  oneOf,
  string,
  stringOrNull,
  type ShapeOf,
} from '../../shapes.ts'
import type { Endpoint } from '../endpoint.ts'
import { filteredQuery, pageQuery } from '../paging.ts'

type BulkEntity = Entity & { bulk: NonNullable<Entity['bulk']> }
const isBulkEntity = (entity: Entity): entity is BulkEntity => entity.bulk !== undefined

/** The entities whose records are changed many at once, by name. */
export const bulkEntities: Readonly<Record<string, BulkEntity>> = Object.fromEntries(
  Object.values(entities)
    .filter(isBulkEntity)
    .map((entity) => [entity.name, entity]),
)

/** Whether this viewer may change or delete any record at all. */
const changesAny = ({ access }: Entity): Rule =>
  ruleWithReason(
    (viewer) => access.update(viewer) || access.delete(viewer),
    (viewer) => reasonOf(access.update, viewer),
  )

/** What a viewer may do to many records: the fields to be set, in the schema's order; empty: none. */
export type BulkOperations = { fields: readonly string[]; reassign: string | null; remove: boolean }

/** What this viewer may do to many records of an entity (bulk 1); null for nothing. */
export function bulkOperations(entity: Entity, viewer: Viewer): BulkOperations | null {
  const { bulk, access } = entity
  if (!bulk) return null
  // The rules of a stored record, of which nothing is known yet.
  const closed = readOnlyFields(entity, viewer, {})
  const fields = access.update(viewer) ? bulk.fields.filter((field) => !closed.includes(field)) : []
  const remove = bulk.delete === true && access.delete(viewer)
  const reassign = bulk.reassign !== undefined && fields.includes(bulk.reassign) ? bulk.reassign : null
  return fields.length > 0 || remove ? { fields, reassign, remove } : null
}

const wholeNumber = { type: 'integer', minimum: 1, maximum: 2_147_483_647 } as const
const record = {
  type: 'object',
  required: ['id', 'version'],
  additionalProperties: false,
  properties: { id: wholeNumber, version: wholeNumber },
} as const
/** A record in the version that was read. */
export type SeenRecord = ShapeOf<typeof record>
const { search, filter } = filteredQuery.properties
const found = { type: 'object', additionalProperties: false, properties: { search, filter } } as const
/** What finds the records of a list. */
export type FoundBy = ShapeOf<typeof found, true>

/** The values of the fields that are set; which they are is known at run time. */
const valuesOf = ({ schema, bulk }: BulkEntity) =>
  describes<Record<string, unknown>>().by({
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(
      bulk.fields.map((field): [string, Property] => [field, schema.properties[field] ?? {}]),
    ),
  })

/**
 * Which records, `records` as they were read or all that a list finds, and what is done to them: `values` are
 * set, or they are deleted.
 */
const requestOf = (entity: BulkEntity) =>
  ({
    $id: `${entity.schema.$id}.bulk`,
    type: 'object',
    additionalProperties: false,
    properties: {
      records: { title: 'Records', type: 'array', minItems: 1, maxItems: maxBulkRecords, items: record },
      found,
      values: valuesOf(entity),
      remove: { type: 'boolean', enum: [true] },
    },
  }) as const
export type BulkRequest = ShapeOf<ReturnType<typeof requestOf>>

const committedOf = (entity: BulkEntity) => {
  const request = requestOf(entity)
  const fingerprint = {
    type: 'string',
    title: 'Fingerprint of the preview',
    pattern: '^[0-9a-f]{64}$',
    messageEnd: 'must be sent as the preview answered it: please preview the change again',
  } as const
  return {
    ...request,
    $id: `${entity.schema.$id}.bulk.commit`,
    required: ['fingerprint'],
    properties: { ...request.properties, fingerprint },
  } as const
}

const example = objectOf({ id: integer, name: string })
const counts = { changed: integer, unchanged: integer, refused: integer }
const preview = objectOf({
  /** Of what would change; the commit names it. */
  fingerprint: string,
  ...counts,
  /** The texts of the values before and after, most frequent first; of a deletion none. */
  changes: arrayOf(objectOf({ field: string, title: string, from: string, to: string, count: integer })),
  /** Records with other changes than those that are listed. */
  morechanges: integer,
  refusals: arrayOf(objectOf({ reason: string, count: integer, examples: arrayOf(example) })),
  /** Records refused for other reasons than those that are listed. */
  morerefused: integer,
})
/** What would happen to the records (bulk 3). */
export type BulkPreview = ShapeOf<typeof preview>

const change = objectOf({
  id: integer,
  /** Epoch seconds UTC. */
  at: integer,
  username: string,
  operation: oneOf('set', 'delete'),
  /** What was set, in words; of a deletion none. */
  values: arrayOf(objectOf({ title: string, text: string })),
  ...counts,
  state: oneOf('done', 'undone'),
  undo: objectOf({ allowed: boolean, reason: stringOrNull }),
  undoneby: stringOrNull,
  undoneat: integerOrNull,
})
/** A bulk change that was made (bulk 5). */
export type BulkChange = ShapeOf<typeof change>

const callsOf = (entity: BulkEntity) => {
  const noun = recordsTitle(entity).toLowerCase()
  const allow = changesAny(entity)
  return {
    preview: {
      route: `POST /api/v1/${entity.name}/bulk/preview`,
      task: `preview the change of ${noun}`,
      allow,
      body: requestOf(entity),
      reply: preview,
      ownTurn: true,
    },
    commit: {
      route: `POST /api/v1/${entity.name}/bulk`,
      task: `change ${noun}`,
      allow,
      body: committedOf(entity),
      reply: objectOf({ id: integer, ...counts }),
      ownTurn: true,
    },
    history: {
      route: `GET /api/v1/${entity.name}/bulk`,
      task: `get changes of ${noun}`,
      allow,
      query: pageQuery,
      reply: objectOf({ data: arrayOf(change), total_length: integer }),
      quiet: true,
    },
    undo: {
      route: `POST /api/v1/${entity.name}/bulk/:id/undo`,
      task: `undo the change of ${noun}`,
      allow,
      reply: change,
      ownTurn: true,
    },
  } satisfies Record<string, Endpoint>
}

/** The calls of many records of an entity, by its name (bulk 2). */
export const bulkCalls = mapValues(bulkEntities, callsOf)
