import type { Column, Entity, Property } from '../entity.ts'

/** The values a column of a list chooses among, and the words it shows them by. */
export type Option = { value: string | number | boolean | null; title: string }

/** The word of a flag in a list: that of the column, or Yes and No; '' for no value. */
export const flagWord = ({ words }: Column, value: unknown): string =>
  value === null || value === undefined || value === ''
    ? ''
    : (words?.[value ? 0 : 1] ?? (value ? 'Yes' : 'No'))

/** The title of a code in its schema; an unknown code itself, '' for no value. */
export const choiceTitle = (property: Property | undefined, value: unknown): string =>
  value === null || value === undefined || value === ''
    ? ''
    : (property?.oneOf?.find((option) => option.const === value)?.title ?? String(value))

/** The property of a column. Throws an Error for a column without a field. */
export function propertyOf(entity: Entity, { field }: Column): Property {
  const property = entity.schema.properties[field]
  if (!property) throw new Error(`${entity.name} has no field ${field}`)
  return property
}

/** Whether both words of a flag are there, so that one can be chosen. */
const hasBothWords = ({ words }: Column) => words !== undefined && words.every((word) => word !== '')

/** What a column can be filtered by (lists 15); empty for a column that is no choice. */
export function optionsOf(column: Column, property: Property): Option[] {
  if (column.as === 'choice')
    return (property.oneOf ?? []).map((it) => ({ value: it.const, title: it.title }))
  if (column.as !== 'flag') return []
  const [yes, no] = hasBothWords(column) ? column.words! : ['Yes', 'No']
  return [
    { value: true, title: yes },
    { value: false, title: no },
  ]
}

/** How a printed list names a column: by its heading, a flag with one word by the title of its field. */
export const columnTitle = (column: Column, property: Property): string =>
  column.as === 'flag' && !hasBothWords(column) ? (property.title ?? column.head) : column.head

/** How filters and files name a column: of a moment they take and have the UTC day (lists 10). */
export const valueTitle = (column: Column, property: Property): string =>
  columnTitle(column, property) + (column.as === 'moment' ? ' (UTC)' : '')
