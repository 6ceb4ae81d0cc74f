import { escapeIdentifier } from 'pg'
import { secondsInDay } from '../../schemas/dates.ts'
import type { Column, Entity, Property } from '../../schemas/entities/entity.ts'
import { flagWord, propertyOf } from '../../schemas/entities/lists/columns.ts'
import {
  canBeEmpty,
  parseFilters,
  type Filter,
  type FilterTest,
} from '../../schemas/entities/lists/filters.ts'
import { lookups, type LookupName } from '../../schemas/entities/lookups.ts'
import type { Sql } from '../db/db.ts'
import { escapeLike, searchText } from '../db/search.ts'
import type { Caller } from '../http/call.ts'
import { HttpError } from '../http/errors.ts'
import { entityHooks } from './entityHooks.ts'
import { entityScopeCondition, fieldExpression, labelText } from './sql.ts'

/** Adds a value to those of a statement and answers its placeholder. */
export type Bind = (value: unknown) => string
export const binder =
  (values: unknown[]): Bind =>
  (value) =>
    `$${values.push(value)}`

/** What a list is asked for besides its page: words in any order, and filters as in its address. */
type SearchAndFilter = { search: string; filter: string }

/** The most words of one search: each is looked for in the rows and in what they refer to (lists 14). */
const maxWords = 12
/** The most records of a referenced table that are named in a statement; more are looked up within it. */
const maxNamed = 2000

/**
 * The words of a search, each once. A dash between words is none: names are pasted as 'MA0002 - North'.
 * Throws an HttpError (400) for too many.
 */
export function searchWords(search: string): string[] {
  const words = [...new Set(search.split(/\s+/).filter((word) => word !== ''))]
  const names = words.length > 1 ? words.filter((word) => word !== '-') : words
  if (names.length > maxWords) throw new HttpError(400, `search may have at most ${maxWords} words`)
  return names
}

/**
 * Moves what was written since the last time to its place in the indexes of searched texts, and answers how
 * many pages it took (migration 041). Nobody waits for it; what is not moved makes searches slower.
 */
export async function mergeSearchEntries(sql: Sql): Promise<number> {
  const [merged] = await sql.query<{ pages: number }>('select search_entries_merge() as pages')
  return merged!.pages
}

/** The pattern of LIKE that finds a word anywhere, as SQL that the index of `searched` understands. */
export const wordPattern = (word: string, bind: Bind) => searchText(bind(`%${escapeLike(word)}%`))

/** A number of at least so many digits is looked for by so many of its last ones. */
const [longNumber, lastDigits] = [8, 6]
const isLongNumber = (word: string) => word.length >= longNumber && /^\d+$/.test(word)

/**
 * The condition that an indexed text has the word. The numbers of a processor's merchants begin alike, and
 * the index compares all pieces of a word, each of which a million of them have: a number is looked for by
 * its last digits, and the few that end so are compared without the index.
 */
export function hasWord(text: string, word: string, bind: Bind): string {
  const whole = wordPattern(word, bind)
  if (!isLongNumber(word)) return `${text} like ${whole}`
  return `(${text} like ${wordPattern(word.slice(-lastDigits), bind)} and ${text} || '' like ${whole})`
}

/**
 * The condition, and its values, for the rows in the caller's scope that a list is asked for. Throws an
 * HttpError (400).
 */
export async function listCondition(
  sql: Sql,
  entity: Entity,
  { scope }: Pick<Caller, 'scope'>,
  { search, filter }: SearchAndFilter,
): Promise<{ where: string; values: unknown[] }> {
  const words = searchWords(search)
  if (words.length > 0 && entity.list.unsearched)
    throw new HttpError(400, `The list of ${entity.title} cannot be searched`)
  const values: unknown[] = [scope]
  const bind = binder(values)
  const parts = [
    entityScopeCondition(entity),
    ...filterConditions(entity, filter, bind, (field) => fieldExpression(entity, field)),
  ]
  for (const word of words) parts.push(await wordCondition(sql, entity, word, bind))
  return { where: parts.join(' and '), values }
}

/** A row has the word in its own texts, in the name of a record that it shows, or in a word for a code. */
async function wordCondition(sql: Sql, entity: Entity, word: string, bind: Bind): Promise<string> {
  const arms = [hasWord('t.searched', word, bind)]
  for (const column of entity.list.columns) {
    const property = propertyOf(entity, column)
    if (column.as === 'label') arms.push(...(await referenceArm(sql, entity, column, { word, bind })))
    else if (column.as === 'choice' || column.as === 'flag')
      arms.push(...codeArms(fieldExpression(entity, column.field), { column, property, word, bind }))
  }
  return `(${arms.join(' or ')})`
}

/**
 * The rows that refer to a record whose label has the word. The records are named, so that PostgreSQL knows
 * how few rows refer to them, unless they are many: then each row looks at the one that it refers to.
 * `offset 0` keeps PostgreSQL from collecting all of them instead, or, where they do not fit into its memory,
 * from reading their table again for each row.
 */
