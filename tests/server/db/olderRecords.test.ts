import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestPortal, type TestPortal } from '../../testPortal.ts'

/** The queries of (operations 25), in their order. */
const [strangeIds, paidTwice] = [
  ...readFileSync('docs/product/operations.md', 'utf8').matchAll(/```sql\n(.*?)```/gs),
].map((block) => block[1]!)

let portal: TestPortal
beforeAll(async () => {
  portal = await openTestPortal()
})
afterAll(() => portal.close())

test('ids from before the rule for them are found by the query of the manual, and no others', async () => {
  const before = await portal.db.query(strangeIds!)
  const added = await portal.db.query<{ id: number }>(
    `with shop as (insert into merchant (xmid, dba, masteragentid) values ('4001 ', '', 2), ('40 01', '', 2)
        returning id, xmid),
      terminal as (insert into equipment (model, serialnumber) values ('', E'S1\\u200e'), ('', '') returning id,
        serialnumber)
      select id from terminal where serialnumber <> '' union all select id from shop where xmid = '4001 '`,
  )
  const after = await portal.db.query(strangeIds!)
  const [terminal, shop] = added.map(({ id }) => id)
  expect(after).toHaveLength(before.length + 2)
  expect(after).toContainEqual({ field: 'Serial Number', id: terminal, value: '"S1\\342\\200\\216"' })
  expect(after).toContainEqual({ field: 'XMID', id: shop, value: '"4001 "' })
})

test('terminals that earned in two months are found by the query of the manual', async () => {
  expect(await portal.db.query(paidTwice!)).toEqual([])
  await portal.db.query(
    `insert into locked_statement_line (lockid, masteragentid, kind, label, amount, source)
      select l.id, 2, 'equipment', '', 5, e.id
      from (select id from month_lock where reopened_at is null order by month desc limit 2) l
        cross join (select min(id) as id from equipment) e`,
  )
  const [found] = await portal.db.query<{ paid: string }>(paidTwice!)
  expect(found!.paid).toMatch(/^20\d\d-\d\d MA0002 5\.00, 20\d\d-\d\d MA0002 5\.00$/)
})
