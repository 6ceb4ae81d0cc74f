import type { Batch, ImportName } from '../../schemas/imports/imports.ts'
import type { Config } from '../config/config.ts'
import { audit } from '../db/audit.ts'
import type { Db, Sql, Tx } from '../db/db.ts'
import type { Caller } from '../http/call.ts'
import { notFound, HttpError } from '../http/errors.ts'
import { monthName } from '../money/months.ts'
import { findBatch } from './history.ts'
import { importKind } from './kinds/kinds.ts'

type Conflict = { record: string; count: number }
type AttributedConflict = Conflict & { username: string; at: number }

const describeOthers = (count: number) =>
  count > 1
    ? `, and ${(count - 1).toLocaleString('en-US')} more ${count === 2 ? 'record' : 'records'} alike`
    : ''
const recordLabel = `coalesce('MID ' || m.xmid, 'a record that is gone')`

/** Imports since that changed the same columns, or removed or changed rows that this one added. */
async function findLaterImport(
  sql: Sql,
  batch: number,
  table: string,
): Promise<(AttributedConflict & { filename: string }) | null> {
  const [found] = await sql.query<AttributedConflict & { filename: string }>(
    `select b.filename, b.username, extract(epoch from b.imported_at)::bigint as at, count(*)::int as count,
        min(coalesce('MID ' || coalesce(m.xmid, c.removed ->> 'xmid'), 'a record')) as record
      from import_batch b join import_change c on c.batchid = b.id and c.tablename = $2 left join ${table} m on m.id = c.rowid
      where b.id > $1 and b.undone_at is null and (
        exists (select from import_added a where a.batchid = $1 and a.tablename = $2 and c.rowid <@ a.ids)
        or exists (select from import_change mine where mine.batchid = $1 and mine.tablename = $2 and mine.rowid = c.rowid
          and (c.removed is not null or mine.removed is not null or c.changed ?| array(select jsonb_object_keys(mine.changed)))))
      group by b.id order by b.id desc limit 1`,
    [batch, table],
  )
  return found ?? null
}

/** Records that do not hold any more what the import stored, with who changed them. */
async function findLaterEdit(
  sql: Sql,
  batch: number,
  table: string,
): Promise<(Conflict & Partial<AttributedConflict>) | null> {
  const [found] = await sql.query<Conflict & Partial<AttributedConflict>>(
    `with other as (
      select c.rowid, ${recordLabel} as record from import_change c left join ${table} m on m.id = c.rowid
        where c.batchid = $1 and c.tablename = $2 and c.changed is not null and (m.id is null
          or m is distinct from jsonb_populate_record(m, (select jsonb_object_agg(key, value -> 1) from jsonb_each(c.changed))))
      union all
      select m.id, ${recordLabel} from import_added a join ${table} m on m.id::bigint <@ a.ids join audit d on d.entity = $2 and d.entityid = m.id::text
        join import_batch b on b.id = a.batchid
        where a.batchid = $1 and a.tablename = $2 and d.action = 'update' and d.at >= b.imported_at),
    first as (select *, (count(*) over ())::int as count from other order by rowid limit 1)
    select first.record, first.count, d.username, extract(epoch from d.at)::bigint as at from first left join lateral (
      select username, at from audit where entity = $2 and entityid = first.rowid::text order by id desc limit 1) d on true`,
    [batch, table],
  )
  return found ?? null
}

/** Records elsewhere that refer to what the import added. */
async function findReference(
  sql: Sql,
  batch: number,
  table: string,
): Promise<(Conflict & { by: string }) | null> {
  const pointers = await sql.query<{ table: string; column: string }>(
    `select c.conrelid::regclass::text as table, quote_ident(a.attname) as column
      from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype = 'f' and c.confdeltype = 'a' and c.confrelid = $1::regclass order by 1`,
    [table],
  )
  for (const { table: from, column } of pointers) {
    const [found] = await sql.query<Conflict>(
      `select min(${recordLabel}) as record, count(*)::int as count from import_added a join ${from} f on f.${column}::bigint <@ a.ids
        join ${table} m on m.id = f.${column} where a.batchid = $1 and a.tablename = $2 having count(*) > 0`,
      [batch, table],
    )
    if (found) return { ...found, by: from.replaceAll('_', ' ') }
  }
  return null
}

/** Why later changes forbid the undo of a batch, in one sentence; null when they do not. */
export async function explainConflict(
  sql: Sql,
  batch: number,
  tables: string[],
  format: Intl.DateTimeFormat,
): Promise<string | null> {
  const on = (seconds: number) => format.format(seconds * 1000)
  // What hangs on a record of another table of the batch goes and comes with it.
  for (const table of tables.filter((name) => !name.endsWith('_state'))) {
    const later = await findLaterImport(sql, batch, table)
    if (later) {
      const what = `${later.record} was changed again by ${later.filename}, which ${later.username} imported on ${on(later.at)}`
      return `${what}${describeOthers(later.count)}; undo that import first`
    }
    const changed = await findLaterEdit(sql, batch, table)
    if (changed) {
      const who = changed.username ? ` by ${changed.username} on ${on(changed.at!)}` : ''
      return `${changed.record} was changed since${who}${describeOthers(changed.count)}`
    }
    const used = await findReference(sql, batch, table)
    if (used) return `${used.record}, which it added, is in use by ${used.by}${describeOthers(used.count)}`
  }
  return null
}

