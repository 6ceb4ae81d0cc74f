import { formatDateTime } from '../../schemas/dates.ts'
import type { Sql } from '../db/db.ts'
import { findUsedMerchant } from '../entities/merchantUse.ts'
import {
  changedColumns,
  changedValue,
  stampColumn,
  undoneColumns,
  type WrittenTable,
} from './store/undoLog.ts'

/** The first record of a conflict, and how many there are. */
type Conflict = { record: string; count: number }
/** A conflict with who made it and when (epoch seconds). */
type AttributedConflict = Conflict & { username: string; at: number }
export type LaterImport = AttributedConflict & { filename: string }
export type LaterEdit = Conflict & Partial<AttributedConflict>
type UsedMerchant = { xmid: string; count: number; use: string }
/** How conflicts of a batch are looked for: all of them to be counted, or the first one to be named. */
export type ConflictSearch = {
  findLaterImport: (sql: Sql, batch: number, table: string) => Promise<LaterImport | null>
  findLaterEdit: (sql: Sql, batch: number, table: string) => Promise<LaterEdit | null>
  findUsedMerchant: (sql: Sql, batch: number) => Promise<UsedMerchant | null>
  findReplacement: (sql: Sql, batch: number) => Promise<LaterImport | null>
}

const describeOthers = (count: number) =>
  count > 1
    ? `, and ${(count - 1).toLocaleString('en-US')} more ${count === 2 ? 'record' : 'records'} alike`
    : ''
export const recordLabel = `coalesce('MID ' || m.xmid, 'a record that is gone')`

/** The last later import that changed the same columns, or changed or removed rows that this one added. */
async function findLaterImport(sql: Sql, batch: number, table: string): Promise<LaterImport | null> {
  const [found] = await sql.query<LaterImport>(
    `select b.filename, b.username, extract(epoch from b.imported_at)::bigint as at, count(*)::int as count,
        min(coalesce('MID ' || coalesce(m.xmid, c.removed ->> 'xmid'), 'a record')) as record
      from import_batch b
        join import_change c on c.batchid = b.id and c.tablename = $2
        left join ${table} m on m.id = c.rowid
      where b.id > $1 and b.undone_at is null and (
        exists (select from import_added a where a.batchid = $1 and a.tablename = $2 and c.rowid <@ a.ids)
        or exists (
          select from import_change mine
          where mine.batchid = $1 and mine.tablename = $2 and mine.rowid = c.rowid
            and (c.removed is not null or mine.removed is not null
              or c.changed ?| ${undoneColumns(table, 'mine.changed')})))
      group by b.id order by b.id desc limit 1`,
    [batch, table],
  )
  return found ?? null
}

/**
 * Records that no longer hold what the import stored, or that it added and somebody edited; and who did so
 * last.
 */
async function findLaterEdit(sql: Sql, batch: number, written: WrittenTable): Promise<LaterEdit | null> {
  const { name: table } = written
  const edits = (await changedColumns(sql, batch, written))
    .filter(({ key }) => key !== stampColumn)
    .map((column) => {
      const after = changedValue(column, 'c.changed', 1)
      return `c.changed ? '${column.key}' and m.${column.name} is distinct from ${after}`
    })
  const [found] = await sql.query<LaterEdit>(
    `with other as (
      select c.rowid, ${recordLabel} as record from import_change c left join ${table} m on m.id = c.rowid
        where c.batchid = $1 and c.tablename = $2 and c.changed is not null
          and (${['m.id is null', ...edits].join(' or ')})
      union all
      select m.id, ${recordLabel} from import_added a
        join ${table} m on m.id::bigint <@ a.ids
        join audit d on d.entity = $2 and d.entityid = m.id::text
        join import_batch b on b.id = a.batchid
        where a.batchid = $1 and a.tablename = $2 and d.action = 'update' and d.at >= b.imported_at),
    first as (select *, (count(*) over ())::int as count from other order by rowid limit 1)
    select first.record, first.count, d.username, extract(epoch from d.at)::bigint as at
      from first left join lateral (
        select username, at from audit where entity = $2 and entityid = first.rowid::text
        order by id desc limit 1) d on true`,
    [batch, table],
  )
  return found ?? null
}

/** Records of other tables that refer to what the import added; `by` is the name of such a table. */
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
      `select min(${recordLabel}) as record, count(*)::int as count
        from import_added a
          join ${from} f on f.${column}::bigint <@ a.ids
          join ${table} m on m.id = f.${column}
        where a.batchid = $1 and a.tablename = $2 having count(*) > 0`,
      [batch, table],
    )
    if (found) return { ...found, by: from.replaceAll('_', ' ') }
  }
  return null
}

/** What forbids to delete merchants that the import added (merchants 9). */
function describeUsedMerchant({ xmid, count, use }: UsedMerchant): string {
  const advice = `An import of merchants can set ${count > 1 ? 'them' : 'it'} to Inactive instead.`
  return `MID ${xmid}, which it added, has ${use}${describeOthers(count)}. ${advice}`
}

