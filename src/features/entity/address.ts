import { useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import type { ListQuery } from '../../../schemas/api/paging.ts'
import { defaultPageSize, pageSizes } from '../../../schemas/constants.ts'

/** In characters (lists 4). */
export const maxSearchLength = 200
const maxPage = 10_000_000
const defaults: ListQuery = { page: 1, size: defaultPageSize, search: '', sort: '', filter: '' }
const names = ['page', 'size', 'search', 'sort', 'filter'] as const
/** Further parameters of an address: the text that each is read as, '' where it is left out. */
export type Parameters = Readonly<Record<string, (text: string) => string>>
const noParameters: Parameters = {}
const wholeNumber = /^[1-9]\d{0,9}$/

/** The query of a list in its URL. Malformed values and those out of range count as the default (lists 2). */
export const readQuery = (params: URLSearchParams, fields: readonly string[]): ListQuery => {
  const page = params.get('page') ?? ''
  const size = Number(params.get('size') ?? '')
  const search = params.get('search') ?? ''
  const sort = params.get('sort') ?? ''
  return {
    page: wholeNumber.test(page) && Number(page) <= maxPage ? Number(page) : defaults.page,
    size: pageSizes.find((offered) => offered === size) ?? defaults.size,
    search: search.length <= maxSearchLength ? search : defaults.search,
    sort: fields.includes(sort.replace(/^-/, '')) ? sort : defaults.sort,
    // Without a filter that it asks for the list would show too much, so one that cannot be read is refused.
    filter: params.get('filter') ?? defaults.filter,
  }
}

/** The parameters with this query in place of the old one: defaults are left out, other parameters kept. */
export const writeQuery = (params: URLSearchParams, query: ListQuery): URLSearchParams => {
  const written = new URLSearchParams(params)
  for (const name of names) {
    if (query[name] === defaults[name]) written.delete(name)
    else written.set(name, String(query[name]))
  }
  return written
}

const readOthers = (params: URLSearchParams, others: Parameters): Record<string, string> =>
  Object.fromEntries(Object.entries(others).map(([name, read]) => [name, read(params.get(name) ?? '')]))

const writeOthers = (params: URLSearchParams, values: Readonly<Record<string, string>>): URLSearchParams => {
  const written = new URLSearchParams(params)
  for (const [name, text] of Object.entries(values)) {
    if (text === '') written.delete(name)
    else written.set(name, text)
  }
  return written
}

/** The parameters with each value that is read otherwise corrected; null when all are right. */
export const correctedParameters = (
  params: URLSearchParams,
  fields: readonly string[],
  others: Parameters = noParameters,
): URLSearchParams | null => {
  const query = readQuery(params, fields)
  const read = readOthers(params, others)
  const wrong = [...names, ...Object.keys(others)].filter((name) => {
    const values = params.getAll(name)
    const right = String({ ...read, ...query }[name])
    return values.length > 1 || (values.length === 1 && values[0] !== right)
  })
  return wrong.length === 0 ? null : writeOthers(writeQuery(params, query), read)
}

/** The record that the URL opens: its id, 'new', or null when `open` is missing or malformed. */
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

/** Signs that need no code in an address and make its filters readable. */
const plainSigns = { '%3A': ':', '%3B': ';', '%2C': ',' } as const
const locationOf = (params: URLSearchParams) => {
  const text = String(params).replace(/%3A|%3B|%2C/g, (code) => plainSigns[code as keyof typeof plainSigns])
  return { search: text === '' ? '' : `?${text}` }
}

/** The history state of a dialog opened from its list: closing it goes back instead of adding an entry. */
const fromList = { fromList: true }
const isFromList = (state: unknown) => typeof state === 'object' && state !== null && 'fromList' in state

/**
 * The URL of a list screen: its query, its open record, the values of further parameters, and functions that
 * change them.
 */
export const useListAddress = (fields: readonly string[], others: Parameters = noParameters) => {
  const { search, state } = useLocation()
  const navigate = useNavigate()
  return useMemo(() => {
    const params = new URLSearchParams(search)
    const query = readQuery(params, fields)
    const queryLocation = (change: Partial<ListQuery>) =>
      locationOf(writeQuery(params, { ...query, ...change }))
    const linkTo = (open: number | 'new') => ({ to: locationOf(writeOpen(params, open)), state: fromList })
    return {
      query,
      open: readOpen(params),
      others: readOthers(params, others),
      /** True also when the value of `open` is malformed. */
      hasOpen: params.has('open'),
      queryLocation,
      linkTo,
      changeQuery: (change: Partial<ListQuery>, options: { replace?: boolean } = {}) =>
        void navigate(queryLocation(change), options),
      /**
       * Takes the place of the present entry of the history, for what is listed stays the same. At once, so
       * that a checkbox which shows the value does not turn back in between.
       */
      changeOthers: (values: Readonly<Record<string, string>>) =>
        void navigate(locationOf(writeOthers(params, values)), { replace: true, state, flushSync: true }),
      /** Replaces malformed parameters of the URL by the values they are read as. */
      correctUrl: () => {
        const corrected = correctedParameters(params, fields, others)
        if (corrected) void navigate(locationOf(corrected), { replace: true, state })
      },
      openRecord: (open: number | 'new') => void navigate(linkTo(open).to, { state: fromList }),
      closeRecord: () =>
        void (isFromList(state)
          ? navigate(-1)
          : navigate(locationOf(writeOpen(params, null)), { replace: true })),
    }
  }, [search, state, navigate, fields, others])
}

export type ListAddress = ReturnType<typeof useListAddress>
