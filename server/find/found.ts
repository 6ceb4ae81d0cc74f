import { escapeIdentifier } from 'pg'
import type { FoundKind } from '../../schemas/api/find/find.ts'
import { foundPerKind } from '../../schemas/api/find/findText.ts'
import { recordsTitle, opensRecords, type Entity } from '../../schemas/entities/entity.ts'
import { lookups, type LookupName } from '../../schemas/entities/lookups.ts'
import type { Sql } from '../db/db.ts'
import { escapeLike, searchText } from '../db/search.ts'
import { binder, listCondition } from '../entities/condition.ts'
import type { Caller } from '../http/call.ts'

/** What was found of one kind, and whether the name of one of them has all words. */
export type SearchedKind = FoundKind & { isNamed: boolean }

/** So many matches at most are put into order; beyond them the list is the place to look. */
const maxOrdered = 200

/**
 * The fields by which a record is named, two at most: those of its lookup, else the first texts of its
 * list, of which its required month takes the place of the second: a processor has a statement for each
 * month. Secret and computed fields name nothing.
 */
export const namingFields = (entity: Entity): readonly string[] => {
  const lookup = lookups[entity.name as LookupName]
  if (lookup) return lookup.fields
  const { properties, required } = entity.schema
  const texts = entity.list.columns
    .filter(({ field, as = 'text' }) => {
      const { kind, type, secret, virtual } = properties[field] ?? {}
      return as === 'text' && type === 'string' && kind !== 'textarea' && !secret && !virtual
    })
    .map(({ field }) => field)
  const months = required.filter((field) => properties[field]?.kind === 'month')
  return [...texts.slice(0, 2 - months.length), ...months]
}

/** The text of a naming field: of a month, 'October 2026'. */
const namingText = (entity: Entity, field: string) => {
  const column = `t.${escapeIdentifier(field)}`
  return entity.schema.properties[field]?.kind === 'month' ? `to_char(${column}, 'FMMonth YYYY')` : column
}

/** The address that opens a record, or shows it in its list to those who may not open it. */
const addressOf = (entity: Entity, caller: Caller, { id, name }: { id: number; name: string }) =>
  opensRecords(entity)(caller)
    ? `${entity.path}?open=${id}`
    : `${entity.path}?${new URLSearchParams({ search: name })}`

/**
 * The records of an entity that its list finds by these words, of those the caller may list: names that begin
 * with the first word come first, then those that have all words (everywhere 1).
 */
export async function findRecords(
  sql: Sql,
  entity: Entity,
  caller: Caller,
  words: readonly string[],
): Promise<SearchedKind> {
  const naming = namingFields(entity)
  const search = words.join(' ')
  const { where, values } = await listCondition(sql, entity, caller, { search, filter: '' })
  const bind = binder(values)
  const columns = naming.map((field) => namingText(entity, field))
  const name = `concat_ws(' - ', ${columns.map((column) => `nullif(${column}, '')`).join(', ')})`
  const begins = searchText(bind(`${escapeLike(words[0] ?? '')}%`))
  const starts = naming.map((_, index) => `${searchText(`f.part${index}`)} like ${begins}`).join(' or ')
  const named = words
    .map((word) => `${searchText('f.name')} like ${searchText(bind(`%${escapeLike(word)}%`))}`)
    .join(' and ')
  const rows = await sql.query<{ id: number; name: string; first: string; named: boolean }>(
    `select id, name, part0 as first, ${named} as named from (
      select t.id, ${name} as name, ${columns.map((column, index) => `${column} as part${index}`).join(', ')}
      from ${escapeIdentifier(entity.table)} t
      where ${where} limit ${maxOrdered}) f
     order by (${starts}) desc, named desc, name, id limit ${foundPerKind + 1}`,
    values,
  )
  const all = `${entity.path}?${new URLSearchParams({ search })}`
  return {
    title: recordsTitle(entity),
    rows: rows.slice(0, foundPerKind).map(({ id, name: full, first }) => ({
      text: full || `#${id}`,
      to: addressOf(entity, caller, { id, name: first }),
    })),
    all: rows.length > foundPerKind ? all : '',
    slow: false,
    isNamed: rows.some(({ named: has }) => has),
  }
}
