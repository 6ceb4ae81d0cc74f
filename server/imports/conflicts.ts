import type { Sql } from '../db.ts'

type Conflict = { record: string; count: number }
type By = Conflict & { username: string; at: number }

const others = (count: number) => (count > 1 ? `, and ${(count - 1).toLocaleString('en-US')} more ${count === 2 ? 'record' : 'records'} alike` : '')
const label = `coalesce('MID ' || m.xmid, 'a record that is gone')`

/** Imports since that changed the same columns, or removed or changed rows that this one added. */
async function laterImports(sql: Sql, batch: number, table: string): Promise<(By & { filename: string }) | null> {
  const [found] = await sql.query<By & { filename: string }>(
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
async function changedSince(sql: Sql, batch: number, table: string): Promise<(Conflict & Partial<By>) | null> {
  const [found] = await sql.query<Conflict & Partial<By>>(
    `with other as (
      select c.rowid, ${label} as record from import_change c left join ${table} m on m.id = c.rowid
        where c.batchid = $1 and c.tablename = $2 and c.changed is not null and (m.id is null
          or m is distinct from jsonb_populate_record(m, (select jsonb_object_agg(key, value -> 1) from jsonb_each(c.changed))))
      union all
      select m.id, ${label} from import_added a join ${table} m on m.id::bigint <@ a.ids join audit d on d.entity = $2 and d.entityid = m.id::text
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
async function referred(sql: Sql, batch: number, table: string): Promise<(Conflict & { by: string }) | null> {
  const pointers = await sql.query<{ table: string; column: string }>(
    `select c.conrelid::regclass::text as table, quote_ident(a.attname) as column
      from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype = 'f' and c.confdeltype = 'a' and c.confrelid = $1::regclass order by 1`,
    [table],
  )
  for (const { table: from, column } of pointers) {
    const [found] = await sql.query<Conflict>(
      `select min(${label}) as record, count(*)::int as count from import_added a join ${from} f on f.${column}::bigint <@ a.ids
        join ${table} m on m.id = f.${column} where a.batchid = $1 and a.tablename = $2 having count(*) > 0`,
      [batch, table],
    )
    if (found) return { ...found, by: from.replaceAll('_', ' ') }
  }
  return null
}

/** Why later changes forbid the undo of a batch, in one sentence; null when they do not. */
export async function laterChanges(sql: Sql, batch: number, tables: string[], format: Intl.DateTimeFormat): Promise<string | null> {
  const on = (seconds: number) => format.format(seconds * 1000)
  // What hangs on a record of another table of the batch goes and comes with it.
  for (const table of tables.filter((name) => !name.endsWith('_state'))) {
    const later = await laterImports(sql, batch, table)
    if (later) {
      const what = `${later.record} was changed again by ${later.filename}, which ${later.username} imported on ${on(later.at)}`
      return `${what}${others(later.count)}; undo that import first`
    }
    const changed = await changedSince(sql, batch, table)
    if (changed) {
      const who = changed.username ? ` by ${changed.username} on ${on(changed.at!)}` : ''
      return `${changed.record} was changed since${who}${others(changed.count)}`
    }
    const used = await referred(sql, batch, table)
    if (used) return `${used.record}, which it added, is in use by ${used.by}${others(used.count)}`
  }
  return null
}
