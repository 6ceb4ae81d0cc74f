import { useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import type { ListQuery } from '../../../schemas/api/paging.ts'
import { defaultPageSize, pageSizes } from '../../../schemas/constants.ts'

/** The longest search text the API takes. */
export const maxSearchLength = 200
const lastPage = 10_000_000
const defaults: ListQuery = { page: 1, size: defaultPageSize, search: '', sort: '' }
const wholeNumber = /^[1-9]\d{0,9}$/

/** What the URL asks of a list. A value that is missing, malformed or out of range is read as the default. */
export const readQuery = (params: URLSearchParams, fields: readonly string[]): ListQuery => {
  const page = params.get('page') ?? ''
  const size = Number(params.get('size') ?? '')
  const search = params.get('search') ?? ''
  const sort = params.get('sort') ?? ''
  return {
    page: wholeNumber.test(page) && Number(page) <= lastPage ? Number(page) : defaults.page,
    size: pageSizes.find((known) => known === size) ?? defaults.size,
    search: search.length <= maxSearchLength ? search : defaults.search,
    sort: fields.includes(sort.replace(/^-/, '')) ? sort : defaults.sort,
  }
}

/** The same parameters asking for this query: defaults are left out, parameters of others are kept. */
export const writeQuery = (params: URLSearchParams, query: ListQuery): URLSearchParams => {
  const written = new URLSearchParams(params)
  for (const name of ['page', 'size', 'search', 'sort'] as const) {
    if (query[name] === defaults[name]) written.delete(name)
    else written.set(name, String(query[name]))
  }
  return written
}

/** The parameters without what `readQuery` would not take at its word; null when there is nothing to correct. */
export const correctedParameters = (params: URLSearchParams, fields: readonly string[]): URLSearchParams | null => {
  const query = readQuery(params, fields)
  const wrong = (['page', 'size', 'search', 'sort'] as const).filter((name) => {
    const values = params.getAll(name)
    return values.length > 1 || (values.length === 1 && values[0] !== String(query[name]))
  })
  return wrong.length === 0 ? null : writeQuery(params, query)
}

/** The record the URL opens: its id, 'new', or null when the dialog is closed or the value makes no sense. */
export const readOpen = (params: URLSearchParams): number | 'new' | null => {
  const open = params.get('open')
  if (open === 'new') return 'new'
  return open !== null && wholeNumber.test(open) ? Number(open) : null
}

export const writeOpen = (params: URLSearchParams, open: number | 'new' | null): URLSearchParams => {
  const written = new URLSearchParams(params)
  if (open === null) written.delete('open')
  else written.set('open', String(open))
  return written
}

const locationOf = (params: URLSearchParams) => ({ search: params.size === 0 ? '' : `?${params}` })

/** History state of an address that was reached from its own list: leaving it is going back. */
const fromList = { fromList: true }
const isFromList = (state: unknown) => typeof state === 'object' && state !== null && 'fromList' in state

/** The URL of a list screen as it is now, and the ways to change it. */
export const useListAddress = (fields: readonly string[]) => {
  const { search, state } = useLocation()
  const navigate = useNavigate()
  return useMemo(() => {
    const params = new URLSearchParams(search)
    const query = readQuery(params, fields)
    const queryTo = (change: Partial<ListQuery>) => locationOf(writeQuery(params, { ...query, ...change }))
    const openTo = (open: number | 'new') => ({ to: locationOf(writeOpen(params, open)), state: fromList })
    return {
      query,
      open: readOpen(params),
      /** True for a value that makes no sense, too. */
      hasOpen: params.has('open'),
      queryTo,
      openTo,
      go: (change: Partial<ListQuery>, options: { replace?: boolean } = {}) =>
        void navigate(queryTo(change), options),
      /** Says the same query properly, once, when the URL does not. */
      correct: () => {
        const better = correctedParameters(params, fields)
        if (better) void navigate(locationOf(better), { replace: true, state })
      },
      openRow: (open: number | 'new') => void navigate(openTo(open).to, { state: fromList }),
      leaveRow: () =>
        void (isFromList(state) ? navigate(-1) : navigate(locationOf(writeOpen(params, null)), { replace: true })),
    }
  }, [search, state, navigate, fields])
}

export type ListAddress = ReturnType<typeof useListAddress>
