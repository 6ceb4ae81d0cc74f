import { Button, Callout } from '@blueprintjs/core'
import { CrossIcon } from '@blueprintjs/icons'
import { useEffect, useState } from 'react'
import { propertyOf } from '../../../../schemas/entities/columns.ts'
import type { Entity } from '../../../../schemas/entities/entity.ts'
import { parseFilters, writeFilters, type Filter } from '../../../../schemas/entities/filters.ts'
import type { LookupName } from '../../../../schemas/entities/lookups.ts'
import type { SearchRecords } from '../../../forms/context.ts'
import { recordLabel } from '../../../forms/widgets/picker.ts'
import { filterWords, filterTitle } from './filterWords.ts'

type Props = {
  entity: Entity
  /** As in the address. */
  filter: string
  searchRecords: SearchRecords | undefined
  onChange: (filter: string) => void
}

/** The filters of a list as buttons that remove them (lists 15), or the sentence about one at fault. */
export const FilterChips = ({ entity, filter, searchRecords, onChange }: Props) => {
  const { filters, fault } = parseFilters(entity, filter)
  if (fault !== null)
    return (
      <Callout intent="danger" role="alert" className="filter-fault">
        <p>{fault}</p>
        <Button text="Clear filters" onClick={() => onChange('')} />
      </Callout>
    )
  if (filters.length === 0) return null
  return (
    <ul className="filter-chips" aria-label="Filters">
      {filters.map((one) => (
        <li key={one.column.field}>
          <Chip
            entity={entity}
            filter={one}
            searchRecords={searchRecords}
            onRemove={() => onChange(writeFilters(filters.filter((other) => other !== one)))}
          />
        </li>
      ))}
      <li className="filter-clear">
        <Button size="small" variant="minimal" text="Clear filters" onClick={() => onChange('')} />
      </li>
    </ul>
  )
}

type ChipProps = Pick<Props, 'entity' | 'searchRecords'> & { filter: Filter; onRemove: () => void }

const Chip = ({ entity, filter, searchRecords, onRemove }: ChipProps) => {
  const labelOf = useLabels(entity, filter, searchRecords)
  const text = `${filterTitle(entity, filter)}: ${filterWords(entity, filter, labelOf)}`
  return (
    <Button
      size="small"
      endIcon={<CrossIcon />}
      text={text}
      aria-label={`Remove the filter ${text}`}
      onClick={onRemove}
    />
  )
}

/** The labels of the records that a filter names, read one by one; '#7' until then and if out of sight. */
export function useLabels(
  entity: Entity,
  { column, kind, test }: Filter,
  searchRecords: SearchRecords | undefined,
): (id: number) => string {
  const property = propertyOf(entity, column)
  const [labels, setLabels] = useState<Readonly<Record<number, string>>>({})
  const ids = kind === 'reference' && test.is === 'among' ? test.values.filter((id) => id !== 0).join() : ''
  useEffect(() => {
    const call = new AbortController()
    const read = async (id: number) => {
      const rows = await searchRecords?.(property.to as LookupName, '', id, call.signal)
      const [row] = rows ?? []
      if (row && !call.signal.aborted) setLabels((known) => ({ ...known, [id]: recordLabel(property, row) }))
    }
    // What could not be read stays named by its number; the error dialog says why.
    for (const id of ids === '' ? [] : ids.split(',')) read(Number(id)).catch(() => {})
    return () => call.abort()
    // A new `searchRecords` function must not repeat the calls.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [ids, property])
  return (id) => labels[id] ?? (id === 0 && typeof property.none === 'string' ? property.none : `#${id}`)
}
