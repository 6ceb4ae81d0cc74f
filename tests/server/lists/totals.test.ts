import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { entities } from '../../../schemas/entities/index.ts'
import { buildApp } from '../../../server/app.ts'
import { openDb, type Db } from '../../../server/db/db.ts'
import { writeCountSql } from '../../../server/db/merchantCount.ts'
import { listColumns } from '../../../server/entities/paging/pages.ts'
import { isWriteCounted, mergeRowCounts } from '../../../server/entities/rowCounts.ts'
import { fromClause } from '../../../server/entities/sql.ts'
import { testSecret } from '../../setup/postgres.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'
import { statementsOf } from './statements.ts'

let portal: TestPortal
/** Another process on the same database. */
let second: { app: Awaited<ReturnType<typeof buildApp>>; db: Db }
let readers: { who: SignedIn; scope: number[] | null }[]
beforeAll(async () => {
  portal = await openTestPortal()
  const db = openDb(portal.url)
  second = { db, app: await buildApp({ db, config: portal.config, secret: testSecret }) }
  const branch = await portal.db.query<{ id: number }>(
    `with recursive b(id) as (select 2 union select a.id from master_agent a join b on a.parentid = b.id)
      select id from b`,
  )
  await portal.db.query(`update portal_user set masteragentid = 59 where username = 'clerk'`)
  readers = [
    { who: await portal.login('admin'), scope: null },
    { who: await portal.login('agent'), scope: branch.map(({ id }) => id) },
    { who: await portal.login('clerk'), scope: [59] },
  ]
})
afterAll(async () => {
  await second.app.close()
  await second.db.close()
  await portal.close()
})

const lists = {
  'merchant?search=walrus': `m.searched like '%walrus%' or a.searched like '%walrus%'`,
  'merchant?search=wa': `m.searched like '%wa%' or a.name ilike '%wa%'`,
  'merchant?search=walrus&filter=accountstatus:2': `m.accountstatus = 2
    and (m.searched like '%walrus%' or a.searched like '%walrus%')`,
  'merchant?filter=accountstatus:3&sort=dba': 'm.accountstatus = 3',
}

/** Both processes answer each reader with the total and the first ids of plain SQL. */
async function agrees(when: string) {
  for (const { who, scope } of readers)
    for (const [list, condition] of Object.entries(lists)) {
      const rows = await portal.db.query<{ id: number }>(
        `select m.id from merchant m join master_agent a on a.id = m.masteragentid
          where ($1::int[] is null or m.masteragentid = any ($1)) and (${condition})
          order by ${list.includes('sort=dba') ? 'm.dba, m.id' : 'm.id'}`,
        [scope],
      )
      const expected = { total: rows.length, ids: rows.slice(0, 10).map(({ id }) => id) }
      const { token, cookie } = who
      const url = `/api/v1/${list}`
      const other = await second.app.inject({
        url,
        headers: { authorization: `Bearer ${token}`, cookie: `XSRF-TOKEN=${cookie}` },
      })
      for (const body of [(await who.call('GET', url)).body, other.json()])
        expect(
          { total: body.total_length, ids: body.data.map((row: { id: number }) => row.id) },
          `${when}: ${list}`,
        ).toEqual(expected)
    }
}

test('totals of searches and filters are those of plain SQL after each write, in every process', async () => {
  const { db } = portal
  const admin = readers[0]!.who
  await agrees('before')
  await agrees('unchanged')
  const added = await admin.call('POST', '/api/v1/merchant', {
    xmid: 'T1',
    dba: 'Walrus One',
    masteragentid: 2,
  })
  expect(added.status).toBe(201)
  await agrees('added')
  const path = `/api/v1/merchant/${added.body.id}`
  await admin.call('PUT', path, { version: added.body.version, notes: 'walrus', businesstype: 'Wax' })
  await agrees('changed')
  await db.query(`update merchant set accountstatus = 2 where dba = 'Walrus One'`)
  await agrees('with another status')
  await db.query(`update merchant set masteragentid = 59 where id % 9 = 0`)
  await agrees('moved')
  await db.query(`update master_agent set name = 'Walrus & Sons' where id = 59`)
  await agrees('an agent has another name')
  await mergeRowCounts(db)
  await agrees('merged')
  await db.query(`delete from merchant where xmid = 'T1'`)
  await agrees('deleted')
})

