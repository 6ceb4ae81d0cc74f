import { useEffect, useRef, useState } from 'react'
import { pickerDebounce } from '../../../../schemas/constants.ts'
import type { Property } from '../../../../schemas/entities/entity.ts'
import { labelOf, lookups, type LookupName, type LookupRow } from '../../../../schemas/entities/lookups.ts'
import type { SearchRecords } from '../../context.ts'
import type { OptionSource, SearchResult } from './combobox.ts'

/** The most records one search answers; there may be more. */
const maxFound = 20

/**
 * The label of a record in a field: 'displayid - name', or 'id - name' where the field shows the id. Id 0
 * stands for no record, in a field that has a name for it (`none`).
 */
export const recordLabel = ({ to, none, show }: Property, row: LookupRow): string => {
  if (row.id === 0 && typeof none === 'string') return none
  return show === 'id' ? `${row.id} - ${row[lookups[to as LookupName].fields[1]]}` : labelOf(String(to), row)
}

const noneOf = ({ none }: Property) => (typeof none === 'string' ? none : null)

const optionsOf = (property: Property, rows: readonly LookupRow[]) =>
  rows.map((row) => ({ value: row.id, label: recordLabel(property, row) }))

/** The labels of the records seen so far, by id. Reads the record of `value` if its label is not known. */
const useLabels = (
  property: Property,
  searchRecords: SearchRecords | undefined,
  value: number | null,
  givenLabel: string | undefined,
) => {
  const to = property.to as LookupName
  const none = noneOf(property)
  const label = value === 0 && none ? none : property.show === 'id' ? undefined : givenLabel
  const [labels, setLabels] = useState<Readonly<Record<number, string>>>(
    value !== null && label ? { [value]: label } : {},
  )
  const keepLabels = (options: SearchResult<number>['options']) =>
    setLabels((known) => ({
      ...known,
      ...Object.fromEntries(options.map((option) => [option.value, option.label])),
    }))
  const unlabelled = value !== null && labels[value] === undefined ? value : null
  useEffect(() => {
    if (unlabelled === null || !searchRecords) return
    const call = new AbortController()
    searchRecords(to, '', unlabelled, call.signal).then(
      (rows) => !call.signal.aborted && keepLabels(optionsOf(property, rows)),
      () => !call.signal.aborted && setLabels((known) => ({ ...known, [unlabelled]: `#${unlabelled}` })),
    )
    return () => call.abort()
    // A new `searchRecords` function must not repeat the call.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [unlabelled, to])
  return { label: value === null ? '' : (labels[value] ?? ''), keepLabels }
}

/**
 * Searches the records a field may refer to (lists 11): each search starts after `pickerDebounce` and aborts
 * the one before. `label` is that of the record of `value`.
 */
export const useRecords = (
  property: Property,
  searchRecords: SearchRecords | undefined,
  value: number | null,
  givenLabel: string | undefined,
): OptionSource<number> => {
  const none = noneOf(property)
  const [found, setFound] = useState<SearchResult<number>>({ state: 'idle', options: [] })
  const { label, keepLabels } = useLabels(property, searchRecords, value, givenLabel)
  const running = useRef<{ timer?: ReturnType<typeof setTimeout>; call?: AbortController }>({})

  const stop = () => {
    clearTimeout(running.current.timer)
    running.current.call?.abort()
    running.current = {}
  }
  useEffect(() => stop, [])
  const search = (text: string, wait = pickerDebounce) => {
    stop()
    setFound(({ options }) => ({ state: 'searching', options }))
    const call = new AbortController()
    const run = async () => {
      try {
        const records =
          (await searchRecords?.(property.to as LookupName, text.trim(), null, call.signal)) ?? []
        if (call.signal.aborted) return
        const matchesNone = none?.toLowerCase().includes(text.trim().toLowerCase())
        const options = optionsOf(property, matchesNone ? [{ id: 0 } as LookupRow, ...records] : records)
        keepLabels(options)
        setFound({ state: 'found', options, ...(records.length >= maxFound && { first: records.length }) })
      } catch {
        if (!call.signal.aborted) setFound({ state: 'failed', options: [] })
      }
    }
    running.current = { call, timer: setTimeout(() => void run(), wait) }
  }
  const reset = () => {
    stop()
    setFound({ state: 'idle', options: [] })
  }
  return { found, search, reset, label }
}
