import { afterAll, beforeAll, expect, test } from 'vitest'
import { snapshotHash } from '../../../server/money/snapshot.ts'
import { formerDatabase, type FormerDatabase } from './formerDatabase.ts'

let former: FormerDatabase
beforeAll(async () => {
  former = await formerDatabase('020')
})
afterAll(() => former.close())

test('lines of pay of older locks become parts, and their hash stays as it was', async () => {
  const { db } = former
  for (const version of [1, 2])
    await db.query(
      `insert into month_lock (month, version, hash, username, reopened_at, reopened_by, reason)
        values ('2026-05-01', $1, '', 'ann', now(), 'ann', 'x')`,
      [version],
    )
  // The lines on both sides of the end of a part, of two agents and two locks, not in their order.
  await db.query(
    `insert into locked_pay (lockid, masteragentid, fromagentid, line, percent, flat, amount, withheld)
      select l, a, case a when 1 then 2 end, n, 12.5, n % 3, n * 0.01, a
      from unnest(array[2, 1]) l, unnest(array[2, 1]) a, unnest(array[100001, 99999, 2, 100000, 1]) n`,
  )
  const read = async () => [
    await db.query(
      `select lockid, masteragentid, fromagentid, line, percent::text, flat::text, amount::text, withheld::text
        from locked_pay order by lockid, masteragentid, line`,
    ),
    await snapshotHash(db, 1),
    await snapshotHash(db, 2),
  ]
  const before = await read()
  await former.update()
  expect(await read()).toEqual(before)
  expect(
    await db.query(
      `select part, lines from locked_pay_part where lockid = 1 and masteragentid = 1 order by part`,
    ),
  ).toEqual([
    { part: 0, lines: [1, 2, 99_999] },
    { part: 1, lines: [100_000, 100_001] },
  ])
  const [next] = await db.query(
    `insert into month_lock (month, version, hash, username) values ('2026-05-01', 3, '', 'ann') returning formula`,
  )
  expect(next).toEqual({ formula: 4 })
})

test('a text becomes a part of an address as in a browser', async () => {
  const texts = ['', 'abc-09_.!~*()', "it's", 'X&=9 0', 'a/b?c#d%', 'é', '€', '😀', 'a\n"b']
  const rows = await former.db.query<{ part: string }>(
    'select uri_component(t) as part from unnest($1::text[]) with ordinality u (t, n) order by n',
    [texts],
  )
  expect(rows.map(({ part }) => part)).toEqual(texts.map(encodeURIComponent))
})