test('a write is not counted before it is committed, and not at all when it is rolled back', async () => {
  await agrees('before')
  await portal.db
    .transaction(async (tx) => {
      await tx.query(
        `insert into merchant (xmid, dba, masteragentid) values ('T2', 'Walrus', 2), ('T3', 'Walrus', 59)`,
      )
      await agrees('while it is open')
      throw new Error('rolled back')
    })
    .catch(() => {})
  await agrees('after')
})

test('a total of unchanged records is counted once, and again after a write', async () => {
  const admin = readers[0]!.who
  const counts = async (list: string) => {
    const sent = await statementsOf(() => admin.call('GET', `/api/v1/${list}`))
    return sent.filter(({ text }) => text.includes('count(*)')).length
  }
  expect(await counts('merchant?search=walruses')).toBe(1)
  expect(await counts('merchant?search=walruses&page=2')).toBe(0)
  expect(await counts('merchant?search=walruses&sort=-dba')).toBe(0)
  await portal.db.query(`update equipment set model = model where id = 1`)
  expect(await counts('merchant?search=walruses')).toBe(1)
  // Users are not among what is numbered.
  expect(await counts('user?search=adm')).toBe(1)
  expect(await counts('user?search=adm')).toBe(1)
})

test.each([
  'merchant?size=10',
  'merchant?search=an',
  'merchant?search=zzznothing',
  'merchant?filter=accountstatus:2&sort=-dba',
  'masteragent?size=100&sort=-activemerchantcount',
  'equipment?sort=serialnumber',
])('%s is answered from memory the second time, and anew after a write', async (list) => {
  const admin = readers[0]!.who
  const ask = async () => (await admin.call('GET', `/api/v1/${list}`)).body
  const first = await ask()
  expect(first.data.length > 0).toBe(!list.includes('zzznothing'))
  const sent = await statementsOf(async () => {
    const answer = await admin.call('GET', `/api/v1/${list}`)
    expect(answer.body).toEqual(first)
    return answer
  })
  const ofLists = /bucket = -9|count\(\*\)| limit | t on t\.id = p\.id/
  expect(sent.map(({ text }) => text).filter((text) => ofLists.test(text))).toEqual([
    `select (${writeCountSql}) as writes`,
  ])
  await portal.db.query(`update equipment set model = model where id = 1`)
  const anew = await statementsOf(() => admin.call('GET', `/api/v1/${list}`))
  expect(anew.filter(({ text }) => / limit /.test(text)).length).toBeGreaterThan(0)
})

const firstAgent = '(select min(id) from master_agent)'
/** Writes by another program, each of which changes what the first ten records of a list show. */
const shownWrites = [
  { list: 'merchant', write: `update master_agent set name = name || ' & Co'` },
  {
    list: 'merchant',
    write: `insert into adjustment
        (masteragentid, month, amount, reason, author, latexmid, lateprocessor, latemonth)
      select masteragentid, '2020-02-01', 1, 'late', 'admin', xmid, 'Borealis', '2020-01-01'
      from merchant order by id limit 1`,
  },
  { list: 'merchant', write: `update adjustment set latexmid = 'nobody' where lateprocessor = 'Borealis'` },
  {
    list: 'merchant',
    before: `update adjustment set latexmid = (select xmid from merchant order by id limit 1)
      where lateprocessor = 'Borealis'`,
    write: `delete from adjustment where lateprocessor = 'Borealis'`,
  },
  { list: 'masteragent', write: 'update merchant set accountstatus = 2' },
  {
    list: 'masteragent',
    write: `delete from merchant where id = (select max(id) from merchant
      where accountstatus = 2 and masteragentid = (select masteragentid from merchant where accountstatus = 2
        and masteragentid in (select id from master_agent order by id limit 10) limit 1))`,
  },
  {
    list: 'masteragent',
    write: `insert into collection_subscription (masteragentid, amount, notes) values (${firstAgent}, 7, 'x')`,
  },
  { list: 'masteragent', write: 'update collection_subscription set amount = amount + 1' },
  { list: 'masteragent', write: 'delete from collection_subscription' },
  {
    list: 'masteragent',
    write: `insert into bank_change (masteragentid, routingnumber, ischecking, isbusiness, formerroutingnumber,
        formerischecking, formerisbusiness, fields, authors, entered_by, source)
      values (${firstAgent}, '1', true, true, '2', true, true, '{routingnumber}', '{admin}', 'admin', 'form')`,
  },
  {
    list: 'masteragent',
    write: `insert into audit (username, address, action, entity, entityid, before)
      values ('staff', '', 'delete', 'user', '99', '{"username": "admin"}')`,
  },
  {
    list: 'masteragent',
    write: `update bank_change set decision = 'withdrawn', decided_by = 'clerk', decided_at = now()`,
  },
  { list: 'equipment', write: `update merchant set dba = dba || ' Ltd'` },
  { list: 'equipment', write: `update master_agent set name = name || ' Ltd'` },
]
test.each(shownWrites)(
  'a cached page of $list shows what follows from: $write',
  async ({ list, before, write }) => {
    if (before) await portal.db.query(before)
    const ask = async () => (await readers[0]!.who.call('GET', `/api/v1/${list}?size=10`)).body
    const kept = await ask()
    expect(await ask()).toEqual(kept)
    await portal.db.query(write)
    expect(await ask()).not.toEqual(kept)
  },
)