async function referenceArm(
  sql: Sql,
  entity: Entity,
  { field }: Column,
  { word, bind }: { word: string; bind: Bind },
) {
  const name = propertyOf(entity, { field, head: '' }).to as LookupName
  const table = escapeIdentifier(lookups[name].table)
  const matches = (bound: Bind) => hasWord(labelText(name, 'l'), word, bound)
  const values: unknown[] = []
  const found = await sql.query<{ id: number }>(
    `select l.id from ${table} l where ${matches(binder(values))} limit ${maxNamed + 1}`,
    values,
  )
  if (found.length === 0) return []
  const column = `t.${escapeIdentifier(field)}`
  const refers =
    found.length > maxNamed
      ? `exists (select from ${table} l where l.id = ${column} and ${matches(bind)} offset 0)`
      : `${column} = any (${bind(found.map(({ id }) => id))}::int[])`
  // A reference that the caller is not shown finds nothing.
  const shown = entityHooks[entity.name]?.read?.[field]
  return [shown ? `(${refers} and (${shown}) is not null)` : refers]
}

const sqlTypes: Readonly<Record<string, string>> = { integer: 'int', boolean: 'boolean', string: 'text' }
const sqlType = ({ type }: Property) =>
  sqlTypes[[type].flat().find((name) => name !== 'null') ?? ''] ?? 'text'

/** The rows whose code is shown by a word that has this one in it. */
export function codeArms(
  expression: string,
  { column, property, word, bind }: { column: Column; property: Property; word: string; bind: Bind },
): string[] {
  const shown: [value: unknown, title: string][] =
    column.as === 'flag'
      ? [true, false].map((value) => [value, flagWord(column, value)])
      : (property.oneOf ?? []).map((option) => [option.const, option.title])
  const codes = shown
    // Null among the codes equals nothing: a cell without a code is blank, whatever its form calls it.
    .filter(([, title]) => title.toLowerCase().includes(word.toLowerCase()))
    .map(([value]) => value)
  return codes.length === 0 ? [] : [`${expression} = any (${bind(codes)}::${sqlType(property)}[])`]
}

/**
 * A condition for each filter; `expressionOf` is the SQL that reads a field. Throws an HttpError (400) that
 * names the filter which cannot be read.
 */
export function filterConditions(
  entity: Entity,
  filter: string,
  bind: Bind,
  expressionOf: (field: string) => string,
): string[] {
  const { filters, fault } = parseFilters(entity, filter)
  if (fault !== null) throw new HttpError(400, fault, { code: 'filter' })
  return filters.map((it) => {
    const property = propertyOf(entity, it.column)
    const expression = expressionOf(it.column.field)
    if (it.test.is === 'among')
      return amongCondition(entity, { ...it, values: it.test.values }, expression, bind)
    if (it.test.is === 'between') return rangeCondition(it, it.test, expression, bind)
    return emptyCondition(it, property, expression)
  })
}

/**
 * Empty texts, days and references are stored as '' and 0. Written as comparisons, because PostgreSQL knows
 * how many rows have such a value, but not how many a function makes null of.
 */
function emptyCondition({ kind, test }: Filter, property: Property, expression: string): string {
  const without = kind === 'text' ? "''" : '0'
  const isStored =
    kind === 'text' || kind === 'days' || (kind === 'reference' && canBeEmpty({ kind, property }))
  if (test.is === 'empty')
    return isStored ? `(${expression} = ${without} or ${expression} is null)` : `${expression} is null`
  return isStored ? `${expression} <> ${without}` : `${expression} is not null`
}

function amongCondition(
  entity: Entity,
  { column, kind, values }: Omit<Filter, 'test'> & { values: readonly unknown[] },
  expression: string,
  bind: Bind,
): string {
  const property = propertyOf(entity, column)
  const codes = values.filter((value) => value !== null)
  const list = `${bind(codes)}::${sqlType(property)}[]`
  const among = `${expression} = any (${list})`
  // The plain column has an index, which what the caller is shown of it has not.
  const isComputed =
    kind === 'reference' && entityHooks[entity.name]?.read?.[column.field] && !codes.includes(0)
  const indexed = isComputed ? `t.${escapeIdentifier(column.field)} = any (${list}) and ${among}` : among
  return codes.length < values.length ? `(${indexed} or ${expression} is null)` : `(${indexed})`
}

type Range = Extract<FilterTest, { is: 'between' }>

/** Both bounds belong to the range; a day lasts until the next one begins, in UTC (lists 10). */
function rangeCondition({ kind }: Filter, { from, to }: Range, expression: string, bind: Bind): string {
  const seconds = (day: string) => `${bind(Date.parse(`${day}T00:00:00Z`) / 1000)}::bigint`
  const plain = (value: string) => `${bind(value)}::${kind === 'numbers' ? 'numeric' : 'text'}`
  const parts =
    kind === 'days'
      ? [
          // 0 is no day.
          `${expression} <> 0`,
          from && `${expression} >= ${seconds(from)}`,
          to && `${expression} < ${seconds(to)} + ${secondsInDay}`,
        ]
      : [from && `${expression} >= ${plain(from)}`, to && `${expression} <= ${plain(to)}`]
  return `(${parts.filter(Boolean).join(' and ')})`
}
