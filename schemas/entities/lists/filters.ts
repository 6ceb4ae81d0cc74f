import { isIsoDay } from '../../dates.ts'
import type { Column, Entity, Property } from '../entity.ts'
import { optionsOf, propertyOf, type Option, valueTitle } from './columns.ts'

/** How a column is filtered (lists 15). */
type FilterKind = 'choice' | 'reference' | 'days' | 'months' | 'numbers' | 'text'

/** What a filter asks of a value. Bounds are as in the address, and belong to the range; null is none. */
export type FilterTest =
  | { is: 'empty' | 'filled' }
  | { is: 'among'; values: readonly Option['value'][] }
  | { is: 'between'; from: string | null; to: string | null }

export type Filter = { column: Column; kind: FilterKind; test: FilterTest }

/** The most records one filter may name. */
export const maxReferences = 50

const kinds: Partial<Record<NonNullable<Column['as']>, FilterKind>> = {
  choice: 'choice',
  flag: 'choice',
  label: 'reference',
  date: 'days',
  moment: 'days',
  month: 'months',
  dollars: 'numbers',
  percent: 'numbers',
  number: 'numbers',
}

/** How a column is filtered; null for one that is not: a secret, and the number of a record. */
function filterKind(column: Column, property: Property): FilterKind | null {
  if (property.secret || property.writeOnly) return null
  if (column.as && column.as !== 'text') return kinds[column.as] ?? null
  return [property.type].flat().includes('string') ? 'text' : null
}

/** Whether rows without a value can be asked for. Where 'None' is a choice, that is chosen instead. */
export const canBeEmpty = ({ kind, property }: { kind: FilterKind; property: Property }): boolean => {
  if (kind === 'text') return (property.minLength ?? 0) === 0
  if (kind === 'choice' && property.oneOf?.some((option) => option.const === null)) return false
  const types = [property.type].flat()
  return types.includes('null') || typeof property.none === 'string' || property.kind === 'seconds'
}

/** The columns of a list that can be filtered, in their order; a text only where it may be missing. */
export const filterColumns = (entity: Entity): { column: Column; property: Property; kind: FilterKind }[] =>
  entity.list.columns.flatMap((column) => {
    const property = propertyOf(entity, column)
    const kind = filterKind(column, property)
    return kind && (kind !== 'text' || canBeEmpty({ kind, property })) ? [{ column, property, kind }] : []
  })

/** A choice as it is written in the address: its code. */
export const codeOf = (value: Option['value']): string => (value === null ? 'none' : String(value))

/** A day from 1000 to 2999. */
const isDay = (text: string) => /^[12]/.test(text) && isIsoDay(text)
const bounds: Record<'days' | 'months' | 'numbers', { fits: (text: string) => boolean; as: string }> = {
  days: { fits: isDay, as: 'a day as 2026-01-31' },
  months: { fits: (text) => /^20\d\d-(0[1-9]|1[0-2])$/.test(text), as: 'a month as 2026-01' },
  numbers: { fits: (text) => /^-?\d{1,12}(\.\d{1,4})?$/.test(text), as: 'a number as 1250.5' },
}

/** A value that cannot be read; its message ends the sentence that begins with the title of the column. */
class FilterFault extends Error {}

function parseRange(kind: 'days' | 'months' | 'numbers', text: string): FilterTest {
  const [from = '', to = '', ...more] = text.split('..')
  const { fits, as } = bounds[kind]
  if (!text.includes('..') || more.length > 0 || (from === '' && to === ''))
    throw new FilterFault(`a range is written from..to, one of them may be missing`)
  const wrong = [from, to].find((bound) => bound !== '' && !fits(bound))
  if (wrong !== undefined) throw new FilterFault(`${JSON.stringify(wrong)} is not ${as}`)
  const isTurned = kind === 'numbers' ? Number(from) > Number(to) : from > to
  if (from !== '' && to !== '' && isTurned) throw new FilterFault(`${from} comes after ${to}`)
  return { is: 'between', from: from || null, to: to || null }
}

function parseReferences(text: string, { none }: Property): FilterTest {
  const ids = text.split(',').map((id) => {
    const isId = /^[1-9]\d{0,9}$/.test(id) && Number(id) <= 2_147_483_647
    if (!isId && !(id === '0' && typeof none === 'string'))
      throw new FilterFault(`${JSON.stringify(id)} is not the number of a record`)
    return Number(id)
  })
  if (ids.length > maxReferences) throw new FilterFault(`at most ${maxReferences} records can be named`)
  return { is: 'among', values: ids }
}

function parseChoices(text: string, options: readonly Option[]): FilterTest {
  const values = text.split(',').map((code) => {
    const option = options.find(({ value }) => codeOf(value) === code)
    if (option) return option.value
    const codes = options.map(({ value, title }) => `${codeOf(value)} (${title})`)
    throw new FilterFault(`${JSON.stringify(code)} is none of ${codes.join(', ')}`)
  })
  return { is: 'among', values }
}

type FilterColumn = ReturnType<typeof filterColumns>[number]

function parseTest(it: FilterColumn, text: string): FilterTest {
  const { column, property, kind } = it
  if (text === 'empty' || text === 'filled') {
    if (canBeEmpty(it)) return { is: text }
    throw new FilterFault('it is never empty')
  }
  if (kind === 'text') throw new FilterFault('it can be empty or filled')
  if (kind === 'choice') return parseChoices(text, optionsOf(column, property))
  return kind === 'reference' ? parseReferences(text, property) : parseRange(kind, text)
}

/**
 * The filters of an address: 'status:empty;masteragentid:7,9;date_added:2026-01-01..'. Where one cannot be
 * read, `fault` is a sentence that names it, and nothing is filtered.
 */
export function parseFilters(entity: Entity, text: string): { filters: Filter[]; fault: string | null } {
  const columns = filterColumns(entity)
  const filters: Filter[] = []
  for (const part of text === '' ? [] : text.split(';')) {
    const colon = part.indexOf(':')
    const field = colon < 0 ? part : part.slice(0, colon)
    const found = columns.find(({ column }) => column.field === field)
    if (!found) {
      const names = columns.map(({ column }) => column.field).join(', ') || 'none'
      return { filters: [], fault: `${JSON.stringify(field)} is no filter of this list: use ${names}` }
    }
    const title = valueTitle(found.column, found.property)
    if (filters.some(({ column }) => column.field === field))
      return { filters: [], fault: `Filter ${title}: it is there twice` }
    try {
      const test = parseTest(found, colon < 0 ? '' : part.slice(colon + 1))
      filters.push({ column: found.column, kind: found.kind, test })
    } catch (error) {
      if (!(error instanceof FilterFault)) throw error
      return { filters: [], fault: `Filter ${title}: ${error.message}` }
    }
  }
  return { filters, fault: null }
}

const writeTest = (test: FilterTest): string => {
  if (test.is === 'among') return test.values.map(codeOf).join(',')
  return test.is === 'between' ? `${test.from ?? ''}..${test.to ?? ''}` : test.is
}

/** Filters as `parseFilters` reads them. */
export const writeFilters = (filters: readonly Pick<Filter, 'column' | 'test'>[]): string =>
  filters.map(({ column, test }) => `${column.field}:${writeTest(test)}`).join(';')

/** The address of a list with the records alone that refer to this one by the field. */
export const referringPath = ({ path }: Pick<Entity, 'path'>, field: string, id: number): string =>
  `${path}?filter=${field}:${id}`