test('every table of which a numbered list shows something numbers all its writes', async () => {
  for (const entity of Object.values(entities).filter(isWriteCounted)) {
    const sql = `select ${listColumns(entity)} from ${fromClause(entity)}`
    expect(sql).not.toMatch(/\b(now\(|current_|random\()/)
    const [plan] = await portal.db.query<{ 'QUERY PLAN': unknown }>(
      `explain (format json) ${sql.replaceAll('$1', `'{1}'::int[]`)}`,
    )
    const tables = new Set(
      [...JSON.stringify(plan!['QUERY PLAN']).matchAll(/"Relation Name":"(\w+)"/g)].map((it) => it[1]!),
    )
    expect([...tables], entity.name).toContain(entity.table)
    // Written by the triggers alone.
    tables.delete('merchant_count')
    for (const table of tables) {
      // Of the audit deleted users alone are read, and nothing in it is changed.
      const isAudit = table === 'audit'
      const numbered = await portal.db.query<{ events: number }>(
        `select sum(distinct t.tgtype & 28) as events from pg_trigger t join pg_proc p on p.oid = t.tgfoid
          where t.tgrelid = $1::regclass and p.prosrc like '%-9%' and (t.tgtype & 1 = 1) = $2`,
        [`"${table}"`, isAudit],
      )
      // The bits of insert, delete and update.
      expect(numbered[0]!.events, `${entity.name} shows ${table}`).toBe(isAudit ? 4 : 4 + 8 + 16)
    }
  }
})

test('a cached page is not shown to a person with another row scope, nor for another order, page or size', async () => {
  for (const sort of ['', 'dba', '-dba'])
    for (const size of [10, 25])
      for (const page of [1, 2])
        for (const { who, scope } of [...readers, ...readers]) {
          const direction = sort.startsWith('-') ? 'desc' : ''
          const rows = await portal.db.query<{ id: number }>(
            `select id from merchant where $1::int[] is null or masteragentid = any ($1)
              order by ${sort === '' ? '' : `dba ${direction}, `} id ${direction} limit $2 offset $3`,
            [scope, size, (page - 1) * size],
          )
          const list = `merchant?size=${size}&page=${page}&sort=${sort}`
          const ids = (await who.call('GET', `/api/v1/${list}`)).body.data.map(
            (row: { id: number }) => row.id,
          )
          expect(ids, list).toEqual(rows.map(({ id }) => id))
        }
})

test('a page that was read before a write is not kept with the total that was counted after it', async () => {
  const admin = readers[0]!.who
  const list = '/api/v1/merchant?filter=accountstatus:2&sort=dba'
  const original = pg.Client.prototype.query as (...args: unknown[]) => unknown
  let pageRead = () => {}
  const isPageRead = new Promise<void>((done) => (pageRead = done))
  // What is written once the page was read is counted, and is not on the page.
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    const text = (args[0] as { text?: string }).text ?? ''
    if (text.includes('writecount')) {
      const read = original.apply(this, args) as Promise<unknown>
      void read.then(pageRead)
      return read
    }
    if (!text.includes('select count(*)')) return original.apply(this, args)
    return isPageRead
      .then(() => spy.mockRestore())
      .then(() =>
        portal.db.query(
          `insert into merchant (xmid, dba, masteragentid, accountstatus) values ('T9', ' ', 2, 2)`,
        ),
      )
      .then(() => original.apply(this, args))
  } as never)
  const xmids = async () =>
    (await admin.call('GET', list)).body.data.map(({ xmid }: { xmid: string }) => xmid)
  expect(await xmids()).not.toContain('T9')
  expect((await xmids())[0]).toBe('T9')
})
