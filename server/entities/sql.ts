import { escapeIdentifier } from 'pg'
import { referencesOf, type Entity } from '../../schemas/entities/entity.ts'
import { lookups, type LookupName } from '../../schemas/entities/lookups.ts'
import { agentInScope } from '../db/scope.ts'
import { searchText } from '../db/search.ts'
import { entityHooks } from './entityHooks.ts'

/** The SQL that reads one field: its column, unless the hooks of the entity have another. */
export const fieldExpression = (entity: Entity, field: string) =>
  entityHooks[entity.name]?.read?.[field] ?? `t.${escapeIdentifier(field)}`

/** The select list of an entity: the fields of its schema, and `labels` with the label of each reference. */
export const selectList = (entity: Entity) => {
  const columns = Object.entries(entity.schema.properties)
    .filter(([, property]) => !property.writeOnly)
    .map(([field]) => `${fieldExpression(entity, field)} as ${escapeIdentifier(field)}`)
  const labels = referencesOf(entity).map(([field, to], index) => {
    const { show } = entity.schema.properties[field]!
    const [first, second] = lookups[to as LookupName].fields
    const column = (name: string) => `r${index}.${escapeIdentifier(name)}`
    return `'${field}', ${column(typeof show === 'string' ? show : first)} || ' - ' || ${column(second)}`
  })
  return [...columns, `jsonb_strip_nulls(jsonb_build_object(${labels.join(', ')})) as labels`].join(', ')
}

/** The join of the table of one reference, as r0, r1, …; `how` is 'join' or 'left join'. */
export const referenceJoin = (entity: Entity, index: number, how: string): string => {
  const [field, to] = referencesOf(entity)[index]!
  const table = escapeIdentifier(lookups[to as LookupName].table)
  return ` ${how} ${table} r${index} on r${index}.id = ${fieldExpression(entity, field)}`
}

/**
 * The table as t, which `on` joins to what stands before it, and the table of each reference joined as r0,
 * r1, …, as far as the caller may read it.
 */
export const fromClause = (entity: Entity, on = '') =>
  referencesOf(entity).reduce(
    (sql, _, index) => sql + referenceJoin(entity, index, 'left join'),
    `${escapeIdentifier(entity.table)} t${on}`,
  )

/** Row scope of an entity (permissions 4); `$1` holds the ids of the caller's agents, or null for all. */
export const entityScopeCondition = (entity: Entity) =>
  entityHooks[entity.name]?.scope ?? scopeCondition(entity.scope)
/**
 * A statement for callers with a scope, or without: PostgreSQL then plans each by itself and no condition
 * asks whether there is one. `$1` must be the scope.
 */
export const statementFor = (scope: number[] | null, sql: string) =>
  sql.replaceAll('$1::int[] is null', scope === null ? 'true' : 'false')
/** The text of a record's label, as the index of its table has it (migration 055). `alias` is the table's. */
export const labelText = (name: LookupName, alias: string) =>
  searchText(lookups[name].fields.map((field) => `${alias}.${escapeIdentifier(field)}`).join(" || ' ' || "))
/** Row scope by one column. Without a column all rows, in a form that still uses `$1`. */
export const scopeCondition = (column: string | null, alias = 't') =>
  column ? agentInScope('$1', `${alias}.${escapeIdentifier(column)}`) : '$1::int[] is not distinct from $1'
