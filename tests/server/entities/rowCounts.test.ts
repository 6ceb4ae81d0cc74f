import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectFolder } from '../../../server/config/projectFolder.ts'
import { openDb } from '../../../server/db/db.ts'
import { mergeRowCounts, mergeWriteCount, rowCounts } from '../../../server/entities/rowCounts.ts'
import { openTestPortal, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
beforeAll(async () => {
  portal = await openTestPortal()
})
afterAll(() => portal.close())

const scopes = [null, [2], [3, 4, 5], [59], [999]]
const counted = async (scope: number[] | null) =>
  (
    await portal.db.query<{ n: number }>(
      'select count(*) as n from merchant where $1::int[] is null or masteragentid = any ($1)',
      [scope],
    )
  )[0]!.n

const agrees = async () => {
  for (const scope of scopes)
    expect((await rowCounts.merchant!.total(portal.db, scope)).n).toBe(await counted(scope))
  expect(await keptByStatus()).toEqual(await countedByStatus())
}

const keptByStatus = () =>
  portal.db.query(
    `select agent, -1 - bucket as status, sum(n) as n from merchant_count where bucket between -4 and -2
      group by agent, bucket having sum(n) <> 0 order by 1, 2`,
  )
const countedByStatus = () =>
  portal.db.query(
    `select coalesce(masteragentid, 0) as agent, accountstatus as status, count(*) as n from merchant
      group by grouping sets ((accountstatus), (masteragentid, accountstatus)) order by 1, 2`,
  )

const makeMany = (agents: number, rows: number) =>
  portal.db.query(
    `insert into merchant (xmid, dba, masteragentid) select 'T' || nextval('merchant_id_seq') || '-' || n, 'x', 2 + n % $1 from generate_series(1, $2::int) n`,
    [agents, rows],
  )

test('totals agree with a count after any writes, merged or not, and after a rollback', async () => {
  const step = fc.oneof(
    fc.record({
      do: fc.constant('make' as const),
      agents: fc.integer({ min: 1, max: 5 }),
      rows: fc.integer({ min: 0, max: 40 }),
    }),
    fc.record({
      do: fc.constant('move' as const),
      from: fc.integer({ min: 2, max: 6 }),
      to: fc.integer({ min: 2, max: 6 }),
    }),
    fc.record({ do: fc.constant('remove' as const), rest: fc.integer({ min: 0, max: 30 }) }),
    fc.record({ do: fc.constant('rename' as const) }),
    fc.record({ do: fc.constant('close' as const), rest: fc.integer({ min: 0, max: 30 }) }),
    fc.record({ do: fc.constant('merge' as const) }),
    fc.record({ do: fc.constant('give up' as const) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      for (const it of steps) {
        if (it.do === 'make') await makeMany(it.agents, it.rows)
        if (it.do === 'move')
          await portal.db.query(
            'update merchant set masteragentid = $2 where masteragentid = $1 and id % 3 = 0',
            [it.from, it.to],
          )
        if (it.do === 'remove')
          await portal.db.query(`delete from merchant where xmid like 'T%' and id % 31 = $1`, [it.rest])
        if (it.do === 'rename') await portal.db.query(`update merchant set dba = dba || '' where id % 50 = 0`)
        if (it.do === 'close')
          await portal.db.query(
            `update merchant set accountstatus = 1 + (accountstatus + id) % 3,
                masteragentid = 2 + (masteragentid + id) % 5 where xmid like 'T%' and id % 31 = $1`,
            [it.rest],
          )
        if (it.do === 'merge') await mergeRowCounts(portal.db)
        if (it.do === 'give up')
          await portal.db
            .transaction(async (tx) => {
              await tx.query(
                'delete from merchant where masteragentid = 3 and not exists (select from equipment e where e.merchantid = merchant.id)',
              )
              throw new Error('given up')
            })
            .catch(() => {})
      }
      await agrees()
    }),
    { numRuns: 30, seed: 20_261_121 },
  )
})

test('a write of many rows does not compare each with each because the connection wrote one before', async () => {
  await makeMany(5, 300)
  const client = new pg.Client({ connectionString: portal.url })
  await client.connect()
  const plans: string[] = []
  client.on('notice', ({ message }) => void plans.push(message ?? ''))
  // It sends the plans of the statements within triggers, with the rows that each step was given.
  await client.query(`load 'auto_explain'; set client_min_messages = notice; set auto_explain.log_level = notice;
    set auto_explain.log_min_duration = 0; set auto_explain.log_nested_statements = on;
    set auto_explain.log_analyze = on; set auto_explain.log_timing = off`)
  await client.query('update merchant set dba = dba where id = 1')
  const ofOne = plans.splice(0).filter((plan) => plan.includes('merchant_count'))
  await client.query(`update merchant set dba = dba where xmid like 'T%'`)
  await client.end()
  const ofMany = plans.filter((plan) => plan.includes('merchant_count'))
  expect([ofOne.length, ofMany.length]).toEqual([1, 1])
  const steps = ofMany[0]!.matchAll(/rows=(\d+)(?:\.\d+)? loops=(\d+)/g)
  const handled = Array.from(steps, ([, rows, loops]) => Number(rows) * Number(loops))
  const most = Math.max(...handled)
  const [written] = await portal.db.query<{ n: number }>(
    `select count(*)::int as n from merchant where xmid like 'T%'`,
  )
  expect(written!.n).toBeGreaterThanOrEqual(300)
  // Those before and those after, in one step.
  expect(most).toBe(2 * written!.n)
})

test('a far page holds the very rows that counting off would give, for every scope', async () => {
  await makeMany(50, 12_000)
  await portal.db.query(`delete from merchant where xmid like 'T%' and id between 6000 and 9500`)
  const [staff, agent] = [await portal.login('staff'), await portal.login('agent')]
  for (const who of [staff, agent]) {
    const { body: first } = await who.call('GET', '/api/v1/merchant?size=100')
    const last = Math.ceil(first.total_length / 100)
    const scope =
      who === staff
        ? null
        : (
            await portal.db.query<{ id: number }>(
              `with recursive b(id) as (select 2 union select a.id from master_agent a join b on a.parentid = b.id) select id from b`,
            )
          ).map(({ id }) => id)
    // Only near the beginning rows are skipped one by one; a bucket of the counts spans 1024 ids.
    expect(await rowCounts.merchant!.seek(portal.db, scope, 4095)).toEqual({ from: 0, rest: 4095 })
    for (const offset of [4096, first.total_length - 1].filter((it) => it >= 4096 && it < first.total_length))
      expect((await rowCounts.merchant!.seek(portal.db, scope, offset)).rest).toBeLessThan(1024)
    for (const page of [2, 41, 42, 60, 80, last - 1, last, last + 1]) {
      const { body } = await who.call('GET', `/api/v1/merchant?size=100&page=${page}`)
      const expected = await portal.db.query<{ id: number }>(
        'select id from merchant where $1::int[] is null or masteragentid = any ($1) order by id limit 100 offset $2',
        [scope, (page - 1) * 100],
      )
      expect(
        body.data.map((row: { id: number }) => row.id),
        `page ${page}`,
      ).toEqual(expected.map(({ id }) => id))
    }
  }
})

test('the counts that the migration begins with are those that the triggers have kept', async () => {
  await makeMany(4, 30)
  const file = join(projectFolder, 'server/db/migrations/037_lists_of_a_million.sql')
  const begins =
    /insert into merchant_tally( \(agent, bucket, n\)\n  select coalesce\(masteragentid, 0\), -1[^;]*;)/
  await portal.db.query('delete from merchant_count where bucket between -9 and -2')
  await portal.db.query(`insert into merchant_count${begins.exec(await readFile(file, 'utf8'))![1]}`)
  await agrees()
})

test('the list of agents has the counts of merchants, and is sorted by them', async () => {
  const admin = await portal.login('admin')
  const { body } = await admin.call('GET', '/api/v1/masteragent?size=100&sort=-activemerchantcount')
  const counts = await portal.db.query<{ id: number; n: number }>(
    `select a.id, count(m.id) as n from master_agent a
      left join merchant m on m.masteragentid = a.id and m.accountstatus = 2 group by a.id
      order by n desc, a.id desc limit 100`,
  )
  const read = body.data.map(({ id, activemerchantcount: n }: Record<string, number>) => ({ id, n }))
  expect(read).toEqual(counts)
})

test('merging while others write loses nothing', async () => {
  await Promise.all(
    Array.from({ length: 20 }, (_, n) => (n % 4 === 0 ? mergeRowCounts(portal.db) : makeMany(3, 5))),
  )
  await agrees()
})

describe('a merge', () => {
  const versions = () =>
    portal.db.query(
      'select ctid::text, xmin::text, agent, bucket, n from merchant_count order by agent, bucket, ctid',
    )

  test('without writes since the last one changes no row version and inserts nothing', async () => {
    await makeMany(3, 5)
    await mergeRowCounts(portal.db)
    const single = openDb(portal.url, { max: 1 })
    const written = async () => {
      await single.query('select pg_stat_force_next_flush()')
      return single.query(
        `select n_tup_ins, n_tup_upd, n_tup_del from pg_stat_user_tables where relname = 'merchant_count'`,
      )
    }
    const before = await versions()
    expect(before.length).toBeGreaterThan(50)
    const stored = await written()
    await mergeRowCounts(single)
    await mergeRowCounts(single)
    expect(await written()).toEqual(stored)
    expect(await versions()).toEqual(before)
    await single.close()
  })

  test('after a write touches the keys of that write alone, and leaves one row of each', async () => {
    await mergeRowCounts(portal.db)
    const before = await versions()
    await portal.db.query(`insert into merchant (xmid, dba, masteragentid) values ('T single', 'x', 3)`)
    const [made] = await portal.db.query<{ bucket: number }>(
      `select id / 1024 as bucket from merchant where xmid = 'T single'`,
    )
    await mergeRowCounts(portal.db)
    const after = await versions()
    const isTouched = ({ agent, bucket }: Record<string, unknown>) =>
      ((agent === 0 || agent === 3) && [-1, -2, made!.bucket].includes(Number(bucket))) ||
      (agent === 0 && bucket === -9)
    expect(after.filter((row) => !isTouched(row))).toEqual(before.filter((row) => !isTouched(row)))
    expect(after.filter(isTouched)).toHaveLength(7)
    await agrees()
  })

  test('removes a key whose rows add up to nothing', async () => {
    await portal.db.query(`insert into master_agent (id, name) values (998, 'Passing')`)
    await portal.db.query(`insert into merchant (xmid, dba, masteragentid) values ('T passing', 'x', 998)`)
    await mergeRowCounts(portal.db)
    const rows = () => portal.db.query('select n from merchant_count where agent = 998')
    expect(await rows()).toEqual([{ n: 1 }, { n: 1 }, { n: 1 }])
    await portal.db.query(`delete from merchant where xmid = 'T passing'`)
    await mergeRowCounts(portal.db)
    expect(await rows()).toEqual([])
  })

  test('does nothing while another process merges', async () => {
    await mergeRowCounts(portal.db)
    await makeMany(1, 1)
    const before = await versions()
    await portal.db.transaction(async (tx) => {
      await tx.query(`select pg_advisory_xact_lock(hashtext('merge counts'))`)
      await mergeRowCounts(portal.db)
    })
    expect(await versions()).toEqual(before)
    await mergeRowCounts(portal.db)
    expect((await versions()).length).toBeLessThan(before.length)
  })
})

const writeCountRows = async () =>
  (
    await portal.db.query<{ n: number; sum: number }>(
      'select count(*) as n, sum(n) as sum from merchant_count where agent = 0 and bucket = -9',
    )
  )[0]!

test.each([
  [49, 49],
  [50, 50],
  [51, 1],
  [400, 1],
])('of %i rows of the number of writes %i are left, and the number stays', async (rows, left) => {
  await mergeRowCounts(portal.db)
  const { sum } = await writeCountRows()
  for (let n = 1; n < rows; n += 1) await portal.db.query('update equipment set model = model where id = 1')
  expect(await writeCountRows()).toEqual({ n: rows, sum: sum + rows - 1 })
  await Promise.all([mergeWriteCount(portal.db), mergeWriteCount(portal.db)])
  expect(await writeCountRows()).toEqual({ n: left, sum: sum + rows - 1 })
})
