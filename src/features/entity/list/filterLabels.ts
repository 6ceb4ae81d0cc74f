import { useEffect, useState } from 'react'
import type { Entity } from '../../../../schemas/entities/entity.ts'
import { propertyOf } from '../../../../schemas/entities/lists/columns.ts'
import { parseFilters, type Filter } from '../../../../schemas/entities/lists/filters.ts'
import type { LookupName } from '../../../../schemas/entities/lookups.ts'
import type { SearchRecords } from '../../../forms/context.ts'
import { recordLabel } from '../../../forms/widgets/picker/records.ts'
import { filterTitle, filterWords } from './filterWords.ts'

type NamedBy = readonly Pick<Filter, 'column' | 'kind' | 'test'>[]

/** '{field}:{id}' of each record that the filters name. */
const recordsOf = (filters: NamedBy): string[] =>
  filters.flatMap(({ column, kind, test }) =>
    kind === 'reference' && test.is === 'among'
      ? test.values.filter((id) => id !== 0).map((id) => `${column.field}:${String(id)}`)
      : [],
  )

/** Labels of the records that filters name, read one by one; '#7' until then, and outside the row scope. */
export function useLabels(
  entity: Entity,
  filters: NamedBy,
  searchRecords: SearchRecords | undefined,
): (field: string, id: number) => string {
  const [labels, setLabels] = useState<Readonly<Record<string, string>>>({})
  const records = recordsOf(filters).join()
  useEffect(() => {
    const call = new AbortController()
    const read = async (record: string) => {
      const [field = '', id] = record.split(':')
      const property = propertyOf(entity, { field, head: '' })
      const rows = await searchRecords?.(property.to as LookupName, '', Number(id), call.signal)
      const [row] = rows ?? []
      if (row && !call.signal.aborted)
        setLabels((known) => ({ ...known, [record]: recordLabel(property, row) }))
    }
    // A record that cannot be read keeps its number; the error dialog says why.
    for (const record of records === '' ? [] : records.split(',')) read(record).catch(() => {})
    return () => call.abort()
    // A new `searchRecords` function must not repeat the calls.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [entity, records])
  return (field, id) => {
    const { none } = propertyOf(entity, { field, head: '' })
    return labels[`${field}:${id}`] ?? (id === 0 && typeof none === 'string' ? none : `#${id}`)
  }
}

/** A filter of an address, and what it asks for in words: 'Account Status: Active'. */
export type FilterText = { filter: Filter; text: string }

/** The filters of an address in words, or the sentence about one at fault. */
export function useFilterTexts(
  entity: Entity,
  filter: string,
  searchRecords: SearchRecords | undefined,
): { texts: readonly FilterText[]; fault: string | null } {
  const { filters, fault } = parseFilters(entity, filter)
  const labelOf = useLabels(entity, filters, searchRecords)
  const texts = filters.map((one) => {
    const words = filterWords(entity, one, (id) => labelOf(one.column.field, id))
    return { filter: one, text: `${filterTitle(entity, one)}: ${words}` }
  })
  return { texts, fault }
}
