import { escapeIdentifier } from 'pg'
import type { Entity } from '../../../schemas/entities/entity.ts'
import type { Sql } from '../../db/db.ts'
import { writeCountSql } from '../../db/merchantCount.ts'
import type { Bind } from '../condition.ts'
import { isWriteCounted, rowCounts } from '../rowCounts.ts'
import { fromClause, selectList } from '../sql.ts'
import { orderBy, type ListOrder } from './order.ts'

/** Of a scope with so few rows all are read and put into order; of a larger one an index is followed. */
export const maxCollected = 5_000
/** Following an index over so many entries takes as long as reading one row and putting it into order. */
const entriesPerRow = 10

/** How many rows a table has, and how many of them are in the scope, where nothing else chooses them. */
export type Counted = { all: number; inScope: number }
/** The rows of which a page is a part, and the page: `offset` rows are skipped, `size` are read. */
export type PageOf = {
  entity: Entity
  where: string
  order: ListOrder
  size: number
  offset: number
  counted?: Counted
}

/** The columns of a page; `writecount` is the number of writes when it was read, where writes are counted. */
export const listColumns = (entity: Entity) =>
  isWriteCounted(entity) ? `${selectList(entity)}, (${writeCountSql}) as writecount` : selectList(entity)

/** The statement that selects the ids of all `total` rows of a list, in their order. */
export const orderIds = (page: Omit<PageOf, 'size' | 'offset' | 'counted'>, total: number, bind: Bind) =>
  followed({ ...page, size: total, offset: 0 }, false, bind)

/**
 * The statement that reads a page: its ids are found first, then the whole rows and the names that they refer
 * to.
 */
export function pageSql(page: PageOf, bind: Bind): string {
  const { entity, order } = page
  return `select ${listColumns(entity)} from (${pageIds(page, bind)}) p
    join ${fromClause(entity, ' on t.id = p.id')} order by ${orderBy(order)}`
}

const limitOf = ({ size, offset }: PageOf, bind: Bind) =>
  // Without rows to skip the statement has no parameter that would keep PostgreSQL from planning it once.
  `limit ${size}${offset > 0 ? ` offset ${bind(offset)}` : ''}`

function pageIds(page: PageOf, bind: Bind): string {
  const { entity, where, order, counted } = page
  if (order.key === '' || !counted) return followed(page, false, bind)
  if (isCollected(page, counted))
    return `with s as materialized (
        select t.id, ${order.key} as key from ${escapeIdentifier(entity.table)} t${order.join} where ${where})
      select id from s order by ${orderBy(order, 'key', 'id')} ${limitOf(page, bind)}`
  const { inScope } = counted
  const isBehindTheMiddle = page.offset > inScope / 2 && page.offset < inScope
  if (!isBehindTheMiddle) return followed(page, false, bind)
  const size = Math.min(page.size, inScope - page.offset)
  const backwards = { ...order, isDown: !order.isDown }
  return followed({ ...page, order: backwards, size, offset: inScope - page.offset - size }, true, bind)
}

/** Whether reading all rows in the scope is less work than skipping the others in the order of the page. */
function isCollected({ offset, size }: PageOf, { all, inScope }: Counted): boolean {
  if (inScope <= maxCollected) return true
  const passed = Math.min(all, ((offset + size) * all) / inScope)
  return inScope * entriesPerRow < passed
}

/**
 * The ids of a page, found in the order of an index. An index has its nulls where PostgreSQL puts them by
 * itself, which is first downwards; for another place those without a null and those with one are read apart.
 */
function followed(page: PageOf, isNullFirst: boolean, bind: Bind): string {
  const { entity, where, order, size, offset } = page
  const table = escapeIdentifier(entity.table)
  const isApart = order.of === 'column' && order.canBeNull && order.isDown !== isNullFirst
  if (!isApart)
    return `select t.id from ${table} t${order.join} where ${where}
      order by ${orderBy(order, order.key, 't.id', isNullFirst)} ${limitOf(page, bind)}`
  const direction = order.isDown ? ' desc' : ''
  const by = `order by ${order.key}${direction}, t.id${direction}`
  const part = (condition: string) => `from ${table} t where ${where} and ${order.key} ${condition}`
  const [first, second] = isNullFirst ? ['is null', 'is not null'] : ['is not null', 'is null']
  const skipped = offset > 0 ? `${bind(offset)}::bigint` : '0'
  // Counted as far as the page goes: more of the first rows leave none of the second ones on it.
  return `with n as materialized (
      select count(*) as n from (select ${part(first)} limit ${skipped} + ${size}) c)
    select id from (
      (select t.id ${part(first)} ${by} limit ${size} offset ${skipped})
      union all
      (select t.id ${part(second)} ${by}
        limit (select greatest(0, ${size} - greatest(0, n - ${skipped})) from n)
        offset (select greatest(0, ${skipped} - n) from n))) u limit ${size}`
}

/**
 * A page of the rows in the scope, sorted by the name of the agent whom each has: the counts of the agents
 * say whose rows are on it. Null for a list without such counts.
 */
export async function pageByAgent(
  sql: Sql,
  page: PageOf,
  scope: number[] | null,
  bind: Bind,
): Promise<string | null> {
  const { entity, order, where, size, offset } = page
  const counts = rowCounts[entity.name]
  if (!counts || order.of !== 'reference' || entity.scope === null) return null
  if (!order.join.endsWith(`= t.${escapeIdentifier(entity.scope)}`)) return null
  const name = /"(\w+)"$/.exec(order.key)![1]!
  const found = await counts.agentsAt(sql, scope, { name, isDown: order.isDown, offset, size })
  const inRange = `${where} and t.${escapeIdentifier(entity.scope)} = any (${bind(found.agents)}::int[])`
  return pageSql({ ...page, where: inRange, offset: offset - found.before, counted: undefined }, bind)
}