type UndoRequest = {
  db: Db
  kind: ImportName
  id: number
  caller: Caller
  address: string
  config: Pick<Config, 'timeZone'>
}

const undoRefused = (why: string) => new HttpError(409, `This import cannot be undone: ${why}`)

/** The tables a batch wrote, with what each needs to be put back. */
type WrittenTable = { name: string; columns: string[]; versioned: boolean }
const findWrittenTables = (sql: Sql, batch: number) =>
  sql.query<WrittenTable>(
    `select t.name, array_agg(quote_ident(a.attname) order by a.attnum) as columns, bool_or(a.attname = 'version') as versioned
      from (select tablename as name from import_added where batchid = $1 union select tablename from import_change where batchid = $1) t
      join pg_attribute a on a.attrelid = t.name::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      group by t.name order by t.name`,
    [batch],
  )

/** Deletes what the batch added, sets back what it changed, puts back what it removed. Versions go on, so no stale form is taken. */
async function restoreTable(sql: Sql, batch: number, { name, columns, versioned }: WrittenTable) {
  const mine = `c.batchid = ${batch} and c.tablename = '${name}'`
  await sql.query(
    `delete from ${name} m using (select unnest(ids) as range from import_added c where ${mine}) a
      where m.id >= lower(a.range) and m.id < upper(a.range)`,
  )
  const touched = await sql.query<{ column: string }>(
    `select distinct quote_ident(jsonb_object_keys(changed)) as column from import_change c where ${mine} and changed is not null`,
  )
  const sets = touched.map(({ column }) => `${column} = was.${column}`)
  if (versioned) sets.push('version = m.version + 1')
  if (touched.length)
    await sql.query(
      `update ${name} m set ${sets.join(', ')} from import_change c join ${name} o on o.id = c.rowid
          cross join lateral jsonb_populate_record(o, (select jsonb_object_agg(key, value -> 0) from jsonb_each(c.changed))) was
        where ${mine} and c.changed is not null and m.id = o.id`,
    )
  await sql.query(
    `insert into ${name} (${columns.join(', ')}) overriding system value
      select ${columns.map((column) => `was.${column}`).join(', ')} from import_change c, jsonb_populate_record(null::${name}, c.removed) was
      where ${mine} and c.removed is not null`,
  )
}

type StoredBatch = { date: string | null; part: string; wrote: boolean; known: boolean }
async function assertUndoable(
  tx: Tx,
  { kind: name, id, config }: UndoRequest,
  { date, part, wrote, known }: StoredBatch,
) {
  const kind = importKind(name)
  if (date) await kind.refuseClosedMonth?.(tx, date, config.timeZone)
  if (wrote && !known) throw undoRefused('it was stored before the portal kept what an import changes')
  if (!kind.replaces) return
  const [later] = await tx.query<{ filename: string; username: string }>(
    `select filename, username from import_batch where kind = $1 and fordate = $2 and part = $3 and id > $4 and undone_at is null order by id limit 1`,
    [name, date, part, id],
  )
  if (later)
    throw undoRefused(
      `${later.username} has imported ${later.filename} for ${part}, ${monthName(date!)} since; undo that import first`,
    )
}

async function undoInTransaction(tx: Tx, undoing: UndoRequest): Promise<Batch> {
  const { kind: name, id, caller, address, config } = undoing
  for (const lock of new Set([importKind(name).waitsFor ?? name, name]))
    await tx.query('select pg_advisory_xact_lock(hashtext($1))', [`import ${lock}`])
  const batch = await findBatch(tx, name, caller, id)
  if (!batch) throw notFound('import')
  const format = new Intl.DateTimeFormat('en-US', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: config.timeZone,
  })
  if (batch.state === 'undone')
    throw undoRefused(`${batch.undoneby} undid it on ${format.format(batch.undoneat! * 1000)}`)
  const [stored] = await tx.query<StoredBatch>(
    `select fordate::text as date, part, inserted + updated > 0 as wrote,
        exists (select from import_added where batchid = $1) or exists (select from import_change where batchid = $1) as known
      from import_batch where id = $1 for update`,
    [id],
  )
  await assertUndoable(tx, undoing, stored!)
  const tables = await findWrittenTables(tx, id)
  const why = await explainConflict(
    tx,
    id,
    tables.map((table) => table.name),
    format,
  )
  if (why) throw undoRefused(why)
  for (const table of tables) await restoreTable(tx, id, table)
  await tx.query('delete from import_change where batchid = $1', [id])
  await tx.query('delete from import_added where batchid = $1', [id])
  await tx.query('update import_batch set undone_at = now(), undone_by = $2 where id = $1', [
    id,
    caller.username,
  ])
  const after = { filename: batch.filename, inserted: batch.inserted, updated: batch.updated }
  await audit(tx, { username: caller.username, address, action: 'undo', entity: name, entityid: id, after })
  return (await findBatch(tx, name, caller, id))!
}

/**
 * Puts everything back as it was before an import, in one transaction. Throws a Refusal: 404 when the caller has no
 * such import, 409 that explains when later changes or a locked month forbid it.
 */
export async function undoImport(undoing: UndoRequest): Promise<Batch> {
  try {
    return await undoing.db.transaction((tx) => undoInTransaction(tx, undoing))
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === '23505') throw undoRefused('other rows have taken the place of those it replaced')
    if (code === '23503') throw undoRefused('other records refer to what it added')
    throw error
  }
}
