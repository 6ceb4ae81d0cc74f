import type { ListQuery } from '../../schemas/api/paging.ts'
import { referencesOf, sortableFields, type Entity, type Row } from '../../schemas/entities/entity.ts'
import { lookups, type LookupName, type LookupRow } from '../../schemas/entities/lookups.ts'
import type { Db } from '../db/db.ts'
import type { Caller, Handlers } from '../http/call.ts'
import { HttpError } from '../http/errors.ts'
import { binder, listCondition, searchWords, wordPattern } from './condition.ts'
import type { EntityRecords } from './records.ts'
import { rowCounts } from './rowCounts.ts'
import { fieldExpression, fromClause, quoteIdentifier, scopeCondition, selectList } from './sql.ts'

/** A page of the records in the caller's scope, and how many there are (api 4). Throws an HttpError (400). */
export async function listRecords(
  db: Db,
  { entity, present }: EntityRecords,
  caller: Caller,
  { page, size, search, sort, filter }: ListQuery,
) {
  const order = orderBy(entity, sort)
  const { where, values } = await listCondition(db, entity, caller, { search, filter })
  const offset = (page - 1) * size
  const counts = search || sort || filter ? undefined : rowCounts[entity.name]

  const countRows = async () => {
    if (counts) return counts.total(db, caller.scope)
    const [count] = await db.query<{ n: number }>(
      `select count(*) as n from ${quoteIdentifier(entity.table)} t where ${where}`,
      values,
    )
    return count!.n
  }
  const readRows = async () => {
    const { from, rest } = counts ? await counts.seek(db, caller.scope, offset) : { from: 0, rest: offset }
    const start = from > 0 ? ` and t.id >= ${from}` : ''
    return db.query<Row>(
      `select ${selectList(entity)} from ${fromClause(entity)} where ${where}${start}
        order by ${order} limit ${size} offset ${rest}`,
      values,
    )
  }
  const [data, total_length] = await Promise.all([readRows(), countRows()])
  return { data: data.map((row) => present(row, caller)), total_length }
}

/**
 * The order of a list: by a field, or its own. A reference is sorted by what its column shows of the
 * referenced record. Throws an HttpError (400).
 */
export function orderBy(entity: Entity, asked: string): string {
  const sort = asked || entity.list.sort || ''
  const field = sort.replace(/^-/, '')
  if (field === '') return 't.id'
  const sortable = sortableFields(entity)
  if (!sortable.includes(field))
    throw new HttpError(400, `sort must be one of ${sortable.join(', ')}, or one with a leading -`)
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  return `${sortExpression(entity, field)} ${direction} nulls last, t.id`
}

function sortExpression(entity: Entity, field: string): string {
  const references = referencesOf(entity)
  const index = references.findIndex(([name]) => name === field)
  if (index < 0) return fieldExpression(entity, field)
  const { show } = entity.schema.properties[field]!
  const [, lookup] = references[index]!
  const shown = typeof show === 'string' ? show : lookups[lookup as LookupName].fields[0]
  return `r${index}.${quoteIdentifier(shown)}`
}

/** GET /{name}/ids: the first records that match, for a picker (lists 11); `id` asks for one by its id. */
export const lookupHandler =
  (db: Db, name: LookupName): Handlers['ids'][LookupName] =>
  async ({ caller, query }) => {
    const { table, scope, fields } = lookups[name]
    const values: unknown[] = [caller.scope, query.id ?? null, query.size]
    const words = searchWords(query.search).map((word) => {
      const pattern = wordPattern(word, binder(values))
      const names = fields.map((field) => `lower(t.${quoteIdentifier(field)}) like ${pattern}`)
      return ` and t.searched like ${pattern} and (${names.join(' or ')})`
    })
    const data = await db.query<LookupRow>(
      `select t.id, ${fields.map((field) => `t.${quoteIdentifier(field)}`).join(', ')}
        from ${quoteIdentifier(table)} t
        where ${scopeCondition(scope)} and ($2::int is null or t.id = $2)${words.join('')}
        order by t.${quoteIdentifier(fields[0])}, t.id limit $3`,
      values,
    )
    return { data }
  }
