import { referencesOf, type Entity } from '../../schemas/entities/entity.ts'
import { lookups, type LookupName } from '../../schemas/entities/lookups.ts'
import { agentInScope } from '../db/scope.ts'
import { entityHooks } from './entityHooks.ts'

/** Quotes an identifier for SQL. Names come from the schemas, never from a request. */
export const quoteIdentifier = (name: string) => `"${name.replaceAll('"', '""')}"`

/** Escapes the wildcards of LIKE in a text. */
export const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** The SQL that reads one field: its column, unless the hooks of the entity have another. */
export const fieldExpression = (entity: Entity, field: string) =>
  entityHooks[entity.name]?.read?.[field] ?? `t.${quoteIdentifier(field)}`

/** The select list of an entity: the fields of its schema, and `labels` with the label of each reference. */
export const selectList = (entity: Entity) => {
  const columns = Object.entries(entity.schema.properties)
    .filter(([, property]) => !property.writeOnly)
    .map(([field]) => `${fieldExpression(entity, field)} as ${quoteIdentifier(field)}`)
  const labels = referencesOf(entity).map(([field, to], index) => {
    const { show } = entity.schema.properties[field]!
    const [first, second] = lookups[to as LookupName].fields
    const column = (name: string) => `r${index}.${quoteIdentifier(name)}`
    return `'${field}', ${column(typeof show === 'string' ? show : first)} || ' - ' || ${column(second)}`
  })
  return [...columns, `jsonb_strip_nulls(jsonb_build_object(${labels.join(', ')})) as labels`].join(', ')
}

/** The table as t, and the table of each reference joined as r0, r1, …, as far as the caller may read it. */
export const fromClause = (entity: Entity) =>
  referencesOf(entity).reduce(
    (sql, [field, to], index) => {
      const table = quoteIdentifier(lookups[to as LookupName].table)
      return `${sql} left join ${table} r${index} on r${index}.id = ${fieldExpression(entity, field)}`
    },
    `${quoteIdentifier(entity.table)} t`,
  )

/** Row scope of an entity (permissions 4); `$1` holds the ids of the caller's agents, or null for all. */
export const entityScopeCondition = (entity: Entity) =>
  entityHooks[entity.name]?.scope ?? scopeCondition(entity.scope)
/** Row scope by one column. Without a column all rows, in a form that still uses `$1`. */
export const scopeCondition = (column: string | null, alias = 't') =>
  column ? agentInScope('$1', `${alias}.${quoteIdentifier(column)}`) : '$1::int[] is not distinct from $1'
