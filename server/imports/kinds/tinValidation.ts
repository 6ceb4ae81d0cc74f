import { imports } from '../../../schemas/imports/imports.ts'
import type { ImportKind } from '../store/importKind.ts'
import type { ImportStep } from '../store/step.ts'
import { type Change, changesAsJson } from '../store/undoLog.ts'
import { createUpsert } from '../store/upsert.ts'
import { createKind } from './createKind.ts'

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

/** A row whose merchant has another status or description counts as changed (imports 33). */
const also = `exists (select from merchant x where x.xmid = s.xmid
  and (x.tinstatus, x.tinstatusdescription)
    is distinct from (coalesce(s.tinstatus, m.tinstatus), coalesce(s.description, m.description)))`

export const tinValidations: ImportKind = createKind(definition, {
  upsert: createUpsert(definition, { stamp: { batchid: '$1::int' }, also }),
  waitsFor: 'merchant',
  afterStore: updateMerchants,
})
