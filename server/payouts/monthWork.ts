import type { LockedFigures, MonthFile, TypedStatement } from '../../schemas/api/months/work.ts'
import type { Sql } from '../db/db.ts'
import { filesOf } from '../money/variance/presence.ts'

/**
 * The files that were imported for a month, an ISO first day, and not undone, by processor and age; a
 * corrected file stands after the one that it replaces (cockpit 2).
 */
export const readMonthFiles = (sql: Sql, month: string) =>
  sql.query<MonthFile>(
    `with held as materialized (${filesOf('$1')})
      select h.processor, b.id as batch, b.filename, b.username,
        floor(extract(epoch from b.imported_at))::bigint as at, h.rows
      from (
        select processor, batchid, rows from held
        union all
        select processor, id, 0 from import_batch
        where kind = 'compdata' and fordate = $1 and processor <> '' and undone_at is null
          and id not in (select batchid from held)) h
        join import_batch b on b.id = h.batchid
      order by h.processor collate "C", b.id`,
    [month],
  )

/** What was typed from the processors' statements of a month. */
export const readTypedStatements = (sql: Sql, month: string) =>
  sql.query<TypedStatement>(
    `select id, version, processor, statednet, nofile from processor_statement where month = $1
      order by processor collate "C"`,
    [month],
  )

/** What the lock in force on a month copied; null while the month is open. */
export async function readLockedFigures(sql: Sql, month: string): Promise<LockedFigures | null> {
  const [figures] = await sql.query<LockedFigures>(
    `select l.username, floor(extract(epoch from l.locked_at))::bigint as at, l.hash,
        coalesce(s.merchants, 0) as merchants, f.net, coalesce(s.shares, 0) as shares,
        f.net - coalesce(s.shares, 0) as house, coalesce(s.due, 0) as due
      from month_lock l
        cross join lateral (select coalesce(sum((file ->> 'net')::numeric), 0) as net
          from jsonb_array_elements(l.inputs) as i (file)) f
        cross join lateral (select sum(merchants)::int as merchants, sum(own + override) as shares,
            sum(due) filter (where not isofficeaccount) as due
          from locked_statement where lockid = l.id) s
      where l.month = $1 and l.reopened_at is null`,
    [month],
  )
  return figures ?? null
}
