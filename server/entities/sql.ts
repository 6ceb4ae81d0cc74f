import { references, type Entity } from '../../schemas/entities/entity.ts'
import { lites, type LiteName } from '../../schemas/entities/lookups.ts'
import { agentInScope } from '../db/scope.ts'
import { entityHooks } from './entityHooks.ts'

/** Quotes an identifier; names come from our own schemas, never from a request. */
export const quoteIdentifier = (name: string) => `"${name.replaceAll('"', '""')}"`

/** A text that LIKE takes literally. */
export const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** The SQL that reads one field: its column, unless the entity's shape says otherwise. */
export const fieldExpression = (it: Entity, field: string) =>
  entityHooks[it.name]?.read?.[field] ?? `t.${quoteIdentifier(field)}`

/** What is read of an entity: the fields of its schema, and the label of each reference. */
export const selectList = (it: Entity) => {
  const columns = Object.keys(it.schema.properties).map(
    (field) => `${fieldExpression(it, field)} as ${quoteIdentifier(field)}`,
  )
  const labels = references(it).map(([field, to], index) => {
    const shown = it.schema.properties[field]!.show
    const [first, second] = lites[to as LiteName].fields
    return `'${field}', r${index}.${quoteIdentifier(typeof shown === 'string' ? shown : first)} || ' - ' || r${index}.${quoteIdentifier(second)}`
  })
  return [...columns, `jsonb_strip_nulls(jsonb_build_object(${labels.join(', ')})) as labels`].join(', ')
}

/** `from` with one join for each reference. */
export const fromClause = (it: Entity) =>
  references(it).reduce(
    (sql, [field, to], index) =>
      `${sql} left join ${quoteIdentifier(lites[to as LiteName].table)} r${index} on r${index}.id = t.${quoteIdentifier(field)}`,
    `${quoteIdentifier(it.table)} t`,
  )

/** The text that a search looks through; the trigram index of the table is on this very expression. */
export const searchExpression = (fields: readonly string[], alias = 't') =>
  `(${fields.map((field) => `${alias}.${quoteIdentifier(field)}`).join(" || ' ' || ")})`

/** Row scope of an entity (decisions, section 2); `$1` holds the ids of the caller's agents, or null for all. */
export const entityScopeCondition = (it: Entity) => entityHooks[it.name]?.scope ?? scopeCondition(it.scope)
export const scopeCondition = (column: string | null, alias = 't') =>
  column ? agentInScope('$1', `${alias}.${quoteIdentifier(column)}`) : '$1::int[] is not distinct from $1'
