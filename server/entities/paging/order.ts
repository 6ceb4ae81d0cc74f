import { escapeIdentifier } from 'pg'
import { referencesOf, sortableFields, type Entity, type Property } from '../../../schemas/entities/entity.ts'
import { lookups, type LookupName } from '../../../schemas/entities/lookups.ts'
import { sortError } from '../../http/errors.ts'
import { entityHooks } from '../entityHooks.ts'
import { fieldExpression, referenceJoin } from '../sql.ts'

/** Long texts are sorted by so many characters, which an index can hold. */
const sortedCharacters = 200

/** The order of a list, as SQL: by `key` and then by id, in the same direction. */
export type ListOrder = {
  /** '' for the ids alone. */
  key: string
  isDown: boolean
  /** The key may be null: such rows come last, in either direction. */
  canBeNull: boolean
  /** The join that the key needs beside the table as t. */
  join: string
  /** The key is a column of the table, or the name of a record that each row refers to. */
  of: 'column' | 'reference' | 'expression'
}

const isNullable = ({ type }: Property) => [type].flat().includes('null')

/**
 * The order of a list: by a field, or its own. A reference is sorted by what its column shows of the
 * referenced record (lists 4). Throws an HttpError (400).
 */
export function listOrder(entity: Entity, requested: string): ListOrder {
  const sort = requested || entity.list.sort || ''
  if (sort === '') return { key: '', isDown: false, canBeNull: false, join: '', of: 'column' }
  const field = sort.replace(/^-/, '')
  const sortable = sortableFields(entity)
  if (!sortable.includes(field)) throw sortError(sortable)
  return { ...keyOf(entity, field), isDown: sort.startsWith('-') }
}

function keyOf(entity: Entity, field: string): Omit<ListOrder, 'isDown'> {
  const property = entity.schema.properties[field]!
  const isComputed = entityHooks[entity.name]?.read?.[field] !== undefined
  const index = referencesOf(entity).findIndex(([name]) => name === field)
  if (index >= 0) {
    const shown =
      typeof property.show === 'string' ? property.show : lookups[property.to as LookupName].fields[0]
    const canBeNull = isComputed || isNullable(property) || Boolean(property.none)
    return {
      key: `r${index}.${escapeIdentifier(shown)}`,
      canBeNull,
      join: referenceJoin(entity, index, canBeNull ? 'left join' : 'join'),
      of: 'reference',
    }
  }
  const expression = fieldExpression(entity, field)
  return {
    key: property.kind === 'textarea' ? `left(${expression}, ${sortedCharacters})` : expression,
    canBeNull: isComputed || isNullable(property),
    join: '',
    of: isComputed ? 'expression' : 'column',
  }
}

/**
 * What stands behind ORDER BY. `ownKey` and `id` are the expressions that the statement has for them; null
 * keys come last unless `isNullFirst`.
 */
export function orderBy(
  { key, isDown, canBeNull }: ListOrder,
  ownKey = key,
  id = 't.id',
  isNullFirst = false,
): string {
  const direction = isDown ? ' desc' : ''
  if (key === '') return `${id}${direction}`
  const nulls = canBeNull ? ` nulls ${isNullFirst ? 'first' : 'last'}` : ''
  return `${ownKey}${direction}${nulls}, ${id}${direction}`
}
