import { agentInScope } from '../db/scope.ts'
import { overrideRule } from './overrideRule.ts'

/*
 * The relations of an open month as common table expressions over today's data (money 2, money 15).
 * Parameters: $1 the month, $2 the requested agents or null, $3 netNegative, $4 amountBasis, $5 to $12 the
 * columns of `chain` as arrays.
 */

const own = overrideRule.own('percent')
const ownEquipment = overrideRule.own('eqpercent')
const above = overrideRule.above('p.percent', 'c.state')
const aboveEquipment = overrideRule.above('p.eqpercent', 'c.eqstate')

/**
 * agent_month: the rates of each agent in month $1 (money 6). An agent without a rate that is old enough has
 * 0, and one without any stored rate what its record says.
 */
const agentMonthCte = `
  rates as (
    select masteragentid,
      coalesce(max(value) filter (where field = 'percentagecommissionreceived'), 0) as percent,
      coalesce(max(value) filter (where field = 'amountcommissionreceived'), 0) as flat,
      coalesce(max(value) filter (where field = 'percentageequipmentcommissionreceived'), 0) as eqpercent,
      coalesce(max(value) filter (where field = 'amountequipmentcommissionreceived'), 0) as eqflat,
      array_agg(field) as fields
    from (
      select distinct on (masteragentid, field) masteragentid, field,
        case when from_month <= $1 then value end as value
      from agent_rate order by masteragentid, field, from_month <= $1 desc, from_month desc) newest
    group by masteragentid),
  agent_month as materialized (
    select a.id, a.parentid, a.payoninactive,
      case when 'percentagecommissionreceived' = any (r.fields) then r.percent
        else coalesce(a.percentagecommissionreceived, 0) end as percent,
      case when 'amountcommissionreceived' = any (r.fields) then r.flat
        else coalesce(a.amountcommissionreceived, 0) end as flat,
      case when 'percentageequipmentcommissionreceived' = any (r.fields) then r.eqpercent
        else coalesce(a.percentageequipmentcommissionreceived, 0) end as eqpercent,
      case when 'amountequipmentcommissionreceived' = any (r.fields) then r.eqflat
        else coalesce(a.amountequipmentcommissionreceived, 0) end as eqflat
    from master_agent a left join rates r on r.masteragentid = a.id)`

/**
 * The share of every agent in the merchants of every agent `origin` below it, through its child `via`, as one
 * row of arrays (money 2). A query of its own: from arrays the planner knows how many rows there are, from a
 * recursive part of a larger statement it does not, and would sort every line of a month for a merge.
 */
export const chainQuery = `
  with recursive ${agentMonthCte},
    chain (origin, masteragentid, via, payoninactive, percent, state, eqpercent, eqstate, flat, eqflat,
      path) as (
      select id, id, null::int, payoninactive, ${own.share}, ${own.state}, ${ownEquipment.share},
        ${ownEquipment.state}, flat, eqflat, array[id]
      from agent_month
      union all
      select c.origin, p.id, c.masteragentid, p.payoninactive, ${above.share}, ${above.state},
        ${aboveEquipment.share}, ${aboveEquipment.state}, 0, 0, c.path || p.id
      from chain c join agent_month a on a.id = c.masteragentid join agent_month p on p.id = a.parentid
      where not p.id = any (c.path))
  select coalesce(array_agg(origin), '{}') as origin, coalesce(array_agg(masteragentid), '{}') as agent,
    coalesce(array_agg(via), '{}') as via, coalesce(array_agg(payoninactive), '{}') as payoninactive,
    coalesce(array_agg(percent::text), '{}') as percent,
    coalesce(array_agg(eqpercent::text), '{}') as eqpercent,
    coalesce(array_agg(flat::text), '{}') as flat, coalesce(array_agg(eqflat::text), '{}') as eqflat
  from chain`

/** The row of `chainQuery`; amounts and percentages as the exact text of PostgreSQL. */
export type ChainArrays = {
  origin: number[]
  agent: number[]
  via: (number | null)[]
  payoninactive: boolean[]
  percent: string[]
  eqpercent: string[]
  flat: string[]
  eqflat: string[]
}

/** The columns of `chain` as parameters, in the order of `chainCte`. */
export const chainValues = (chain: ChainArrays): unknown[] => [
  chain.origin,
  chain.agent,
  chain.via,
  chain.payoninactive,
  chain.percent,
  chain.eqpercent,
  chain.flat,
  chain.eqflat,
]

/** agent_month and chain; the columns of `chain` are parameters from number `first` on. */
export const chainCtes = (first: number) => {
  const types = ['int', 'int', 'int', 'boolean', 'numeric', 'numeric', 'numeric', 'numeric']
  return `${agentMonthCte},
  chain as materialized (
    select * from unnest(${types.map((type, index) => `$${first + index}::${type}[]`).join(', ')})
      as c (origin, masteragentid, via, payoninactive, percent, eqpercent, flat, eqflat))`
}

