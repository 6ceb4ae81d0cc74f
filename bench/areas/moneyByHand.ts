/**
 * What every agent is due of a month (`$1`) in one aggregate: only what the bench's data needs, four levels,
 * differences of percentages and flat amounts.
 */
export const payByHand = `
  with line as (
    select a.id as a0, b.id as a1, c.id as a2, d.id as a3, r.net,
      round(a.percentagecommissionreceived * r.net / 100, 2)
        + case when m.accountstatus <> 3 and (r.txncount > 0 or r.sales <> 0)
            then coalesce(a.amountcommissionreceived, 0) else 0 end as p0,
      round(greatest(0, b.percentagecommissionreceived - a.percentagecommissionreceived)
        * r.net / 100, 2) as p1,
      round(greatest(0, c.percentagecommissionreceived - greatest(a.percentagecommissionreceived,
        b.percentagecommissionreceived)) * r.net / 100, 2) as p2,
      round(greatest(0, d.percentagecommissionreceived - greatest(a.percentagecommissionreceived,
        b.percentagecommissionreceived, c.percentagecommissionreceived)) * r.net / 100, 2) as p3,
      m.accountstatus = 3 as held
    from residual r join merchant m on m.xmid = r.xmid join master_agent a on a.id = m.masteragentid
      left join master_agent b on b.id = a.parentid left join master_agent c on c.id = b.parentid
      left join master_agent d on d.id = c.parentid
    where r.month = $1),
  pay as (
    select a0 as id, case when held then 0 else p0 end as own, 0 as override, net from line
    union all select a1, 0, case when held then 0 else p1 end, 0 from line where a1 is not null
    union all select a2, 0, case when held then 0 else p2 end, 0 from line where a2 is not null
    union all select a3, 0, case when held then 0 else p3 end, 0 from line where a3 is not null)
  select a.id, a.displayid, a.name, sum(p.own) as own, sum(p.override) as override, sum(p.net) as net
  from pay p join master_agent a on a.id = p.id group by a.id order by a.displayid, a.name`

/** The rows of a lock of a month (`$1`), into a table of the same columns and index. */
export const copyOfMonth = `
  insert into plain_copy
    select 1, row_number() over (order by r.xmid, r.processor), r.xmid, m.dba, m.masteragentid,
      m.accountstatus, r.processor, r.txncount, r.sales, r.income, r.expense, r.net, r.net, true,
      m.date_closed
    from residual r join merchant m on m.xmid = r.xmid where r.month = $1`
