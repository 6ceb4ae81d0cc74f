import type { ListQuery } from '../../schemas/api/paging.ts'
import { referencesOf, sortableFields, type Entity, type Row } from '../../schemas/entities/entity.ts'
import { lookups, type LookupName, type LookupRow } from '../../schemas/entities/lookups.ts'
import type { Db } from '../db/db.ts'
import type { Caller, Handlers } from '../http/call.ts'
import { HttpError } from '../http/errors.ts'
import type { EntityRecords } from './records.ts'
import { rowCounts } from './rowCounts.ts'
import {
  entityScopeCondition,
  escapeLike,
  fieldExpression,
  fromClause,
  quoteIdentifier,
  scopeCondition,
  searchExpression,
  selectList,
} from './sql.ts'

/** A page of the records in the caller's scope, and how many there are (api 4). Throws an HttpError (400). */
export async function listRecords(
  db: Db,
  { entity, present }: EntityRecords,
  caller: Caller,
  { page, size, search, sort }: ListQuery,
) {
  if (search && entity.list.search.length === 0)
    throw new HttpError(400, `The list of ${entity.title} cannot be searched`)
  const scope = entityScopeCondition(entity)
  const where = search ? `${scope} and ${searchExpression(entity.list.search)} ilike $2` : scope
  const values = search ? [caller.scope, `%${escapeLike(search)}%`] : [caller.scope]
  const offset = (page - 1) * size
  const counts = search || sort ? undefined : rowCounts[entity.name]

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
        order by ${orderBy(entity, sort)} limit ${size} offset ${rest}`,
      values,
    )
  }
  const [data, total_length] = await Promise.all([readRows(), countRows()])
  return { data: data.map((row) => present(row, caller)), total_length }
}

/** A reference is sorted by what its column shows of the referenced record. */
function orderBy(entity: Entity, sort: string): string {
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
    const data = await db.query<LookupRow>(
      `select t.id, ${fields.map((field) => `t.${quoteIdentifier(field)}`).join(', ')}
        from ${quoteIdentifier(table)} t
        where ${scopeCondition(scope)} and ($2 = '' or ${searchExpression(fields)} ilike $2)
          and ($3::int is null or t.id = $3)
        order by t.${quoteIdentifier(fields[0])}, t.id limit $4`,
      [caller.scope, query.search ? `%${escapeLike(query.search)}%` : '', query.id ?? null, query.size],
    )
    return { data }
  }
