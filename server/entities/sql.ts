import { references, type Entity } from '../../schemas/entities/entity.ts'
import { lites, type LiteName } from '../../schemas/entities/lookups.ts'
import { within } from '../db/scope.ts'
import { shapes } from './entityHooks.ts'

/** Quotes an identifier; names come from our own schemas, never from a request. */
export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** A text that LIKE takes literally. */
export const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** The SQL that reads one field: its column, unless the entity's shape says otherwise. */
export const reads = (it: Entity, field: string) => shapes[it.name]?.read?.[field] ?? `t.${quoted(field)}`

/** What is read of an entity: the fields of its schema, and the label of each reference. */
export const selection = (it: Entity) => {
  const columns = Object.keys(it.schema.properties).map((field) => `${reads(it, field)} as ${quoted(field)}`)
  const labels = references(it).map(([field, to], index) => {
    const shown = it.schema.properties[field]!.show
    const [first, second] = lites[to as LiteName].fields
    return `'${field}', r${index}.${quoted(typeof shown === 'string' ? shown : first)} || ' - ' || r${index}.${quoted(second)}`
  })
  return [...columns, `jsonb_strip_nulls(jsonb_build_object(${labels.join(', ')})) as labels`].join(', ')
}

/** `from` with one join for each reference. */
export const source = (it: Entity) =>
  references(it).reduce(
    (sql, [field, to], index) =>
      `${sql} left join ${quoted(lites[to as LiteName].table)} r${index} on r${index}.id = t.${quoted(field)}`,
    `${quoted(it.table)} t`,
  )

/** The text that a search looks through; the trigram index of the table is on this very expression. */
export const searched = (fields: readonly string[], alias = 't') =>
  `(${fields.map((field) => `${alias}.${quoted(field)}`).join(" || ' ' || ")})`

/** Row scope of an entity (decisions, section 2); `$1` holds the ids of the caller's agents, or null for all. */
export const scoped = (it: Entity) => shapes[it.name]?.scope ?? inScope(it.scope)
export const inScope = (column: string | null, alias = 't') =>
  column ? within('$1', `${alias}.${quoted(column)}`) : '$1::int[] is not distinct from $1'
