import type { RecoveredQuery, RecoveredReply } from '../../../schemas/api/months/variance.ts'
import type { Sql } from '../../db/db.ts'
import { missingWindow } from './missingSql.ts'
import { hasIncomeSql } from './monthLevels.ts'

/**
 * recovered: what was missing, as it was written down last, and what a file that came afterwards says of the
 * same merchant and month; with several processors, the first of their files (variance 8).
 */
const recoveredCtes = `
  written as (
    select distinct on (xmid, month) xmid, month, estimate, at from missing_income
    order by xmid, month, id desc),
  recovered as materialized (
    select w.xmid, w.month, min(w.estimate) as estimate, sum(r.net) as net, min(b.id) as batch,
      min(b.imported_at) as at
    from written w join residual r on r.xmid = w.xmid and r.month = w.month
      join import_batch b on b.id = r.batchid and b.imported_at > w.at
    group by w.xmid, w.month having ${hasIncomeSql}),
  listed as (
    select * from recovered
    where month <= $1::date and month > $1::date - interval '${missingWindow} months')`

/**
 * What was missing in the twelve months up to this one, an ISO first day, and came with a later file, the
 * newest file first; and the sums of each year, by the portal's time zone, whatever month they were missing
 * in (variance 8). Amounts are dollars.
 */
export async function readRecovered(
  sql: Sql,
  { month, page, size }: { month: string } & RecoveredQuery,
): Promise<RecoveredReply> {
  const [found] = await sql.query<RecoveredReply>(
    `with ${recoveredCtes},
      page as (select * from listed
        order by at desc, month desc, xmid collate "C" limit $2::int offset $3::int)
    select
      (select coalesce(json_agg(json_build_object('year', y.year, 'count', y.count, 'net', y.net)
          order by y.year desc), '[]')
        from (select extract(year from at)::int as year, count(*) as count, sum(net) as net
          from recovered group by 1) y) as years,
      (select count(*) from listed) as total_length,
      (select coalesce(json_agg(json_build_object('xmid', p.xmid, 'name', coalesce(m.dba, ''),
          'month', to_char(p.month, 'YYYY-MM'), 'estimate', p.estimate, 'net', p.net, 'batch', p.batch,
          'filename', b.filename, 'at', floor(extract(epoch from p.at))::bigint,
          'link', coalesce('/manage/merchants?open=' || m.id,
            '/manage/merchants?search=' || uri_component(p.xmid)))
          order by p.at desc, p.month desc, p.xmid collate "C"), '[]')
        from page p join import_batch b on b.id = p.batch left join merchant m on m.xmid = p.xmid) as data`,
    [month, size, (page - 1) * size],
  )
  return found!
}
