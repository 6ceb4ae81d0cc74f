import { hasIncomeSql } from './monthLevels.ts'
import { bitsOfAll, idsWithoutBit, sliceSize } from './presence.ts'

/** So many months up to the chosen one are looked through (variance 5). */
export const missingWindow = 12

/** Parameters as placeholders: the last month, how many months, and one MID or null for all. */
type MissingOptions = { month: string; months: number; xmid?: string }

const epochOf = (day: string) => `extract(epoch from ${day})::bigint`
const nextMonth = `(g.month + interval '1 month')`
/** SQL: a merchant was active on a day or after it, by the status and the closing day it has (variance 5). */
export const isActiveSql = (merchant: string, day: string) =>
  `(${merchant}.accountstatus = 2 or ${merchant}.accountstatus = 3
    and ${merchant}.date_closed >= ${epochOf(`(${day})::timestamp`)})`

/**
 * The processors with rows in a month, each found by one look into the index: a month has few processors and
 * many rows.
 */
export const processorsOfFiles = (month: string) => `
  with recursive held as (
    select min(processor) as processor from residual where month = ${month}
    union all
    select (select min(r.processor) from residual r where r.month = ${month} and r.processor > h.processor)
    from held h where h.processor is not null)
  select processor from held where processor is not null`

/** SQL: the first month of the window. */
const firstOf = (month: string, months: number) => `(${month}::date - interval '${months - 1} months')::date`

/** The months of the window that a file or a note answers, and whether their bitmaps are up to date. */
const answeredCte = `
  missing_month as materialized (
    select w.month, coalesce((select s.iskept from month_presence_state s where s.month = w.month), false)
        as isfresh
    from missing_window w where exists (select from missing_answer a where a.month = w.month))`

/** Merchants (id, isdoubted) that may lack a row in a month of the window, or one merchant. */
const absentSql = {
  all: idsWithoutBit('missing_slice'),
  one: (xmid: string) => `
    select m.id, exists (select from month_presence_doubt d where d.merchantid = m.id) as isdoubted
    from merchant m where m.xmid = ${xmid}`,
}

/** missing_merchant: the merchants that may be expected in the window. */
const merchantCte = ({ month, months, xmid }: MissingOptions) => `
  missing_slice as materialized (${bitsOfAll('missing_month')}),
  missing_absent as (${xmid ? absentSql.one(xmid) : absentSql.all}),
  missing_merchant as materialized (
    select m.xmid, m.id, m.dba, m.masteragentid, m.processor, m.accountstatus, m.date_closed, m.date_approved,
      a.isdoubted
    from missing_absent a join merchant m on m.id = a.id
    where ${isActiveSql('m', firstOf(month, months))}
      and (m.date_approved > 0 or exists (select from daily_volume d
        where d.xmid = m.xmid and d.volumedate >= ${firstOf(month, months)})))`

/**
 * SQL: the months `w` in which no file has a row of a merchant `m`. Where the bit of month_presence is not
 * set, the merchant's rows are looked up. Of a single month without its bits all rows are read at once: to
 * look up those of every merchant takes ten times as long.
 */
const lackedSql = ({ month, months }: MissingOptions) => {
  const byBits = `case
          when m.isdoubted or b.bits is null or get_bit(b.bits, m.id % ${sliceSize}) = 0
          then (select 1 from residual r where r.xmid = m.xmid and r.month = w.month limit 1)
          else 1 end`
  const allRows = `left join (select distinct xmid, 1 as found from residual
          where month = ${month}::date and (select not bool_and(isfresh) from missing_month)) a
          on a.xmid = m.xmid`
  const [join, found] =
    months === 1 ? [allRows, `case when w.isfresh then ${byBits} else a.found end`] : ['', byBits]
  return `missing_merchant m cross join missing_month w
        left join month_presence b on w.isfresh and b.month = w.month and b.slice = m.id / ${sliceSize}
        ${join}
        cross join lateral (select ${found} as found) p
      where p.found is null`
}

/**
 * Common table expressions, to follow `with recursive`, of what is missing: missing_gap (xmid, id, dba,
 * masteragentid, processor, month, volume, hasvolume), one row for each month of the window in which an
 * active merchant with volume or an approval is in no file (variance 5). What is read of the merchants are
 * today's records; daily volume and files are those of the month.
 */
