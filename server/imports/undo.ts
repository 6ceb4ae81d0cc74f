import type { Batch, ImportName } from '../../schemas/imports/imports.ts'
import type { Config } from '../config/config.ts'
import { audit } from '../db/audit.ts'
import type { Db, Sql, Tx } from '../db/db.ts'
import { allowMemory } from '../db/largeWork.ts'
import { storedValue, storedColumns } from '../db/storedColumns.ts'
import type { Caller } from '../http/call.ts'
import { HttpError, notFound } from '../http/errors.ts'
import { merchantEarningFields } from '../money/checklist/selfDealing.ts'
import { findBatch } from './history.ts'
import { acquireImportLocks, importerOf } from './kinds/kinds.ts'
import { changedColumns, changedValue, stampColumn, type WrittenTable } from './store/undoLog.ts'
import { explainConflict, describeScopeConflict, searchAllRows } from './undoConflicts.ts'
import { offerUndos } from './undoOffer.ts'
import { readStoredBatches, refusalOfState, writtenTables } from './undoState.ts'

type UndoRequest = {
  db: Db
  kind: ImportName
  id: number
  caller: Caller
  address: string
  config: Pick<Config, 'timeZone'>
}

const undoRefused = (reason: string) => new HttpError(409, `This import cannot be undone: ${reason}`)

/**
 * Gives the columns that the batch changed their former values. A row that a later import changed in other
 * columns goes on naming that one; its record then leads to the import before this one, so that the undo of
 * both in either order ends alike.
 */
async function restoreChanged(sql: Sql, batch: number, table: WrittenTable) {
  const { name, columns } = table
  const mine = `c.batchid = ${batch} and c.tablename = '${name}' and c.changed is not null`
  // A column that the portal kept then and keeps no more has no place to go back to.
  const sets = (await changedColumns(sql, batch, table)).map((column) => {
    const was = changedValue(column, 'c.changed', 0)
    const stored = `m.${column.name}`
    const isLast = column.key === stampColumn ? ` and ${stored} = ${batch}` : ''
    return `${column.name} = case when c.changed ? '${column.key}'${isLast} then ${was} else ${stored} end`
  })
  if (sets.length === 0) return
  if (columns.some(({ key }) => key === 'version')) sets.push('version = m.version + 1')
  await sql.query(
    `update ${name} m set ${sets.join(', ')} from import_change c where ${mine} and m.id = c.rowid`,
  )
  await sql.query(
    `update import_change later
        set changed = jsonb_set(later.changed, '{${stampColumn},0}', c.changed #> '{${stampColumn},0}')
      from import_change c
      where ${mine} and c.changed ? '${stampColumn}' and later.batchid > c.batchid
        and later.tablename = c.tablename and later.rowid = c.rowid
        and later.changed #>> '{${stampColumn},0}' = '${batch}'`,
  )
}

/**
 * Deletes what the batch added, restores what it changed and removed. Versions go on, so that open forms
 * become stale (imports 22). A removed row was kept with the columns that its table had then; others get
 * what a new row has.
 */
async function restoreTable(sql: Sql, batch: number, table: WrittenTable) {
  const { name, columns } = table
  const mine = `c.batchid = ${batch} and c.tablename = '${name}'`
  await sql.query(
    `delete from ${name} m using (select unnest(ids) as range from import_added c where ${mine}) a
      where m.id >= lower(a.range) and m.id < upper(a.range)`,
  )
  await restoreChanged(sql, batch, table)
  await sql.query(
    `insert into ${name} (${columns.map((column) => column.name).join(', ')}) overriding system value
      select ${columns.map((column) => storedValue(column, 'c.removed')).join(', ')}
      from import_change c, jsonb_populate_record(null::${name}, c.removed) was
      where ${mine} and c.removed is not null`,
  )
}

/**
 * Writes to the audit of each merchant what the undo changes of who earns from it, when a month was locked
 * since the import: the month that is open then looks for changes since that lock (months 10), and the
 * import that the undo takes back was before it.
 */
const auditEarners = (sql: Sql, { id, caller, address }: UndoRequest) =>
  sql.query(
    `insert into audit (username, address, action, entity, entityid, before, after)
      select $2, $3, 'update', 'merchant', c.rowid::text, jsonb_object_agg(f.key, f.value -> 1),
        jsonb_object_agg(f.key, f.value -> 0)
      from import_batch b join import_change c on c.batchid = b.id and c.tablename = 'merchant'
        cross join lateral jsonb_each(c.changed) f
      where b.id = $1 and f.key = any ($4)
        and exists (select from month_lock l where l.locked_at > b.imported_at)
      group by c.rowid`,
    [id, caller.username, address, merchantEarningFields],
  )

async function undoInTransaction(tx: Tx, request: UndoRequest): Promise<Batch> {
  const { kind: name, id, caller, address, config } = request
  await allowMemory(tx)
  await acquireImportLocks(tx, name)
  const batch = await findBatch(tx, name, caller, id)
  if (!batch) throw notFound('import')
  const [stored] = await readStoredBatches(tx, [id])
  const { date } = stored!
  if (date && stored!.undoneat === null) await importerOf(name).refuseClosedMonth?.(tx, date, config.timeZone)
  const names = await writtenTables(tx, id)
  const tables: WrittenTable[] = []
  for (const table of names) tables.push({ name: table, columns: await storedColumns(tx, table) })
  const refusal =
    (await refusalOfState(tx, stored!, config.timeZone)) ??
    (await describeScopeConflict(tx, id, { tables: names, scope: caller.scope })) ??
    (await explainConflict(tx, id, {
      tables: names,
      timeZone: config.timeZone,
      search: searchAllRows(tables),
    }))
  if (refusal) throw undoRefused(refusal)
  await auditEarners(tx, request)
  await importerOf(name).beforeUndo?.(tx, id)
  for (const table of tables) await restoreTable(tx, id, table)
  await importerOf(name).afterUndo?.(tx, { username: caller.username, address })
  await tx.query('delete from import_change where batchid = $1', [id])
  await tx.query('delete from import_added where batchid = $1', [id])
  await tx.query('update import_batch set undone_at = now(), undone_by = $2 where id = $1', [
    id,
    caller.username,
  ])
  const after = { filename: batch.filename, inserted: batch.inserted, updated: batch.updated }
  await audit(tx, { username: caller.username, address, action: 'undo', entity: name, entityid: id, after })
  const undone = (await findBatch(tx, name, caller, id))!
  const offers = await offerUndos(tx, [id], { scope: caller.scope, timeZone: config.timeZone })
  return { ...undone, undo: offers.get(id)! }
}

/**
 * Undoes an import in one transaction (imports 22). Throws HttpError 404 when the caller has no such import,
 * and 409 with the reason when later changes or a closed month forbid it.
 */
export async function undoImport(request: UndoRequest): Promise<Batch> {
  try {
    return await request.db.transaction((tx) => undoInTransaction(tx, request))
  } catch (error) {
    const { code, table = '' } = error as { code?: string; table?: string }
    if (code === '23505') throw undoRefused('other rows have taken the place of those it replaced')
    // PostgreSQL names the table that refers, whichever of the two was written.
    if (code === '23503' && (await writtenTables(request.db, request.id)).includes(table))
      throw undoRefused('what it changed referred to a record that is gone')
    if (code === '23503') throw undoRefused('other records refer to what it added')
    if (code === '23502') throw undoRefused('the portal now keeps more of each record than it did then')
    throw error
  }
}
