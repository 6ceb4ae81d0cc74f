import { merchantCountSql } from '../../db/merchantCount.ts'

/** SQL: the epoch seconds at which the month begins and at which the next one does. */
const [first, next] = [
  'extract(epoch from $1::date::timestamp)::bigint',
  `extract(epoch from $1::date::timestamp + interval '1 month')::bigint`,
]
/* SQL conditions on a merchant `m`. One that is not Inactive is there, whatever its Date Closed (money 9). */
const isAdded = `m.date_added >= ${first} and m.date_added < ${next}`
const isClosed = `m.accountstatus = 3 and m.date_closed >= ${first} and m.date_closed < ${next}`
const wasThere = `m.date_added > 0 and m.date_added < ${first}`
const isThere = `(m.accountstatus <> 3 or m.date_closed >= ${next})`
const parts = {
  stayed: `${wasThere} and ${isThere}`,
  lost: `${wasThere} and ${isClosed}`,
  joined: `${isAdded} and ${isThere}`,
}
const xmidsSql = (part: keyof typeof parts) =>
  `coalesce(array_agg(m.xmid) filter (where ${parts[part]}), '{}') as ${part}`

/**
 * Common table expressions that copy the portfolio of each agent under a lock (months 5), for a statement in
 * which $1 is the month and `month_sum` holds the sums of its files. `lock` is the placeholder of the lock's
 * id. Merchants, their dates and daily volume are those of today's records.
 */
export const portfolioCopies = (lock: string) => `
  portfolio_merchant as (
    select m.masteragentid, count(*) as merchants, count(*) filter (where m.accountstatus = 2) as active,
      count(*) filter (where ${isAdded}) as fresh, count(*) filter (where ${isClosed}) as closed,
      count(*) filter (where ${Object.values(parts).join(' or ')}) as accounts,
      ${xmidsSql('stayed')}, ${xmidsSql('lost')}, ${xmidsSql('joined')}
    from merchant m group by m.masteragentid),
  portfolio_day as (
    select m.masteragentid, grouping(m.masteragentid) = 1 as istotal, sum(v.netamount) as volume,
      sum(v.salescount) as txncount
    from daily_volume v join merchant m on m.xmid = v.xmid
    where v.volumedate >= $1::date and v.volumedate < $1::date + interval '1 month'
    group by grouping sets ((m.masteragentid), ())),
  portfolio_file as (
    select masteragentid, sum(income) as income, sum(net) as net, sum(sales) as sales
    from month_sum group by masteragentid),
  copied_portfolio as (
    insert into locked_portfolio (lockid, masteragentid, merchants, active, fresh, closed, volume, txncount,
      income, net, sales, stayed, lost, joined)
    select ${lock}, coalesce(p.masteragentid, f.masteragentid), coalesce(p.merchants, 0),
      coalesce(p.active, 0), coalesce(p.fresh, 0), coalesce(p.closed, 0), coalesce(d.volume, 0),
      coalesce(d.txncount, 0), coalesce(f.income, 0), coalesce(f.net, 0), coalesce(f.sales, 0),
      coalesce(p.stayed, '{}'), coalesce(p.lost, '{}'), coalesce(p.joined, '{}')
    from portfolio_merchant p full join portfolio_file f on f.masteragentid = p.masteragentid
      left join portfolio_day d on d.masteragentid = p.masteragentid and not d.istotal),
  copied_portfolio_total as (
    insert into locked_portfolio_total (lockid, merchants, accounts, volume, txncount)
    select ${lock},
      (${merchantCountSql}),
      (select coalesce(sum(accounts), 0) from portfolio_merchant),
      coalesce(d.volume, 0), coalesce(d.txncount, 0)
    from (select) one left join portfolio_day d on d.istotal)`
