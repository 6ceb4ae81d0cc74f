import type { Draft } from '../../../../machines/modal.machine.ts'
import { readOnlyFields, type Entity } from '../../../../schemas/entities/entity.ts'
import { parseFilters, type Filter } from '../../../../schemas/entities/lists/filters.ts'
import { midPattern } from '../../../../schemas/entities/merchant.ts'
import type { Viewer } from '../../../../schemas/permissions.ts'

const wholeNumber = new RegExp(`^${midPattern}$`)

/** The record or the month that a filter asks for, where it is one alone. */
const singleValue = ({ kind, test }: Filter): number | string | null => {
  if (kind === 'reference' && test.is === 'among') {
    const [id, ...others] = test.values
    return typeof id === 'number' && id !== 0 && others.length === 0 ? id : null
  }
  return kind === 'months' && test.is === 'between' && test.from === test.to ? test.from : null
}

/**
 * What a new record takes over from the list in which it is created, whose address this is (lists 19): the
 * record and the month that it is filtered by, and the number that was searched for, with the name that a
 * link gives to it.
 */
export const givenValues = (entity: Entity, viewer: Viewer, address: string): Draft => {
  const params = new URLSearchParams(address)
  const searched = (params.get('search') ?? '').trim()
  const { searchedNumber, searchedName } = entity.form
  const named = params.get('named') ?? ''
  const given = [
    ...parseFilters(entity, params.get('filter') ?? '').filters.map(
      (filter) => [filter.column.field, singleValue(filter)] as const,
    ),
    ...(searchedNumber && wholeNumber.test(searched) ? [[searchedNumber, searched] as const] : []),
    // The name stays in the address when something else is searched for, whose name it is not.
    ...(searchedName && searched !== '' && named.startsWith(`${searched} `)
      ? [[searchedName, named.slice(searched.length + 1)] as const]
      : []),
  ]
  const closed = readOnlyFields(entity, viewer)
  return Object.fromEntries(given.filter(([field, value]) => value !== null && !closed.includes(field)))
}
