import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectFolder } from '../../../server/config/projectFolder.ts'
import type { Sql } from '../../../server/db/db.ts'
import { mergeRowCounts } from '../../../server/entities/rowCounts.ts'
import { branchOf } from '../../records.ts'
import { openTestPortal, type SignedIn, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
let readers: { who: SignedIn; scope: number[] | null }[]
beforeAll(async () => {
  portal = await openTestPortal()
  await portal.db.query(`update portal_user set masteragentid = 5 where username = 'clerk'`)
  readers = [
    { who: await portal.login('admin'), scope: null },
    { who: await portal.login('agent'), scope: await branchOf(portal.db, 2) },
    { who: await portal.login('clerk'), scope: await branchOf(portal.db, 5) },
  ]
})
afterAll(() => portal.close())

const addedUp = (scope: number[] | null) =>
  portal.db.query(
    `select extract(epoch from volumedate::timestamp)::bigint as processdate, sum(netamount) as amount
      from daily_volume v
      where $1::int[] is null
        or exists (select from merchant m where m.xmid = v.xmid and m.masteragentid = any ($1))
      group by volumedate order by volumedate desc limit 30`,
    [scope],
  )

/** The chart of each reader is what its rows add up to. */
const agrees = async () => {
  for (const { who, scope } of readers)
    expect((await who.call('GET', '/api/v1/profit')).body.data).toEqual(await addedUp(scope))
}
const isStale = async () => (await portal.db.query('select from volume_sum_stale')).length > 0

const addVolume = (sql: Sql, day: number, xmid: string, amount: number) =>
  sql.query(
    `insert into daily_volume (volumedate, xmid, batchnumber, netamount, batchid)
      select current_date - $1::int, $2, nextval('daily_volume_id_seq')::text, $3::numeric / 100,
        (select min(id) from import_batch)`,
    [day, xmid, amount],
  )
const addMerchant = (sql: Sql, xmid: string, agent: number) =>
  sql.query(
    `insert into merchant (xmid, dba, masteragentid) values ($1, 'x', $2)
      on conflict (xmid) do update set masteragentid = excluded.masteragentid`,
    [xmid, agent],
  )
const xmidOf = (n: number) => `V${n}`

const any = {
  day: fc.integer({ min: 0, max: 45 }),
  n: fc.integer({ min: 1, max: 6 }),
  agent: fc.integer({ min: 2, max: 6 }),
  cents: fc.integer({ min: -9_999, max: 99_999 }),
}
const steps = fc.oneof(
  fc.record({ do: fc.constant('add volume' as const), ...any }),
  fc.record({ do: fc.constant('change volume' as const), ...any }),
  fc.record({ do: fc.constant('remove volume' as const), ...any }),
  fc.record({ do: fc.constant('add or move a merchant' as const), ...any }),
  fc.record({ do: fc.constant('give a merchant another MID' as const), ...any }),
  fc.record({ do: fc.constant('remove a merchant' as const), ...any }),
  fc.record({ do: fc.constant('merge' as const), ...any }),
)
type Step = typeof steps extends fc.Arbitrary<infer S> ? S : never

async function run({ do: what, day, n, agent, cents }: Step): Promise<unknown> {
  const { db } = portal
  if (what === 'add volume') return addVolume(db, day, xmidOf(n), cents)
  if (what === 'change volume')
    return db.query(
      `update daily_volume set netamount = $1::numeric / 100, volumedate = current_date - $2::int,
          xmid = $3 where id % 3 = 0 and xmid like 'V%'`,
      [cents, day, xmidOf(n)],
    )
  if (what === 'remove volume')
    return db.query(`delete from daily_volume where xmid = $1 and id % 2 = 0`, [xmidOf(n)])
  if (what === 'add or move a merchant') return addMerchant(db, xmidOf(n), agent)
  if (what === 'give a merchant another MID')
    return db.query(`update merchant set xmid = xmid || 'x' where xmid = $1`, [xmidOf(n)])
  if (what === 'remove a merchant') return db.query('delete from merchant where xmid = $1', [xmidOf(n)])
  return mergeRowCounts(db)
}

test('the chart of Home is what the rows add up to, after any writes, merged or not', async () => {
  await agrees()
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 8 }), async (todo) => {
      for (const step of todo) await run(step)
      await agrees()
      expect(await isStale()).toBe(false)
    }),
    { numRuns: 25, seed: 20_261_123 },
  )
})

