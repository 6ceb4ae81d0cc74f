import type { ListQuery } from '../../schemas/api/paging.ts'
import type { Entity, Row } from '../../schemas/entities/entity.ts'
import type { Db } from '../db/db.ts'
import type { Caller } from '../http/call.ts'
import { binder, listCondition } from './condition.ts'
import { listOrder, orderBy } from './paging/order.ts'
import { pageByAgent, pageSql, type PageOf } from './paging/pages.ts'
import { listTotal } from './paging/totals.ts'
import type { EntityRecords } from './records.ts'
import { rowCounts } from './rowCounts.ts'
import { fromClause, quoteIdentifier, selectList, statementFor } from './sql.ts'

type Condition = Awaited<ReturnType<typeof listCondition>>

/** A page of the records in the caller's scope, and how many there are (api 4). Throws an HttpError (400). */
export async function listRecords(
  db: Db,
  { entity, present }: EntityRecords,
  caller: Caller,
  { page, size, search, sort, filter }: ListQuery,
) {
  const order = listOrder(entity, sort)
  const condition = await listCondition(db, entity, caller, { search, filter })
  const asked: PageOf = { entity, where: condition.where, order, size, offset: (page - 1) * size }
  const isWhole = search === '' && filter === ''
  const counts = isWhole ? rowCounts[entity.name] : undefined
  if (counts) {
    const inScope = await counts.total(db, caller.scope)
    const isCounted = order.key !== '' && caller.scope !== null
    const all = isCounted ? await counts.total(db, null) : inScope
    const data = await readPage(db, caller, { ...asked, counted: { all, inScope } }, condition)
    const total_length = inScope
    return { data: data.map((row) => present(row, caller)), total_length }
  }
  const [data, total_length] = await Promise.all([
    readAsked(db, caller, asked, condition, isWhole),
    countRows(db, caller, entity, condition, isWhole),
  ])
  return { data: data.map((row) => present(row, caller)), total_length }
}

/** A page of all rows in the scope, of a table whose rows are counted. */
async function readPage(db: Db, { scope }: Caller, asked: PageOf, { values }: Condition): Promise<Row[]> {
  const bound = [...values]
  const bind = binder(bound)
  const { entity, where, order, size, offset } = asked
  if (order.key !== '') {
    const sql = (await pageByAgent(db, asked, scope, bind)) ?? pageSql(asked, bind)
    return db.prepared<Row>(statementFor(scope, sql), bound)
  }
  const { from, rest } = await rowCounts[entity.name]!.seek(db, scope, offset)
  const start = from > 0 ? ` and t.id >= ${bind(from)}` : ''
  const skip = rest > 0 ? ` offset ${bind(rest)}` : ''
  return db.prepared<Row>(
    statementFor(
      scope,
      `select ${selectList(entity)} from ${fromClause(entity)} where ${where}${start}
        order by ${orderBy(order)} limit ${size}${skip}`,
    ),
    bound,
  )
}

/**
 * A page of the rows that are asked for. Words and filters are planned for their own values: how many rows
 * they match decides how these are found.
 */
function readAsked(
  db: Db,
  { scope }: Caller,
  asked: PageOf,
  { values }: Condition,
  isWhole: boolean,
): Promise<Row[]> {
  const bound = [...values]
  const sql = statementFor(scope, pageSql(asked, binder(bound)))
  return isWhole ? db.prepared<Row>(sql, bound) : db.query<Row>(sql, bound)
}

function countRows(
  db: Db,
  { scope }: Caller,
  entity: Entity,
  { where, values }: Condition,
  isWhole: boolean,
): Promise<number> {
  const sql = statementFor(
    scope,
    `select count(*) as n from ${quoteIdentifier(entity.table)} t where ${where}`,
  )
  return listTotal(db, entity.name, { sql, values, isFrequent: isWhole })
}
