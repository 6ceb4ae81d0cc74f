import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mergeRowCounts, rowCounts } from '../../../server/entities/rowCounts.ts'
import { world, type World } from '../../world.ts'

let portal: World
beforeAll(async () => {
  portal = await world()
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
    expect(await rowCounts.merchant!.total(portal.db, scope)).toBe(await counted(scope))
}

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

test('merging while others write loses nothing', async () => {
  await Promise.all(
    Array.from({ length: 20 }, (_, n) => (n % 4 === 0 ? mergeRowCounts(portal.db) : makeMany(3, 5))),
  )
  await agrees()
})
