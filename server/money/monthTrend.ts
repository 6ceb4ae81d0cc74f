import { trendMonths, type TrendMonth } from '../../schemas/api/months/trend.ts'
import type { Db } from '../db/db.ts'
import { inLargeTransaction } from '../db/largeWork.ts'
import { bitsOfAll, idsWithoutBit, refreshPresence, sliceSize } from './variance/presence.ts'
import { earlierMonth } from './variance/variance.ts'

/**
 * fresh_accounts (month, n): how many merchants are in the files of a month whose bitmaps are up to date
 * (decision 23). Set bits are counted. Merchants newer than the bitmaps have no bit, and those of
 * month_presence_doubt have one that may be wrong: these are looked up in the rows of the files.
 */
const freshAccounts = `
  fresh as materialized (select month, net, sales, true as isfresh from open_month where isfresh),
  fresh_slice as materialized (${bitsOfAll('fresh')}),
  uncertain as materialized (
    select m.id, m.xmid, a.isdoubted from (${idsWithoutBit('fresh_slice')}) a join merchant m on m.id = a.id),
  fresh_accounts as (
    select month, sum(n)::int as n
    from (
      select p.month, bit_count(p.bits) as n from month_presence p join fresh using (month)
      union all
      select p.month, -1
      from (select distinct merchantid as id from month_presence_doubt) d
        join month_presence p on p.slice = d.id / ${sliceSize} join fresh using (month)
      where get_bit(p.bits, d.id % ${sliceSize}) = 1
      union all
      select k.month, 1
      from uncertain a cross join fresh k
        left join month_presence p on p.month = k.month and p.slice = a.id / ${sliceSize}
      where (a.isdoubted or p.bits is null or get_bit(p.bits, a.id % ${sliceSize}) = 0)
        and exists (select from residual r where r.xmid = a.xmid and r.month = k.month)) n
    group by month)`

/*
 * $1 is the newest month, $2 how many, $3 the portal's time zone. A locked month is read from what its lock
 * copied of the files and statements, an open one from the materialized sums of its files (variance 10); a
 * month whose files are being changed at this moment is summed from its rows.
 */
const trendRows = `
  with span as materialized (
    select month from month_with_data
    where month <= $1::date and month > $1::date - make_interval(months => $2::int)),
  locked as materialized (
    select l.id, l.month, l.locked_at, l.inputs
    from month_lock l join span using (month) where l.reopened_at is null),
  open_month as materialized (
    select month, coalesce(s.iskept, false) as isfresh, s.net, s.sales
    from span left join month_presence_state s using (month)
    where month not in (select month from locked)),
  ${freshAccounts},
  figures as (
    select l.month, f.net, f.volume, coalesce(s.accounts, 0) as accounts, l.locked_at
    from locked l
      cross join lateral (select coalesce(sum((file ->> 'net')::numeric), 0) as net,
          coalesce(sum((file ->> 'sales')::numeric), 0) as volume
        from jsonb_array_elements(l.inputs) as i (file)) f
      cross join lateral (select sum(merchants)::int as accounts from locked_statement
        where lockid = l.id) s
    union all
    select k.month, k.net, k.sales, coalesce(a.n, 0), null
    from fresh k left join fresh_accounts a using (month)
    union all
    select o.month, coalesce(sum(r.net), 0), coalesce(sum(r.sales), 0),
      count(*) filter (where r.isknown)::int, null
    from (select month from open_month where not isfresh) o
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
export async function readMonthTrend(db: Db, month: string, timeZone: string): Promise<TrendMonth[]> {
  await refreshPresence(db, earlierMonth(month, trendMonths - 1), month, { onlyOpen: true })
  return inLargeTransaction(db, (tx) => tx.query<TrendMonth>(trendRows, [month, trendMonths, timeZone]))
}
