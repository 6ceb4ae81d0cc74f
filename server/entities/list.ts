import { escapeIdentifier } from 'pg'
import type { ListQuery } from '../../schemas/api/paging.ts'
import type { Row } from '../../schemas/entities/entity.ts'
import type { Db } from '../db/db.ts'
import type { Caller } from '../http/call.ts'
import { binder, listCondition } from './condition.ts'
import {
  isOrderWanted,
  cacheOrder,
  cachePage,
  readCachedPage,
  withoutWriteCount,
  type PageRequest,
  type ListRow,
} from './paging/cachedPages.ts'
import { listOrder, orderBy } from './paging/order.ts'
import { listColumns, orderIds, pageByAgent, pageSql, type PageOf } from './paging/pages.ts'
import { listTotal, type Total } from './paging/totals.ts'
import type { EntityRecords } from './records.ts'
import { rowCounts } from './rowCounts.ts'
import { fromClause, statementFor } from './sql.ts'

type Condition = Awaited<ReturnType<typeof listCondition>>

/** A page of the records in the caller's scope, and how many there are (api 4). Throws an HttpError (400). */
export async function listRecords(
  db: Db,
  { entity, present }: EntityRecords,
  caller: Caller,
  { page, size, search, sort, filter }: ListQuery,
) {
  const { scope } = caller
  const request: PageRequest = { entity, scope, search, filter, sort, offset: (page - 1) * size, size }
  const { rows, total } = (await readCachedPage(db, request)) ?? (await readPage(db, caller, request))
  return { data: rows.map((row) => present(row, caller)), total_length: total }
}

/** Reads a page and its total, and caches both for those who ask for it again (decision 31). */
async function readPage(
  db: Db,
  caller: Caller,
  request: PageRequest,
): Promise<{ rows: Row[]; total: number }> {
  const { entity, scope, search, filter, sort, offset, size } = request
  const order = listOrder(entity, sort)
  const condition = await listCondition(db, entity, caller, { search, filter })
  const pageOf: PageOf = { entity, where: condition.where, order, size, offset }
  const isUnfiltered = search === '' && filter === ''
  const isCounted = isUnfiltered && rowCounts[entity.name] !== undefined
  // Rows sorted by id, or by their agent, are found by their counts.
  const isSeekable = isCounted && (order.key === '' || order.of === 'reference')
  if (!isSeekable && isOrderWanted(db, request)) {
    await cacheOrder(db, request, (total) => {
      const values = [...condition.values]
      return { sql: statementFor(scope, orderIds(pageOf, total, binder(values))), values }
    })
    const cached = await readCachedPage(db, request)
    if (cached) return cached
  }
  const [found, total] = isCounted
    ? await readCounted(db, caller, pageOf, condition)
    : await Promise.all([
        readRows(db, caller, pageOf, { ...condition, isUnfiltered }),
        countRows(db, caller, pageOf, { ...condition, isUnfiltered }),
      ])
  const rowWrites = found[0]?.writecount
  const rows = withoutWriteCount(found)
  // Page and total are cached together only if no write came between them; a total of 0 has an empty page.
  const { writes } = total
  if (writes !== null && (total.n === 0 || writes === rowWrites))
    cachePage(db, request, { writes, total: total.n, rows })
  return { rows, total: total.n }
}

/** A page of all rows in the scope, of a table whose rows are counted. */
async function readCounted(
  db: Db,
  { scope }: Caller,
  request: PageOf,
  { values }: Condition,
): Promise<[ListRow[], Total]> {
  const counts = rowCounts[request.entity.name]!
  const total = await counts.total(db, scope)
  const all = request.order.key !== '' && scope !== null ? (await counts.total(db, null)).n : total.n
  const page = { ...request, counted: { all, inScope: total.n } }
  const bound = [...values]
  const bind = binder(bound)
  const { entity, where, order, size, offset } = page
  if (order.key !== '') {
    const sql = (await pageByAgent(db, page, scope, bind)) ?? pageSql(page, bind)
    return [await db.prepared<ListRow>(statementFor(scope, sql), bound), total]
  }
  const { from, rest } = await counts.seek(db, scope, offset)
  const start = from > 0 ? ` and t.id >= ${bind(from)}` : ''
  const skip = rest > 0 ? ` offset ${bind(rest)}` : ''
  const sql = `select ${listColumns(entity)} from ${fromClause(entity)} where ${where}${start}
    order by ${orderBy(order)} limit ${size}${skip}`
  return [await db.prepared<ListRow>(statementFor(scope, sql), bound), total]
}

type ListCondition = Condition & { isUnfiltered: boolean }

/**
 * The rows of a page. Words and filters are planned for their own values: how many rows they match decides
 * how these are found.
 */
function readRows(
  db: Db,
  { scope }: Caller,
  request: PageOf,
  { values, isUnfiltered }: ListCondition,
): Promise<ListRow[]> {
  const bound = [...values]
  const sql = statementFor(scope, pageSql(request, binder(bound)))
  return isUnfiltered ? db.prepared<ListRow>(sql, bound) : db.query<ListRow>(sql, bound)
}

function countRows(
  db: Db,
  { scope }: Caller,
  { entity, where }: PageOf,
  { values, isUnfiltered }: ListCondition,
): Promise<Total> {
  const sql = statementFor(
    scope,
    `select count(*) as n from ${escapeIdentifier(entity.table)} t where ${where}`,
  )
  return listTotal(db, entity, { sql, values, isFrequent: isUnfiltered })
}
