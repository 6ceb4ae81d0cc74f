import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Row } from '../../../schemas/entities/entity.ts'
import { entities } from '../../../schemas/entities/index.ts'
import { openDb, type Db } from '../../../server/db/db.ts'
import {
  farOffset,
  isOrderWanted,
  cacheOrder,
  cachePage,
  maxOrder,
  maxRowBytes,
  readCachedPage,
  type PageRequest,
} from '../../../server/entities/paging/cachedPages.ts'
import { rowCounts } from '../../../server/entities/rowCounts.ts'
import { openTestPortal, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
/** A process caches what it read through its own connections. */
let db: Db
beforeAll(async () => {
  portal = await openTestPortal()
  db = openDb(portal.url)
})
afterAll(async () => {
  await db.close()
  await portal.close()
})

const pageOf = (sort: string, offset: number): PageRequest => ({
  entity: entities['merchant']!,
  scope: null,
  search: '',
  filter: '',
  sort,
  offset,
  size: 10,
})
const rowOf = (id: number, dba = ''): Row => ({ id, version: 1, dba })
const writesNow = async () => (await rowCounts['merchant']!.total(db, null)).writes

test.each([
  { name: 'a page after 1 row less than far', offset: farOffset - 1, total: 5_000, isWanted: false },
  { name: 'a page at the first far row', offset: farOffset, total: 5_000, isWanted: true },
  { name: 'a page after 1 row more than far', offset: farOffset + 1, total: 5_000, isWanted: true },
  { name: 'an order of 1 row less than the most', offset: farOffset, total: maxOrder - 1, isWanted: true },
  { name: 'an order of the most rows', offset: farOffset, total: maxOrder, isWanted: true },
  { name: 'an order of 1 row more than the most', offset: farOffset, total: maxOrder + 1, isWanted: false },
])('$name is wanted as a whole the second time: $isWanted', async ({ name, offset, total, isWanted }) => {
  const request = pageOf(name, offset)
  expect(isOrderWanted(db, request)).toBe(false)
  cachePage(db, request, { writes: await writesNow(), total, rows: [rowOf(1)] })
  expect(isOrderWanted(db, { ...request, offset: offset + 10 })).toBe(isWanted)
  expect(isOrderWanted(db, { ...request, offset: farOffset - 1 })).toBe(false)
  expect(isOrderWanted(db, { ...request, sort: `-${name}`, offset: offset + 10 })).toBe(false)
  expect(isOrderWanted(db, { ...request, scope: [2], offset: offset + 10 })).toBe(false)
})

/** Caches an order whose first ids are those of the portal's merchants, and others that no merchant has. */
async function cache(name: string, total: number, writes: number) {
  const request = pageOf(name, farOffset)
  cachePage(db, request, { writes, total, rows: [rowOf(1)] })
  await cacheOrder(db, request, (rows) => ({
    sql: `(select id from merchant order by id limit 10)
      union all select n from generate_series(2000001, 2000000 + ${rows} - 10) n`,
    values: [],
  }))
}
const firstPageOf = async (name: string) => (await readCachedPage(db, pageOf(name, 0)))?.rows.length

test('four orders of a million rows are cached, and the least recently used one is evicted', async () => {
  const writes = await writesNow()
  for (const name of ['first', 'second', 'third', 'fourth']) await cache(name, maxOrder, writes)
  for (const name of ['second', 'third', 'fourth', 'first']) expect(await firstPageOf(name), name).toBe(10)
  await cache('fifth', 10, writes)
  expect(await firstPageOf('second')).toBe(undefined)
  for (const name of ['third', 'fourth', 'first', 'fifth']) expect(await firstPageOf(name), name).toBe(10)
})

test('an order is not cached when something was written since its first page, nor used after a write', async () => {
  await cache('written before', 20, (await writesNow()) - 1)
  expect(await firstPageOf('written before')).toBe(undefined)
  await cache('written after', 20, await writesNow())
  expect(await firstPageOf('written after')).toBe(10)
  await cache('never read', 20, await writesNow())
  await portal.db.query('update equipment set model = model where id = 1')
  for (const name of ['written after', 'never read']) expect(await firstPageOf(name)).toBe(undefined)
})

test('rows of pages are cached up to a size, and the least recently used ones are read again', async () => {
  const [first] = await portal.db.query<{ id: number; dba: string }>('select id, dba from merchant limit 1')
  const writes = await writesNow()
  // Two bytes for each character; the rest of a row takes less than a kilobyte.
  const third = '·'.repeat(maxRowBytes / 6 - 1_000)
  const cacheRow = (name: string) =>
    cachePage(db, pageOf(name, 0), { writes, total: 1, rows: [rowOf(first!.id, third)] })
  const isRead = async (name: string) =>
    (await readCachedPage(db, pageOf(name, 0)))?.rows[0]!['dba'] === first!.dba
  for (const name of ['one', 'two', 'three']) cacheRow(name)
  for (const name of ['two', 'three', 'one']) expect(await isRead(name), name).toBe(false)
  cacheRow('four')
  for (const name of ['three', 'one', 'four']) expect(await isRead(name), name).toBe(false)
  expect(await isRead('two')).toBe(true)
})

test.each([
  [0, 10],
  [5, undefined],
  [10, undefined],
])(
  'a page after %i rows, of which the first ten alone are still there, has %s rows',
  async (offset, rows) => {
    await cache('gone', 30, await writesNow())
    expect((await readCachedPage(db, pageOf('gone', offset)))?.rows.length).toBe(rows)
  },
)