/**
 * - wanted: the requested agents, and those paid together with them.
 * - share: the chain rows of the wanted agents.
 */
const shareCtes = `${chainCtes(5)},
  wanted as materialized (
    select id from master_agent
    where $2::int[] is null or coalesce(payeeid, id) in (
      select coalesce(payeeid, id) from master_agent where id = any ($2))),
  share as materialized (
    select * from chain where $2::int[] is null or masteragentid in (select id from wanted))`

/** A merchant is inactive in month $1 unless it was closed in the month or after it (money 9). */
const isInactive = `(m.accountstatus = 3 and (m.date_closed is null
  or m.date_closed < extract(epoch from $1::timestamp)))`

/**
 * flat_time: how often the flat amount is paid for a row of a file (money 4), for the merchants of agents who
 * have one.
 */
const flatTimeCte = `
  flat_time as (
    select id, times from (
      select r.id, case when $4 = 'perTransaction' then r.txncount
        when row_number() over (
          partition by case when $4 = 'perAgentMonth' then m.masteragentid::text else r.xmid end
          order by r.xmid collate "C", r.processor) = 1 then 1
        else 0 end as times
      from residual r join merchant m on m.xmid = r.xmid
        join chain c on c.origin = m.masteragentid and c.via is null and c.flat <> 0
      where r.month = $1 and (r.txncount <> 0 or r.sales <> 0) and not ${isInactive}) t
    where times > 0)`

/** Rows of known merchants; `base` is what percentages apply to (money 8). */
const earningCte = (name: string, where: string) => `
  ${name} as (
    select r.id, r.xmid, m.dba, m.masteragentid, r.processor, r.txncount, r.sales, r.net,
      case when $3 = 'floor' then greatest(r.net, 0) else r.net end as base,
      coalesce(f.times, 0) as times, ${isInactive} as isinactive
    from residual r join merchant m on m.xmid = r.xmid left join flat_time f on f.id = r.id
    where r.month = $1${where})`

/**
 * One row for each earning agent, rounded to the cent (money 5); what inactive merchants do not pay is
 * withheld (money 9).
 */
const lineCte = (name: string, earning: string, chain: string) => `
  ${name} as not materialized (
    select w.id, w.origin, w.masteragentid, w.fromagentid, w.xmid, w.dba, w.processor, w.txncount, w.sales,
      w.net, w.percent, w.flat,
      case when w.held then 0 else w.earned end as amount,
      case when w.held then w.earned else 0 end as withheld
    from (
      select e.id, e.masteragentid as origin, c.masteragentid, c.via as fromagentid, e.xmid, e.dba,
        e.processor, e.txncount, e.sales, e.net, c.percent,
        c.flat * e.times as flat, round(c.percent * e.base * 0.01, 2) + c.flat * e.times as earned,
        e.isinactive and not c.payoninactive as held
      from ${earning} e join ${chain} c on c.origin = e.masteragentid
      where c.via is null or c.percent > 0) w)`

const wantedEarning = earningCte(
  'earning',
  ` and ($2::int[] is null or m.masteragentid = any (array(select origin from share)))`,
)
/**
 * The lines of all agents: what the house keeps is what they all leave. Where all are requested these are the
 * same, and are not computed twice.
 */
const everyLine = {
  allAgents: `every_line as not materialized (select * from line),
  every_origin as (select origin, sum(amount) as paid from origin_line group by origin)`,
  someAgents: `${earningCte('every_earning', '')}, ${lineCte('every_line', 'every_earning', 'chain')},
  every_origin as (select origin, sum(amount) as paid from every_line group by origin)`,
}

/** The sums of the lines by the merchants' agent and by who earns, from which all other sums are made. */
const originLineCte = `
  origin_line as materialized (
    select origin, masteragentid, fromagentid is null as isown, sum(txncount) as txncount,
      sum(sales) as sales, sum(net) as net, sum(amount) as amount, sum(withheld) as withheld
    from line group by origin, masteragentid, fromagentid is null)`

