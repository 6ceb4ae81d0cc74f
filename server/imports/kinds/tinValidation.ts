import { imports } from '../../../schemas/imports/imports.ts'
import type { ImportKind } from '../store/importKind.ts'
import type { ImportStep } from '../store/step.ts'
import { type Change, changesAsJson, createUpsert } from '../store/upsert.ts'
import { createKind } from './plain.ts'

const definition = imports.tinvalidation
const changes: readonly Change[] = [
  ['tinstatus', 'm.tinstatus', 't.tinstatus'],
  ['tinstatusdescription', 'm.tinstatusdescription', 't.description'],
]
const differ = '(m.tinstatus, m.tinstatusdescription) is distinct from (t.tinstatus, t.description)'
const source = 'from staging s join tin_validation t on t.xmid = s.xmid'

/** The merchant itself shows what was found, so it gets it too. */
async function updateMerchants({ sql, batch }: ImportStep & { batch: number }): Promise<void> {
  await sql.query(
    `insert into import_change (batchid, tablename, rowid, changed)
      select ${batch}, 'merchant', m.id, ${changesAsJson(changes)} ${source} join merchant m on m.xmid = s.xmid where ${differ} for no key update of m`,
  )
  await sql.query(
    `update merchant m set tinstatus = t.tinstatus, tinstatusdescription = t.description, version = m.version + 1
      ${source} where m.xmid = s.xmid and ${differ}`,
  )
}

/** A row whose merchant says something else counts as a change. */
const also = `exists (select from merchant x where x.xmid = s.xmid
  and (x.tinstatus, x.tinstatusdescription) is distinct from (coalesce(s.tinstatus, m.tinstatus), coalesce(s.description, m.description)))`

export const tinValidations: ImportKind = createKind(definition, {
  upsert: createUpsert(definition, { stamp: { batchid: '$1::int' }, also }),
  waitsFor: 'merchant',
  afterStore: updateMerchants,
})