export const missingGapCtes = (options: MissingOptions) => {
  const { month, months } = options
  return `
  missing_window as materialized (
    select m::date as month
    from generate_series(${month}::date - interval '${months - 1} months', ${month}::date::timestamp,
      interval '1 month') m),
  missing_answer as materialized (
    select w.month, f.processor, true as isfile
    from missing_window w cross join lateral (${processorsOfFiles('w.month')}) f
    union all
    select s.month, s.processor, false from processor_statement s join missing_window w on w.month = s.month
    where s.nofile),
  ${answeredCte},
  ${merchantCte(options)},
  missing_gap as materialized (
    select g.xmid, g.id, g.dba, g.masteragentid, p.processor, g.month, coalesce(v.volume, 0) as volume,
      v.days > 0 as hasvolume
    from (
      select m.xmid, m.id, m.dba, m.masteragentid, m.processor, w.month, m.date_approved
      from ${lackedSql(options)}
        and (m.accountstatus = 2 or m.date_closed >= ${epochOf('w.month::timestamp')})) g
      cross join lateral (
        select count(*) as days, sum(d.salesamount) as volume from daily_volume d
        where d.xmid = g.xmid and d.volumedate >= g.month and d.volumedate < ${nextMonth}) v
      cross join lateral (
        select coalesce(nullif(g.processor, ''), (select r.processor from residual r
          where r.xmid = g.xmid and r.month < g.month order by r.month desc, r.processor limit 1), '')
          as processor) p
    where (v.days > 0 or g.date_approved > 0 and g.date_approved < ${epochOf(nextMonth)})
      and exists (select from missing_answer a
        where a.month = g.month and p.processor in (a.processor, '') and (a.isfile or v.days > 0)))`
}

/** The middle of the last up to six months with income before the month of `g` (variance 6). */
const historySql = `
  select (percentile_disc(0.5) within group (order by net)
    + percentile_disc(0.5) within group (order by net desc)) / 2 as net
  from (
    select sum(r.net) as net from residual r where r.xmid = g.xmid and r.month < g.month
    group by r.month having ${hasIncomeSql} order by r.month desc limit 6) h`

const rateOf = (processor: string) => `(select round(g.volume * r.net / r.sales, 2) from missing_rate r
        where r.month = (g.month - interval '1 month')::date and ${processor})`

/**
 * The same with `missing` (the columns of missing_gap, estimate, basis): what each missing month would have
 * brought (variance 6). missing_rate holds the sums of the months before by processor, and of the house where
 * the processor is null; only the months that are needed are read.
 */
export const missingCtes = (options: MissingOptions) => `${missingGapCtes(options)},${missingEstimateCtes}`

/**
 * Common table expressions, to follow `missingGapCtes` of one month, that write down what is missing in it at
 * the lock that is being made; a later file that brings such income is tied to these rows (variance 8).
 * Parameters as placeholders: the lock's id, and who locks from which IP address.
 */
export const recordMissingCtes = (lock: string, username: string, address: string) => `${missingEstimateCtes},
  recorded_missing as (
    insert into missing_income (month, xmid, volume, estimate, basis, lockid, username, address)
    select month, xmid, volume, estimate, basis, ${lock}, ${username}, ${address} from missing
    order by xmid collate "C")`

/** The part of `missingCtes` after `missingGapCtes`. */
const missingEstimateCtes = `
  missing_history as materialized (
    select g.*, round(h.net, 2) as history from missing_gap g left join lateral (${historySql}) h on true),
  missing_rate as materialized (
    select r.month, r.processor, sum(r.net) as net, sum(r.sales) as sales from residual r
    where r.month = any (array(select distinct (g.month - interval '1 month')::date from missing_history g
      where g.history is null and g.volume <> 0))
    group by grouping sets ((r.month, r.processor), (r.month))
    having sum(r.sales) > 0),
  missing_estimate as (
    select g.*, case when g.history is null and g.volume <> 0 then ${rateOf('r.processor = g.processor')} end
        as processorrate,
      case when g.history is null and g.volume <> 0 then ${rateOf('r.processor is null')} end as houserate
    from missing_history g),
  missing as materialized (
    select g.xmid, g.id, g.dba, g.masteragentid, g.processor, g.month, g.volume, g.hasvolume,
      coalesce(g.history, g.processorrate, g.houserate) as estimate,
      case when g.history is not null then 'history' when g.processorrate is not null then 'processor'
        when g.houserate is not null then 'house' end as basis
    from missing_estimate g)`
