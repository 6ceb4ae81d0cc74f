import { trendMonths, type TrendMonth } from '../../schemas/api/months/trend.ts'
import type { Sql } from '../db/db.ts'

/*
 * $1 is the newest month, $2 how many, $3 the portal's time zone. A locked month is read from what its lock
 * kept of the files and statements, so that no row of a merchant is read; only open months are summed.
 */
const trendRows = `
  with span as materialized (
    select month from month_with_data
    where month <= $1::date and month > $1::date - make_interval(months => $2::int)),
  locked as materialized (
    select l.id, l.month, l.locked_at, l.inputs
    from month_lock l join span using (month) where l.reopened_at is null),
  figures as (
    select l.month, f.net, f.volume, coalesce(s.accounts, 0) as accounts, l.locked_at
    from locked l
      cross join lateral (select coalesce(sum((file ->> 'net')::numeric), 0) as net,
          coalesce(sum((file ->> 'sales')::numeric), 0) as volume
        from jsonb_array_elements(l.inputs) as i (file)) f
      cross join lateral (select sum(merchants)::int as accounts from locked_statement
        where lockid = l.id) s
    union all
    select o.month, coalesce(sum(r.net), 0), coalesce(sum(r.sales), 0),
      count(*) filter (where r.isknown)::int, null
    from (select month from span where month not in (select month from locked)) o
      cross join lateral (select r.xmid, sum(r.net) as net, sum(r.sales) as sales,
          bool_or(m.id is not null) as isknown
        from residual r left join merchant m on m.xmid = r.xmid
        where r.month = o.month group by r.xmid) r
    group by o.month)
  select to_char(f.month, 'YYYY-MM') as month, f.net, f.volume, f.accounts,
    (f.locked_at at time zone $3)::date - e.lastday as lockedafter,
    (p.at at time zone $3)::date - e.lastday as releasedafter
  from figures f
    cross join lateral (select (f.month + interval '1 month')::date - 1 as lastday) e
    left join lateral (select min(at) as at from payout_release
      where month = f.month and how <> 'migrated') p on true
  order by f.month`

/** The months up to this one, an ISO first day, oldest first (cockpit 7). */
export const readMonthTrend = (sql: Sql, month: string, timeZone: string) =>
  sql.query<TrendMonth>(trendRows, [month, trendMonths, timeZone])
