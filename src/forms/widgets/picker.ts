import { useEffect, useRef, useState } from 'react'
import { pickerDebounce } from '../../../schemas/constants.ts'
import type { Property } from '../../../schemas/entities/entity.ts'
import { labelOf, lookups, type LookupName, type LookupRow } from '../../../schemas/entities/lookups.ts'
import type { SearchRecords } from '../context.ts'

/** The state of a search. While the next one runs, the rows of the last one stay. */
export type SearchResult = { state: 'idle' | 'searching' | 'found' | 'failed'; rows: readonly LookupRow[] }

/**
 * The label of a record in a field: 'displayid - name', or 'id - name' where the field shows the id. Id 0
 * stands for no record, in a field that has a name for it (`none`).
 */
export const recordLabel = ({ to, none, show }: Property, row: LookupRow): string => {
  if (row.id === 0 && typeof none === 'string') return none
  return show === 'id' ? `${row.id} - ${row[lookups[to as LookupName].fields[1]]}` : labelOf(String(to), row)
}

const noneOf = ({ none }: Property) => (typeof none === 'string' ? none : null)

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
  const keepLabels = (rows: readonly LookupRow[]) =>
    setLabels((known) => ({
      ...known,
      ...Object.fromEntries(rows.map((row) => [row.id, recordLabel(property, row)])),
    }))
  const unlabelled = value !== null && labels[value] === undefined ? value : null
  useEffect(() => {
    if (unlabelled === null || !searchRecords) return
    const call = new AbortController()
    searchRecords(to, '', unlabelled, call.signal).then(
      (rows) => !call.signal.aborted && keepLabels(rows),
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
export const usePicker = (
  property: Property,
  searchRecords: SearchRecords | undefined,
  value: number | null,
  givenLabel: string | undefined,
) => {
  const none = noneOf(property)
  const [found, setFound] = useState<SearchResult>({ state: 'idle', rows: [] })
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
    setFound(({ rows }) => ({ state: 'searching', rows }))
    const call = new AbortController()
    const run = async () => {
      try {
        const records =
          (await searchRecords?.(property.to as LookupName, text.trim(), null, call.signal)) ?? []
        if (call.signal.aborted) return
        const matchesNone = none?.toLowerCase().includes(text.trim().toLowerCase())
        const rows = matchesNone ? [{ id: 0 } as LookupRow, ...records] : records
        keepLabels(rows)
        setFound({ state: 'found', rows })
      } catch {
        if (!call.signal.aborted) setFound({ state: 'failed', rows: [] })
      }
    }
    running.current = { call, timer: setTimeout(() => void run(), wait) }
  }
  const reset = () => {
    stop()
    setFound({ state: 'idle', rows: [] })
  }
  return { found, search, reset, label }
}