test('the sums that the migration begins with are those that the triggers have kept', async () => {
  const kept = () =>
    portal.db.query(
      `select agent, volumedate, sum(n) as n, sum(amount) as amount from volume_sum
        group by agent, volumedate having sum(n) <> 0 order by agent, volumedate`,
    )
  const before = await kept()
  expect(before.length).toBeGreaterThan(100)
  const file = join(projectFolder, 'server/db/migrations/038_volume_sums.sql')
  const text = await readFile(file, 'utf8')
  await portal.db.query('delete from volume_sum')
  await portal.db.query(text.slice(text.lastIndexOf('insert into volume_sum (')))
  expect(await kept()).toEqual(before)
})

test.each([
  ['volume first', true],
  ['the merchant first', false],
])(
  'volume stored while its merchant moves, %s, is shown by neither too much nor too little',
  async (_, first) => {
    await addMerchant(portal.db, 'VM', 2)
    await addVolume(portal.db, 1, 'VM', 100)
    const store = (sql: Sql) => addVolume(sql, 1, 'VM', 5_000_000)
    const move = (sql: Sql) => addMerchant(sql, 'VM', 5)
    const [one, other] = first ? [store, move] : [move, store]
    await portal.db.transaction(async (tx) => {
      await one(tx)
      await portal.db.transaction(other)
      await agrees()
    })
    expect(await isStale()).toBe(true)
    await agrees()
    await mergeRowCounts(portal.db)
    expect(await isStale()).toBe(false)
    await agrees()
    await addVolume(portal.db, 1, 'VM', 700)
    await agrees()
    await portal.db.query(`delete from daily_volume where xmid = 'VM'`)
    await portal.db.query(`delete from merchant where xmid = 'VM'`)
  },
)

test('stale sums are worked out anew only while nobody writes volume or moves merchants', async () => {
  await portal.db.query('insert into volume_sum_stale default values')
  await portal.db.transaction(async (tx) => {
    await addVolume(tx, 2, 'V1', 100)
    await mergeRowCounts(portal.db)
    expect(await isStale()).toBe(true)
  })
  await agrees()
  await mergeRowCounts(portal.db)
  expect(await isStale()).toBe(false)
  await agrees()
})

const daysBut = (count: number, ...lacking: number[]) =>
  Array.from({ length: count }, (_, day) => day).filter((day) => !lacking.includes(day))

test.each([
  ['each of the newest 30 days', 31, daysBut(31)],
  ['all but the newest day, and older ones', 33, daysBut(33, 0)],
  ['all but the 30th day, and older ones', 33, daysBut(33, 29)],
  ['all but the 31st day', 33, daysBut(33, 30)],
  ['none of the newest 30 days', 40, daysBut(40).slice(30)],
  ['one day of 31', 31, [30]],
  ['no day', 31, []],
  ['each of 29 days', 29, daysBut(29)],
  ['28 of 29 days', 29, daysBut(29, 3)],
  ['each of 30 days', 30, daysBut(30)],
])('a branch with volume on %s is shown its newest 30', async (_, all, own) => {
  const { db } = portal
  await db.query('delete from daily_volume')
  await addMerchant(db, 'VH', 6)
  await addMerchant(db, 'VB', 5)
  for (const day of daysBut(all)) await addVolume(db, day, 'VH', 100 + day)
  for (const day of own) await addVolume(db, day, 'VB', 1_000 + day)
  const [, , clerk] = readers
  const shown = (await clerk!.who.call('GET', '/api/v1/profit')).body.data
  expect(shown).toHaveLength(Math.min(30, own.length))
  await agrees()
})
