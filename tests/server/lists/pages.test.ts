import { afterAll, beforeAll, expect, test } from 'vitest'
import { sortableFields } from '../../../schemas/entities/entity.ts'
import { entities } from '../../../schemas/entities/index.ts'
import { withoutIndexes } from '../../fixtures/withoutIndexes.ts'
import { branchOf } from '../../records.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

const merchant = entities['merchant']!
let portal: TestPortal
let readers: { name: string; who: SignedIn; scope: number[] | null }[]
beforeAll(async () => {
  portal = await openTestPortal()
  // Agents with many merchants and with few; many equal values, and many that are empty.
  await withoutIndexes(portal.db, ['merchant'], () =>
    portal.db.query(
      `insert into merchant (xmid, dba, masteragentid, sales_rep, status, businesstype, accountstatus,
        date_added, date_closed, notes)
      select '7' || lpad((n * 7919 % 12000)::text, 9, '0'), 'Shop ' || n * 31 % 400,
        case when n % 20 = 0 then 2 + n % 59 else 40 + n % 3 end, 'Rep ' || n % 50,
        case n % 50 when 0 then 'Pending' else 'Approved' end, '', 1 + n % 3,
        case when n % 3 > 0 then 1600000000 + n % 40 * 86400 end,
        case when n % 1000 = 0 then 1600000000 + n end, repeat('n', n % 300)
      from generate_series(1, 12000) n`,
    ),
  )
  await portal.db.query('vacuum analyze merchant')
  await portal.db.query(`update portal_user set masteragentid = 41 where username = 'clerk'`)
  readers = [
    { name: 'admin', who: await portal.login('admin'), scope: null },
    { name: 'agent', who: await portal.login('agent'), scope: await branchOf(portal.db, 2) },
    { name: 'clerk', who: await portal.login('clerk'), scope: await branchOf(portal.db, 41) },
  ]
}, 120_000)
afterAll(() => portal.close())

/** All ids in the order of a list, by plain SQL. */
const inOrder = async (sort: string, scope: number[] | null) => {
  const field = sort.replace('-', '')
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  const key = { masteragentid: 'a.displayid', notes: 'left(m.notes, 200)' }[field] ?? `m.${field}`
  const rows = await portal.db.query<{ id: number }>(
    `select m.id from merchant m join master_agent a on a.id = m.masteragentid
      where $1::int[] is null or m.masteragentid = any ($1)
      order by ${key} ${direction} nulls last, m.id ${direction}`,
    [scope],
  )
  return rows.map(({ id }) => id)
}

const checkPages = async (sort: string) => {
  for (const { name, who, scope } of readers) {
    const ids = await inOrder(sort, scope)
    const last = Math.ceil(ids.length / 10)
    const pages = [1, 2, Math.floor(last / 3), Math.ceil(last / 2) + 1, last - 1, last, last + 1]
    for (const when of ['after a write', 'unchanged'])
      for (const page of new Set(pages.filter((it) => it > 0))) {
        // Without it pages come from those kept, and far ones from an order kept as a whole.
        if (when === 'after a write') await portal.db.query('update equipment set model = model where id = 1')
        const { body } = await who.call('GET', `/api/v1/merchant?size=10&page=${page}&sort=${sort}`)
        const read = body.data.map((row: { id: number }) => row.id)
        expect(read, `${name}, page ${page}, ${when}`).toEqual(ids.slice((page - 1) * 10, page * 10))
        expect(body.total_length, name).toBe(ids.length)
      }
  }
}

test.each(sortableFields(merchant).flatMap((field) => [field, `-${field}`]))(
  'pages of merchants sorted by %s are those of plain SQL, near and far, for every scope',
  checkPages,
)

test('pages are those of plain SQL after values were changed, merchants moved, added and deleted', async () => {
  const { db } = portal
  await db.query(`update merchant set date_closed = null, dba = 'Changed' where id % 7 = 0`)
  await db.query(`update merchant set masteragentid = 42, date_added = 1 where id % 11 = 0`)
  await db.query(`insert into merchant (xmid, dba, masteragentid) values
    ('new', 'Aaa', 41), ('new2', '', 2), ('A-1', 'B-C-D Taxi', 2),
    ('0', 'Quokka first', 41), ('zz', 'Quokka last', 41)`)
  await db.query(`delete from merchant where xmid like '7%5'`)
  for (const sort of ['dba', '-date_closed', 'date_added', 'masteragentid', '-masteragentid'])
    await checkPages(sort)
})

test.each([
  'Shop',
  'shop 31',
  '700000',
  '7000000077',
  'zzznothing',
  // Of two records that have it one is among the first of all.
  'quokka',
  'sh',
  'approved',
  '7% shop',
  'b-c',
  'taxi -',
])('a picker finds by %s what plain SQL finds, for every scope', async (search) => {
  const words = search.split(' ').map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`)
  for (const { name, who, scope } of readers)
    for (const size of [7, 20, 100]) {
      const path = `/api/v1/merchant/ids?size=${size}&search=${encodeURIComponent(search)}`
      const { body } = await who.call('GET', path)
      const expected = await portal.db.query(
        `select id, xmid, dba from merchant
            where ($1::int[] is null or masteragentid = any ($1))
              and (select bool_and(xmid ilike w or dba ilike w) from unnest($2::text[]) w)
            order by xmid, id limit $3`,
        [scope, words, size],
      )
      expect(body.data, name).toEqual(expected)
    }
})

test('a picker without a text begins with the first records of the scope, and finds one by its id', async () => {
  for (const { who, scope } of readers) {
    const { body } = await who.call('GET', '/api/v1/merchant/ids?size=20')
    const expected = await portal.db.query<{ id: number; xmid: string }>(
      `select id, xmid, dba from merchant where $1::int[] is null or masteragentid = any ($1)
        order by xmid, id limit 20`,
      [scope],
    )
    expect(body.data).toEqual(expected)
    const one = await who.call('GET', `/api/v1/merchant/ids?id=${expected[3]!.id}`)
    expect(one.body.data).toEqual([expected[3]])
    const withText = async (search: string) =>
      (await who.call('GET', `/api/v1/merchant/ids?id=${expected[3]!.id}&search=${search}`)).body.data
    expect(await withText(expected[3]!.xmid)).toEqual([expected[3]])
    expect(await withText('zzznothing')).toEqual([])
  }
  const [other] = await portal.db.query<{ id: number }>(
    'select id from merchant where not masteragentid = any ($1) limit 1',
    [readers[2]!.scope],
  )
  expect((await readers[2]!.who.call('GET', `/api/v1/merchant/ids?id=${other!.id}`)).body.data).toEqual([])
})
