import type { Entity, Row } from '../../../schemas/entities/entity.ts'
import type { Db } from '../../db/db.ts'
import { writeCountSql } from '../../db/merchantCount.ts'
import { isWriteCounted } from '../rowCounts.ts'
import { entityScopeCondition, fromClause, statementFor } from '../sql.ts'
import { cacheKey, putInCache } from './cache.ts'
import { listColumns } from './pages.ts'

/** A page of a list as it is requested: `offset` rows are skipped, `size` are read. */
export type PageRequest = {
  entity: Entity
  scope: number[] | null
  search: string
  filter: string
  sort: string
  offset: number
  size: number
}

/** The most pages whose ids a process caches, and the most ids of whole orders: 16 MB. */
const maxPages = 2_000
const maxIds = 4_000_000
/** The most bytes of the rows of pages that a process caches, as `sizeOf` estimates them. */
export const maxRowBytes = 16_000_000
/** The ids of a list with more rows than this are not cached. */
export const maxOrder = 1_000_000
/** Pages from this row on are cut out of the cached ids; earlier ones are found in an index as quickly. */
export const farOffset = 1_000

/** `writecount` is the number of writes when the row was read, where writes are counted. */
export type ListRow = Row & { writecount?: number }

/** The rows alone, which their caller sees. */
export function withoutWriteCount(found: ListRow[]): Row[] {
  for (const row of found) delete row.writecount
  return found
}

type CachedPage = { writes: number; total: number; ids: readonly number[] }
/** The rows of a page whose ids are cached too, or are part of a cached order. */
type CachedRows = { writes: number; rows: Row[]; bytes: number }
/**
 * The ids of all rows of a list in their order, 4 bytes each; null when a page behind `farOffset` was
 * requested once: they are read when a second one is.
 */
type CachedOrder = { writes: number; total: number; ids: Buffer | null }
type PageCache = {
  pages: Map<string, CachedPage>
  rows: Map<string, CachedRows>
  orders: Map<string, CachedOrder>
}

const caches = new WeakMap<Db, PageCache>()

function cacheOf(db: Db): PageCache {
  const cache = caches.get(db) ?? { pages: new Map(), rows: new Map(), orders: new Map() }
  caches.set(db, cache)
  return cache
}

const orderKey = ({ entity, scope, search, filter, sort }: PageRequest) =>
  cacheKey(entity.name, scope, search, filter, sort)
/** The keys of the order and of the page in it. */
function keysOf(request: PageRequest): { order: string; page: string } {
  const order = orderKey(request)
  return { order, page: `${order} ${request.offset} ${request.size}` }
}

const idsOf = (ids: Buffer, { offset, size }: PageRequest): number[] => {
  const length = ids.length / 4
  const end = Math.min(length, offset + size)
  return Array.from({ length: Math.max(0, end - offset) }, (_, n) => ids.readInt32BE((offset + n) * 4))
}

/**
 * The rows of a page that is cached, with the total of its list; null where none is cached, or something
 * was written since in any process. Callers must not change the rows: others are answered the same objects.
 */
export async function readCachedPage(
  db: Db,
  request: PageRequest,
): Promise<{ rows: Row[]; total: number } | null> {
  if (!isWriteCounted(request.entity)) return null
  const { pages, rows: cachedRows, orders } = cacheOf(db)
  const keys = keysOf(request)
  const order = orders.get(keys.order)
  const known: CachedPage | undefined = order?.ids
    ? { ...order, ids: idsOf(order.ids, request) }
    : pages.get(keys.page)
  if (!known) return null
  const rows = await readRows(db, request, known, cachedRows.get(keys.page))
  if (rows === null) {
    pages.delete(keys.page)
    cachedRows.delete(keys.page)
    orders.delete(keys.order)
    return null
  }
  if (order?.ids) putInCache(orders, keys.order, order, maxPages)
  else putInCache(pages, keys.page, known, maxPages)
  cacheRows(cachedRows, keys.page, known.writes, rows)
  return { rows, total: known.total }
}

/**
 * The rows of cached ids; null when the number of writes is another by now. Where the rows are cached,
 * that number alone is read; else one statement reads both, so that they are of one snapshot.
 */
