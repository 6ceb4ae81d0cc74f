import { useEffect, useRef, useState } from 'react'
import { searchDebounce } from '../../../schemas/constants.ts'
import type { Property } from '../../../schemas/entities/entity.ts'
import { labelOf, lookups, type LookupName, type LookupRow } from '../../../schemas/entities/lookups.ts'
import type { SearchRecords } from '../context.ts'

/** What a search came to. While the next one runs the rows of the last stay. */
export type SearchResult = { state: 'idle' | 'searching' | 'found' | 'failed'; rows: readonly LookupRow[] }

/**
 * How a record is called in this field: 'displayid - name', or 'id - name' where it shows the id. Id 0 stands for
 * no record, where the field has a name for that.
 */
export const recordLabel = ({ to, none, show }: Property, row: LookupRow): string => {
  if (row.id === 0 && typeof none === 'string') return none
  return show === 'id' ? `${row.id} - ${row[lookups[to as LookupName].fields[1]]}` : labelOf(String(to), row)
}

/**
 * Searches the records of an entity as someone types: late (searchDebounce), and only the last search counts, for
 * the one before it is aborted. Names a record of which only the id is known.
 */
export const usePicker = (
  property: Property,
  lookup: SearchRecords | undefined,
  value: number | null,
  given: string | undefined,
) => {
  const to = property.to as LookupName
  const none = typeof property.none === 'string' ? property.none : null
  const start = value === 0 && none ? none : property.show === 'id' ? undefined : given
  const [found, setFound] = useState<SearchResult>({ state: 'idle', rows: [] })
  const [names, setNames] = useState<Readonly<Record<number, string>>>(
    value !== null && start ? { [value]: start } : {},
  )
  const running = useRef<{ timer?: ReturnType<typeof setTimeout>; call?: AbortController }>({})

  const stop = () => {
    clearTimeout(running.current.timer)
    running.current.call?.abort()
    running.current = {}
  }
  const keep = (rows: readonly LookupRow[]) =>
    setNames((known) => ({
      ...known,
      ...Object.fromEntries(rows.map((row) => [row.id, recordLabel(property, row)])),
    }))

  const search = (text: string, wait = searchDebounce) => {
    stop()
    setFound(({ rows }) => ({ state: 'searching', rows }))
    const call = new AbortController()
    const run = async () => {
      try {
        const known = (await lookup?.(to, text.trim(), null, call.signal)) ?? []
        if (call.signal.aborted) return
        const rows = none?.toLowerCase().includes(text.trim().toLowerCase())
          ? [{ id: 0 } as LookupRow, ...known]
          : known
        keep(rows)
        setFound({ state: 'found', rows })
      } catch {
        if (!call.signal.aborted) setFound({ state: 'failed', rows: [] })
      }
    }
    running.current = { call, timer: setTimeout(() => void run(), wait) }
  }
  const forget = () => {
    stop()
    setFound({ state: 'idle', rows: [] })
  }

  const unnamed = value !== null && names[value] === undefined ? value : null
  useEffect(() => {
    if (unnamed === null || !lookup) return
    const call = new AbortController()
    lookup(to, '', unnamed, call.signal).then(
      (rows) => !call.signal.aborted && keep(rows),
      () => !call.signal.aborted && setNames((known) => ({ ...known, [unnamed]: `#${unnamed}` })),
    )
    return () => call.abort()
    // A lookup that is made anew must not ask again.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [unnamed, to])
  useEffect(() => stop, [])

  return { found, search, forget, name: value === null ? '' : (names[value] ?? '') }
}
