import { afterAll, beforeAll, expect, test } from 'vitest'
import { formerDatabase, type FormerDatabase } from '../db/formerDatabase.ts'

let former: FormerDatabase
beforeAll(async () => {
  former = await formerDatabase('057')
})
afterAll(() => former.close())

test('changes from before they were called bulk changes keep their undo and their entries in the audit', async () => {
  const { db } = former
  await db.query(
    `with made as (insert into many_action (entity, operation, sent, username, changed, unchanged, refused)
      values ('merchant', 'set', '{"notes": "x"}', 'ann', 1, 0, 0) returning id)
    insert into many_change (actionid, rowid, name, version, changed)
      select id, 7, 'Seven', 2, '{"notes": ["", "x"]}' from made`,
  )
  await db.query(
    `insert into audit (username, address, action, entity, entityid)
      values ('ann', '', 'many', 'many', '1'), ('ann', '', 'undomany', 'many', '1'), ('ann', '', 'update', 'user', '1')`,
  )
  await former.update()
  expect(
    await db.query(
      'select c.rowid, c.changed, a.sent from bulk_record_change c join bulk_change a on a.id = c.changeid',
    ),
  ).toEqual([{ rowid: 7, changed: { notes: ['', 'x'] }, sent: { notes: 'x' } }])
  expect(await db.query('select action, entity, entityid as id from audit order by audit.id')).toEqual([
    { action: 'bulk', entity: 'bulk', id: '1' },
    { action: 'undobulk', entity: 'bulk', id: '1' },
    { action: 'update', entity: 'user', id: '1' },
  ])
  await expect(db.query(`update audit set username = 'eve'`)).rejects.toThrow('append-only')
})
