import { audit } from '../audit.ts'
import type { Caller } from '../auth.ts'
import type { Config } from '../config.ts'
import type { Db, Sql, Tx } from '../db.ts'
import { notFound, Refusal } from '../errors.ts'
import { monthName } from '../months.ts'
import type { Batch, ImportName } from '../../schemas/imports.ts'
import { laterChanges } from './conflicts.ts'
import { batchOf } from './history.ts'
import { kindOf } from './kinds.ts'

type Undo = { db: Db; kind: ImportName; id: number; caller: Caller; address: string; config: Pick<Config, 'timeZone'> }

const refuse = (why: string) => new Refusal(409, `This import cannot be undone: ${why}`)

/** The tables a batch wrote, with what each needs to be put back. */
type Table = { name: string; columns: string[]; versioned: boolean }
const tablesOf = (sql: Sql, batch: number) =>
  sql.query<Table>(
    `select t.name, array_agg(quote_ident(a.attname) order by a.attnum) as columns, bool_or(a.attname = 'version') as versioned
      from (select tablename as name from import_added where batchid = $1 union select tablename from import_change where batchid = $1) t
      join pg_attribute a on a.attrelid = t.name::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      group by t.name order by t.name`,
    [batch],
  )

/** Deletes what the batch added, sets back what it changed, puts back what it removed. Versions go on, so no stale form is taken. */
async function restore(sql: Sql, batch: number, { name, columns, versioned }: Table) {
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

type Stored = { date: string | null; part: string; wrote: boolean; known: boolean }
async function refuseClosed(tx: Tx, { kind: name, id, config }: Undo, { date, part, wrote, known }: Stored) {
  const kind = kindOf(name)
  if (date) await kind.guard?.(tx, date, config.timeZone)
  if (wrote && !known) throw refuse('it was stored before the portal kept what an import changes')
  if (!kind.replaces) return
  const [later] = await tx.query<{ filename: string; username: string }>(
    `select filename, username from import_batch where kind = $1 and fordate = $2 and part = $3 and id > $4 and undone_at is null order by id limit 1`,
    [name, date, part, id],
  )
  if (later) throw refuse(`${later.username} has imported ${later.filename} for ${part}, ${monthName(date!)} since; undo that import first`)
}

async function run(tx: Tx, undoing: Undo): Promise<Batch> {
  const { kind: name, id, caller, address, config } = undoing
  for (const lock of new Set([kindOf(name).waitsFor ?? name, name])) await tx.query('select pg_advisory_xact_lock(hashtext($1))', [`import ${lock}`])
  const batch = await batchOf(tx, name, caller, id)
  if (!batch) throw notFound('import')
  const format = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: config.timeZone })
  if (batch.state === 'undone') throw refuse(`${batch.undoneby} undid it on ${format.format(batch.undoneat! * 1000)}`)
  const [stored] = await tx.query<Stored>(
    `select fordate::text as date, part, inserted + updated > 0 as wrote,
        exists (select from import_added where batchid = $1) or exists (select from import_change where batchid = $1) as known
      from import_batch where id = $1 for update`,
    [id],
  )
  await refuseClosed(tx, undoing, stored!)
  const tables = await tablesOf(tx, id)
  const why = await laterChanges(tx, id, tables.map((table) => table.name), format)
  if (why) throw refuse(why)
  for (const table of tables) await restore(tx, id, table)
  await tx.query('delete from import_change where batchid = $1', [id])
  await tx.query('delete from import_added where batchid = $1', [id])
  await tx.query('update import_batch set undone_at = now(), undone_by = $2 where id = $1', [id, caller.username])
  const after = { filename: batch.filename, inserted: batch.inserted, updated: batch.updated }
  await audit(tx, { username: caller.username, address, action: 'undo', entity: name, entityid: id, after })
  return (await batchOf(tx, name, caller, id))!
}

/**
 * Puts everything back as it was before an import, in one transaction. Throws a Refusal: 404 when the caller has no
 * such import, 409 that explains when later changes or a locked month forbid it.
 */
export async function undoImport(undoing: Undo): Promise<Batch> {
  try {
    return await undoing.db.transaction((tx) => run(tx, undoing))
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === '23505') throw refuse('other rows have taken the place of those it replaced')
    if (code === '23503') throw refuse('other records refer to what it added')
    throw error
  }
}
