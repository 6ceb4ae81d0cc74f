import { imports } from '../../../schemas/imports/imports.ts'
import type { Tx } from '../../db/db.ts'
import type { Importer } from '../store/importer.ts'
import type { ImportStep } from '../store/step.ts'
import { type Change, changesAsJson } from '../store/undoLog.ts'
import { createUpsert } from '../store/upsert.ts'
import { createImporter } from './createImporter.ts'

const definition = imports.tinvalidation
const changes: readonly Change[] = [
  ['tinstatus', 'm.tinstatus', 't.tinstatus'],
  ['tinstatusdescription', 'm.tinstatusdescription', 't.description'],
]
const differs = '(m.tinstatus, m.tinstatusdescription) is distinct from (t.tinstatus, t.description)'
const source = 'from staging s join tin_validation t on t.xmid = s.xmid'

/** Sets status and description of the merchants, which their list and form show (imports 33). */
async function updateMerchants({ sql, batch }: ImportStep & { batch: number }): Promise<void> {
  await sql.query(
    `insert into import_change (batchid, tablename, rowid, changed)
      select ${batch}, 'merchant', m.id, ${changesAsJson(changes)}
      ${source} join merchant m on m.xmid = s.xmid
      where ${differs} for no key update of m`,
  )
  await sql.query(
    `update merchant m
      set tinstatus = t.tinstatus, tinstatusdescription = t.description, version = m.version + 1
      ${source} where m.xmid = s.xmid and ${differs}`,
  )
}

/**
 * Sets back the merchants that were added after the batch and took their status from it (imports 33). The
 * batch recorded no change of them, and one that was there before it had what it has now by itself.
 */
async function restoreLaterMerchants(tx: Tx, batch: number): Promise<void> {
  await tx.query(
    `update merchant m set tinstatus = w.tinstatus, tinstatusdescription = w.description,
        version = m.version + 1
      from (
        select t as now, '' as tinstatus, '' as description
          from import_added a cross join unnest(a.ids) as range
            join tin_validation t on t.id >= lower(range) and t.id < upper(range)
          where a.batchid = $1 and a.tablename = 'tin_validation'
        union all
        select t, coalesce(c.changed #>> '{tinstatus,0}', t.tinstatus),
            coalesce(c.changed #>> '{description,0}', t.description)
          from import_change c join tin_validation t on t.id = c.rowid
          where c.batchid = $1 and c.tablename = 'tin_validation'
            and c.changed ?| '{tinstatus,description}') w
      where m.xmid = (w.now).xmid
        and (m.tinstatus, m.tinstatusdescription) = ((w.now).tinstatus, (w.now).description)
        and not exists (select from import_change c
          where c.batchid = $1 and c.tablename = 'merchant' and c.rowid = m.id)
        and (
          exists (select from import_added a
            where a.batchid > $1 and a.tablename = 'merchant' and m.id::bigint <@ a.ids)
          or exists (select from audit d join import_batch b on b.id = $1
            where d.entity = 'merchant' and d.entityid = m.id::text and d.action = 'create'
              and d.at >= b.imported_at))`,
    [batch],
  )
}

/**
 * A row whose merchant has another status or description counts as changed (imports 33). Each row that is
 * read has both (`tinValidationRule`).
 */
const alsoChangedIf = `exists (select from merchant x where x.xmid = s.xmid
  and (x.tinstatus, x.tinstatusdescription) is distinct from (s.tinstatus, s.description))`

export const tinValidations: Importer = createImporter(definition, {
  upsert: createUpsert(definition, { stamp: { batchid: '$1::int' }, alsoChangedIf }),
  waitsFor: 'merchant',
  afterStore: updateMerchants,
  beforeUndo: restoreLaterMerchants,
})