/**
 * The last import whose rows of a day would be counted twice if those that this one removed returned: one row
 * of a merchant's whole day and its batches exclude each other (imports 30).
 */
export async function findReplacement(
  sql: Sql,
  batch: number,
  limit: number | null,
): Promise<LaterImport | null> {
  const [found] = await sql.query<LaterImport>(
    `select b.filename, b.username, extract(epoch from b.imported_at)::bigint as at,
        count(distinct m.xmid)::int as count, min('MID ' || m.xmid) as record
      from (select * from import_change
          where batchid = $1 and tablename = 'daily_volume' and removed is not null limit $2) c
        cross join lateral jsonb_populate_record(null::daily_volume, c.removed) was
        join daily_volume m on m.volumedate = was.volumedate and m.xmid = was.xmid
          and (was.batchnumber is null or m.batchnumber is null or m.batchnumber = was.batchnumber)
        join import_batch b on b.id = m.batchid
      where not exists (select from import_added a
        where a.batchid = $1 and a.tablename = 'daily_volume' and m.id <@ a.ids)
      group by b.id order by b.id desc limit 1`,
    [batch, limit],
  )
  return found ?? null
}

/** Looks at every row of these tables, which are all that the batch wrote. */
export const searchAllRows = (written: readonly WrittenTable[]): ConflictSearch => ({
  findLaterImport,
  findLaterEdit: (sql, batch, table) =>
    findLaterEdit(
      sql,
      batch,
      written.find(({ name }) => name === table)!,
    ),
  findUsedMerchant,
  findReplacement: (sql, batch) => findReplacement(sql, batch, null),
})

/**
 * Why an undo by a caller who sees these agents would change what is outside of their branch (imports 22): a
 * merchant that another branch has by now, or that would go back to one. Null when it would not, and for who
 * sees all. `limit` is how many rows of each table are looked at, null for all.
 */
export async function describeScopeConflict(
  sql: Sql,
  batch: number,
  { tables, scope, limit = null }: { tables: string[]; scope: number[] | null; limit?: number | null },
): Promise<string | null> {
  if (scope === null) return null
  for (const table of tables.filter((name) => !name.endsWith('_state'))) {
    const [outside] = await sql.query<{ xmid: string }>(
      `select w.xmid from (
          (select m.xmid, null::int as former
            from import_added a cross join unnest(a.ids) as range
              join ${table} m on m.id >= lower(range) and m.id < upper(range)
            where a.batchid = $1 and a.tablename = $2 limit $4)
          union all
          (select coalesce(m.xmid, c.removed ->> 'xmid'), (c.changed #>> '{masteragentid,0}')::int
            from import_change c left join ${table} m on m.id = c.rowid
            where c.batchid = $1 and c.tablename = $2 limit $4)) w
        left join merchant n on n.xmid = w.xmid
        where n.masteragentid <> all ($3::int[]) or w.former <> all ($3) limit 1`,
      [batch, table, scope, limit],
    )
    if (outside) return `MID ${outside.xmid} is no merchant of yours any more`
  }
  return null
}

/** A sentence that says which later change forbids the undo of a batch (imports 22); null when none does. */
export async function explainConflict(
  sql: Sql,
  batch: number,
  { tables, timeZone, search }: { tables: string[]; timeZone: string; search: ConflictSearch },
): Promise<string | null> {
  const formatTime = (seconds: number) => formatDateTime(seconds * 1000, timeZone)
  // Rows of a state table belong to a record of another table of the batch, and that table is checked.
  for (const table of tables.filter((name) => !name.endsWith('_state'))) {
    const later = await search.findLaterImport(sql, batch, table)
    const describe = (action: string, { record, filename, username, at, count }: LaterImport) => {
      const source = `${filename}, which ${username} imported on ${formatTime(at)}`
      return `${record} ${action} ${source}${describeOthers(count)}; undo that import first`
    }
    if (later) return describe('was changed again by', later)
    const taken = table === 'daily_volume' ? await search.findReplacement(sql, batch) : null
    if (taken) return describe('has other rows of the day by now, from', taken)
    const edited = await search.findLaterEdit(sql, batch, table)
    if (edited) {
      const { record, username, at, count } = edited
      const author = username ? ` by ${username} on ${formatTime(at!)}` : ''
      return `${record} was changed since${author}${describeOthers(count)}`
    }
    const merchantInUse = table === 'merchant' ? await search.findUsedMerchant(sql, batch) : null
    if (merchantInUse) return describeUsedMerchant(merchantInUse)
    const used = await findReference(sql, batch, table)
    if (used) return `${used.record}, which it added, is in use by ${used.by}${describeOthers(used.count)}`
  }
  return null
}