const merchantCtes = `
  merchant_line as (
    select r.id, r.xmid, coalesce(m.dba, r.dba) as dba, m.masteragentid, m.accountstatus, m.date_closed,
      r.processor, r.txncount, r.sales, r.income, r.expense, r.net,
      r.net - coalesce(p.paid, 0) as house, m.id is not null as isknown
    from residual r left join merchant m on m.xmid = r.xmid
      left join (select id, sum(amount) as paid from every_line group by id) p on p.id = r.id
    where r.month = $1),
  merchant_month as (
    select xmid, dba, masteragentid, accountstatus, date_closed, processor, txncount, sales, income, expense,
      net, house, isknown
    from merchant_line),
  pay_line as (
    select masteragentid, fromagentid, xmid, dba, processor, txncount, sales, net, percent, flat, amount,
      withheld,
      case when fromagentid is null then 'own' else 'override' end as kind
    from line where ${agentInScope('$2', 'masteragentid')}),
  house_sum as (
    select m.masteragentid, m.merchants, m.txncount, m.sales, m.net, m.net - coalesce(p.paid, 0) as house
    from (
      select m.masteragentid, count(distinct r.xmid) as merchants, sum(r.txncount) as txncount,
        sum(r.sales) as sales, sum(r.net) as net
      from residual r left join merchant m on m.xmid = r.xmid where r.month = $1 group by m.masteragentid) m
      left join every_origin p on p.origin = m.masteragentid)`

const extraCte = `
  open_month as materialized (
    select month from month_with_data
    where month < $1 and month > coalesce(
      (select max(month) from month_lock where reopened_at is null), '-infinity')),
  terminal as (
    select e.id, e.model, e.serialnumber, coalesce(e.masteragentid, m.masteragentid) as masteragentid, e.cost,
      e.soldfor
    from equipment e left join merchant m on m.id = e.merchantid where e.paidmonth = $1),
  subscription as (
    select s.id, s.masteragentid, s.amount, s.notes from collection_subscription s
    where $1 >= coalesce(s.startmonth, $1) and $1 <= coalesce(s.endmonth, $1)
      and (s.remaining is null or s.remaining > (
        select count(*) from open_month o where o.month >= coalesce(s.startmonth, o.month)))),
  extra (masteragentid, kind, label, amount, source) as (
    select c.masteragentid, 'equipment',
      e.model || ' ' || e.serialnumber || coalesce(' through ' || v.name, ''),
      round(c.eqpercent * (e.soldfor - e.cost) * 0.01, 2) + c.eqflat, e.id
    from terminal e join share c on c.origin = e.masteragentid left join master_agent v on v.id = c.via
    where c.via is null or c.eqpercent > 0
    union all
    select masteragentid, 'subscription', notes, -amount, id from subscription
    where masteragentid in (select id from wanted)
    union all
    select coalesce(j.masteragentid, m.masteragentid), 'adjustment',
      j.reason || coalesce(' (' || m.dba || ')', ''), j.amount, j.id
    from adjustment j left join merchant m on m.id = j.merchantid
    where j.month = $1 and j.state = 'accepted'
      and coalesce(j.masteragentid, m.masteragentid) in (select id from wanted))`

/** earned: one row for each wanted agent, without what is carried. */
const earnedCtes = `
  line_sum as (
    select masteragentid, sum(txncount) filter (where isown) as txncount,
      sum(sales) filter (where isown) as sales, sum(net) filter (where isown) as net,
      sum(amount) filter (where isown) as own, sum(amount) filter (where not isown) as override,
      sum(withheld) as withheld
    from origin_line group by masteragentid),
  merchant_count as (
    select masteragentid, count(*) as merchants
    from (select distinct masteragentid, xmid from earning) e group by masteragentid),
  extra_sum as (
    select masteragentid, sum(amount) filter (where kind = 'equipment') as equipment,
      sum(amount) filter (where kind = 'adjustment') as adjustments,
      -sum(amount) filter (where kind = 'subscription') as subscriptions
    from extra group by masteragentid),
  earned as materialized (
    select a.id as masteragentid, a.displayid, a.name, a.parentid, a.payeeid, a.isofficeaccount,
      coalesce(c.merchants, 0) as merchants, coalesce(l.txncount, 0) as txncount,
      coalesce(l.sales, 0) as sales, coalesce(l.net, 0) as net, coalesce(l.own, 0) as own,
      coalesce(l.override, 0) as override, coalesce(l.withheld, 0) as withheld,
      coalesce(x.equipment, 0) as equipment, coalesce(x.adjustments, 0) as adjustments,
      coalesce(x.subscriptions, 0) as subscriptions
    from master_agent a join wanted w on w.id = a.id left join line_sum l on l.masteragentid = a.id
      left join merchant_count c on c.masteragentid = a.id left join extra_sum x on x.masteragentid = a.id)`

/**
 * The relations of an open month up to `earned`. `someAgents` computes the lines of all agents besides those
 * of the requested ones, for what the house keeps.
 */
const openMonthCtes = (kind: 'allAgents' | 'someAgents') =>
  [
    shareCtes,
    flatTimeCte,
    wantedEarning,
    lineCte('line', 'earning', 'share'),
    originLineCte,
    everyLine[kind],
    merchantCtes,
    extraCte,
    earnedCtes,
  ].join(',')

export const openMonthRelations = {
  allAgents: openMonthCtes('allAgents'),
  someAgents: openMonthCtes('someAgents'),
}