async function readRows(
  db: Db,
  { entity, scope }: PageRequest,
  { ids, writes }: CachedPage,
  cached: CachedRows | undefined,
): Promise<Row[] | null> {
  if (ids.length === 0 || cached?.writes === writes) {
    const [now] = await db.prepared<{ writes: number }>(`select (${writeCountSql}) as writes`)
    return now!.writes === writes ? (cached?.rows ?? []) : null
  }
  const found = await db.prepared<ListRow>(
    statementFor(
      scope,
      `select ${listColumns(entity)}
        from unnest($2::int[]) with ordinality p(id, n)
        join ${fromClause(entity, ' on t.id = p.id')} where ${entityScopeCondition(entity)} order by p.n`,
    ),
    [scope, ids],
  )
  if (found.length !== ids.length || found[0]!.writecount !== writes) return null
  return withoutWriteCount(found)
}

/** An estimate of the bytes that a row takes in memory, with two for each character. */
const sizeOf = (row: Row): number =>
  Object.values(row).reduce<number>((sum, value) => {
    if (typeof value === 'string') return sum + 24 + 2 * value.length
    if (value === null || typeof value !== 'object') return sum + 8
    return sum + 100 + (value instanceof Uint8Array ? value.length : 2 * JSON.stringify(value).length)
  }, 100)

/** Caches the rows of a page; the least recently used ones are evicted for it. */
function cacheRows(cache: PageCache['rows'], key: string, writes: number, rows: Row[]): void {
  const known = cache.get(key)
  if (known?.rows === rows) return putInCache(cache, key, known, maxPages)
  const bytes = rows.reduce((sum, row) => sum + sizeOf(row), 0)
  putInCache(cache, key, { writes, rows, bytes }, maxPages)
  evict(cache, (it) => it.bytes, maxRowBytes)
}

/** Evicts the least recently used entries until the sizes of all others add up to at most `max`. */
function evict<V>(cache: Map<string, V>, size: (value: V) => number, max: number): void {
  let sum = [...cache.values()].reduce((before, each) => before + size(each), 0)
  for (const [oldest, each] of cache) {
    if (sum <= max) break
    sum -= size(each)
    cache.delete(oldest)
  }
}

/** Caches a page, and notes that its list was requested behind the first rows. */
export function cachePage(
  db: Db,
  request: PageRequest,
  { writes, total, rows }: { writes: number; total: number; rows: Row[] },
): void {
  const cache = cacheOf(db)
  const keys = keysOf(request)
  const ids = rows.map(({ id }) => id)
  putInCache(cache.pages, keys.page, { writes, total, ids }, maxPages)
  cacheRows(cache.rows, keys.page, writes, rows)
  if (request.offset >= farOffset && total <= maxOrder)
    putInCache(cache.orders, keys.order, { writes, total, ids: null }, maxPages)
}

/**
 * Whether a page far behind is requested a second time since the last write that this process has seen. Then
 * the ids of the whole order are worth caching.
 */
export function isOrderWanted(db: Db, request: PageRequest): boolean {
  return request.offset >= farOffset && cacheOf(db).orders.get(orderKey(request))?.ids === null
}

/**
 * Reads the ids of a whole order and caches them, unless something was written since its first page was
 * requested. `sql` selects the ids in their order.
 */
export async function cacheOrder(
  db: Db,
  request: PageRequest,
  ordered: (total: number) => { sql: string; values: readonly unknown[] },
): Promise<void> {
  const { orders } = cacheOf(db)
  const key = orderKey(request)
  const { writes, total } = orders.get(key)!
  orders.delete(key)
  const { sql, values } = ordered(total)
  const [found] = await db.query<{ writes: number; ids: Buffer | null }>(
    `select s.writes, case when s.writes = ${writes} then (
        select string_agg(int4send(id), '') from (${sql}) o) end as ids from (${writeCountSql}) s(writes)`,
    values,
  )
  const ids = found!.ids
  if (found!.writes !== writes || ids?.length !== total * 4) return
  putInCache(orders, key, { writes, total, ids }, maxPages)
  evict(orders, (it) => (it.ids?.length ?? 0) / 4, maxIds)
}
