import { expect, test } from 'vitest'
import { formerDatabase } from './formerDatabase.ts'

test('every processor that is named has a record, by the name of its newest file where it has one', async () => {
  const former = await formerDatabase('026')
  const { db } = former
  try {
    await db.query(`
      insert into master_agent (id, name) values (1, 'A');
      insert into import_batch (kind, filename, sha256, size, username, rows, inserted, updated, unchanged)
        values ('compdata', 'a', '', 0, 'a', 0, 0, 0, 0);
      insert into residual (month, processor, xmid, batchid) values
        ('2026-07-01', 'IRIS', 'x', 1), ('2026-09-01', 'Iris', 'x', 1), ('2026-09-01', 'Aurora', 'x', 1);
      insert into processor_statement (processor, month) values ('iris', '2026-10-01'), ('Zenith Pay', '2026-10-01');
      insert into merchant (xmid, dba, masteragentid, processor) values
        ('1', 'a', 1, 'zenith_pay'), ('2', 'b', 1, 'Drift'), ('3', 'c', 1, ''), ('4', 'd', 1, '${'x'.repeat(61)}')`)
    await former.update()
    expect(await db.query('select name, othernames, expected, since from processor order by name')).toEqual(
      ['Aurora', 'Drift', 'Iris', 'Zenith Pay'].map((name) => ({
        name,
        othernames: '',
        expected: 1,
        since: null,
      })),
    )
  } finally {
    await former.close()
  }
})
