import { agentInScope } from '../db/scope.ts'
import { overrideRule } from './overrideRule.ts'

/*
 * The relations of an open month as common table expressions over today's data (money 2, money 15).
 * Parameters: $1 the month, $2 the first open month (what is due from there on may be carried into $1), $3
 * the lock whose balances are carried into $2 or null, $4 the requested agents or null, $5 netNegative, $6
 * amountBasis, $7 the minimum payout.
 */

const own = overrideRule.own('percent')
const ownEquipment = overrideRule.own('eqpercent')
const above = overrideRule.above('p.percent', 'c.state')
const aboveEquipment = overrideRule.above('p.eqpercent', 'c.eqstate')

/**
 * - open_month: the months to compute.
 * - agent_month: the rates of each agent in each of them (money 6).
 * - chain: the share of every agent in the merchants of every agent `origin` below it, through its child
 *   `via` (money 2).
 * - share: the chain rows of the requested agents.
 */
export const shareCtes = `
  open_month (month, n) as materialized (
    select month, row_number() over (order by month)::int
    from (select month from month_with_data where month between $2 and $1 union select $1) m),
  rate as (
    select distinct on (o.month, r.masteragentid, r.field) o.month, r.masteragentid, r.field,
      coalesce(r.value, 0) as value
    from open_month o cross join agent_rate r
    order by o.month, r.masteragentid, r.field, r.from_month <= o.month desc, abs(o.month - r.from_month)),
  rates as (
    select month, masteragentid,
      max(value) filter (where field = 'percentagecommissionreceived') as percent,
      max(value) filter (where field = 'amountcommissionreceived') as flat,
      max(value) filter (where field = 'percentageequipmentcommissionreceived') as eqpercent,
      max(value) filter (where field = 'amountequipmentcommissionreceived') as eqflat
    from rate group by month, masteragentid),
  agent_month as materialized (
    select o.month, a.id, a.parentid, a.payoninactive,
      coalesce(r.percent, a.percentagecommissionreceived, 0) as percent,
      coalesce(r.flat, a.amountcommissionreceived, 0) as flat,
      coalesce(r.eqpercent, a.percentageequipmentcommissionreceived, 0) as eqpercent,
      coalesce(r.eqflat, a.amountequipmentcommissionreceived, 0) as eqflat
    from open_month o cross join master_agent a
      left join rates r on r.month = o.month and r.masteragentid = a.id),
  chain (month, origin, masteragentid, via, payoninactive, percent, state, eqpercent, eqstate, flat, eqflat,
    path) as (
    select month, id, id, null::int, payoninactive, ${own.share}, ${own.state}, ${ownEquipment.share},
      ${ownEquipment.state}, flat, eqflat, array[id]
    from agent_month
    union all
    select c.month, c.origin, p.id, c.masteragentid, p.payoninactive, ${above.share}, ${above.state},
      ${aboveEquipment.share}, ${aboveEquipment.state},
      0, 0, c.path || p.id
    from chain c join agent_month a on a.month = c.month and a.id = c.masteragentid
      join agent_month p on p.month = c.month and p.id = a.parentid
    where not p.id = any (c.path)),
  share as materialized (select * from chain where ${agentInScope('$4', 'masteragentid')}),`

/**
 * Rows of known merchants: `base` is what percentages apply to, `times` how often the flat amount is paid
 * (money 4, money 8).
 */
const earningCte = (name: string, where: string) => `
  ${name} as (
    select r.month, r.xmid, m.dba, m.masteragentid, m.accountstatus, r.processor, r.txncount, r.sales, r.net,
      case when $5 = 'floor' then greatest(r.net, 0) else r.net end as base,
      case when m.accountstatus <> 2 or (r.txncount = 0 and r.sales = 0) then 0
        when $6 = 'perTransaction' then r.txncount
        when row_number() over (partition by r.month,
          m.accountstatus = 2 and (r.txncount > 0 or r.sales <> 0),
          case when $6 = 'perAgentMonth' then m.masteragentid::text else r.xmid end
            order by r.xmid collate "C", r.processor) = 1 then 1
        else 0 end as times
    from residual r join merchant m on m.xmid = r.xmid where ${where}),`

/**
 * One row for each earning agent, rounded to the cent (money 5); what inactive merchants do not pay is
 * withheld (money 9).
 */
const lineCte = (name: string, earning: string, chain: string) => `
  ${name} as (
    select w.month, w.masteragentid, w.fromagentid, w.xmid, w.dba, w.processor, w.txncount, w.sales, w.net,
      w.percent, w.flat,
      case when w.held then 0 else w.earned end as amount,
      case when w.held then w.earned else 0 end as withheld
    from (
      select e.month, c.masteragentid, c.via as fromagentid, e.xmid, e.dba, e.processor, e.txncount, e.sales,
        e.net, c.percent,
        c.flat * e.times as flat, round(c.percent * e.base * 0.01, 2) + c.flat * e.times as earned,
        e.accountstatus = 3 and not c.payoninactive as held
      from ${earning} e join ${chain} c on c.month = e.month and c.origin = e.masteragentid
      where c.via is null or c.percent > 0) w),`

/**
 * The lines of the requested agents in every open month, because balances are carried from month to month.
 */
const lineCtes = `${earningCte(
  'earning',
  `r.month = any (array(select month from open_month))
      and ($4::int[] is null or m.masteragentid = any (array(select origin from share)))`,
)}${lineCte('line', 'earning', 'share')}`
/** The lines of all agents in month $1: what the house keeps is what they all leave. */
const monthLineOfAll =
  earningCte('month_earning', 'r.month = $1') + lineCte('month_line', 'month_earning', 'chain')
const monthLineOfRequested = `
  month_line as (select * from line where month = $1),`

const merchantCtes = `
  merchant_month as (
    select r.xmid, coalesce(m.dba, r.dba) as dba, m.masteragentid, m.accountstatus, r.processor, r.txncount,
      r.sales, r.income, r.expense, r.net,
      r.net - coalesce(p.paid, 0) as house, m.id is not null as isknown
    from residual r left join merchant m on m.xmid = r.xmid
      left join (select xmid, processor, sum(amount) as paid from month_line group by xmid, processor) p
        on p.xmid = r.xmid and p.processor = r.processor
    where r.month = $1),
  pay_line as (
    select masteragentid, fromagentid, xmid, dba, processor, txncount, sales, net, percent, flat, amount,
      withheld,
      case when fromagentid is null then 'own' else 'override' end as kind
    from line where month = $1),`

const extraCte = `
  extra (month, masteragentid, kind, label, amount, source) as (
    select e.paidmonth, c.masteragentid, 'equipment',
      e.model || ' ' || e.serialnumber || coalesce(' through ' || v.name, ''),
      round(c.eqpercent * (e.soldfor - e.cost) * 0.01, 2) + c.eqflat, e.id
    from equipment e left join merchant m on m.id = e.merchantid
      join share c on c.month = e.paidmonth and c.origin = coalesce(e.masteragentid, m.masteragentid)
      left join master_agent v on v.id = c.via
    where e.paidmonth between $2 and $1 and (c.via is null or c.eqpercent > 0)
    union all
    select s.month, s.masteragentid, 'subscription', s.notes, -s.amount, s.id from (
      select o.month, s.*, row_number() over (partition by s.id order by o.month) as turn
      from collection_subscription s join open_month o on o.month >= coalesce(s.startmonth, o.month)
        and o.month <= coalesce(s.endmonth, o.month)
      where ${agentInScope('$4', 's.masteragentid')}) s
    where s.turn <= coalesce(s.remaining, s.turn)
    union all
    select j.month, coalesce(j.masteragentid, m.masteragentid), 'adjustment',
      j.reason || coalesce(' (' || m.dba || ')', ''), j.amount, j.id
    from adjustment j left join merchant m on m.id = j.merchantid
    where j.month between $2 and $1 and ${agentInScope('$4', 'coalesce(j.masteragentid, m.masteragentid)')}),`

const statementCtes = `
  payee as materialized (
    select a.id, a.displayid, a.name, a.parentid, a.payeeid, a.isofficeaccount,
      case when a.isofficeaccount then 'Office account'
        when y.routingnumber = '' or y.bankaccountnumber is null then 'No bank data'
          || coalesce(' of the payee ' || b.displayid, '')
        when not passes_aba(y.routingnumber) then 'Routing number fails its check'
          || coalesce(', payee ' || b.displayid, '') end as hold
    from master_agent a left join master_agent b on b.id = a.payeeid
      join master_agent y on y.id = coalesce(a.payeeid, a.id)
    where ${agentInScope('$4', 'a.id')}),
  line_sum as (
    select month, masteragentid, count(distinct xmid) filter (where fromagentid is null) as merchants,
      sum(txncount) filter (where fromagentid is null) as txncount,
      sum(sales) filter (where fromagentid is null) as sales,
      sum(net) filter (where fromagentid is null) as net,
      sum(amount) filter (where fromagentid is null) as own,
      sum(amount) filter (where fromagentid is not null) as override, sum(withheld) as withheld
    from line group by month, masteragentid),
  extra_sum as (
    select month, masteragentid, sum(amount) filter (where kind = 'equipment') as equipment,
      sum(amount) filter (where kind = 'adjustment') as adjustments,
      -sum(amount) filter (where kind = 'subscription') as subscriptions
    from extra group by month, masteragentid),
  ledger as materialized (
    select o.n, p.*, coalesce(l.merchants, 0) as merchants, coalesce(l.txncount, 0) as txncount,
      coalesce(l.sales, 0) as sales, coalesce(l.net, 0) as net,
      coalesce(l.own, 0) as own, coalesce(l.override, 0) as override, coalesce(l.withheld, 0) as withheld,
      coalesce(x.equipment, 0) as equipment,
      coalesce(x.adjustments, 0) as adjustments, coalesce(x.subscriptions, 0) as subscriptions
    from open_month o cross join payee p left join line_sum l on l.month = o.month and l.masteragentid = p.id
      left join extra_sum x on x.month = o.month and x.masteragentid = p.id),
  balance (n, id, carryin, due, payable, carryout) as (
    select 0, p.id, 0::numeric, 0::numeric, 0::numeric, coalesce(s.carryout, 0)
    from payee p left join locked_statement s on s.lockid = $3 and s.masteragentid = p.id
    union all
    select g.n, g.id, b.carryout, d.due, d.payable,
      case when g.isofficeaccount then 0 else d.due - d.payable end
    from balance b join ledger g on g.n = b.n + 1 and g.id = b.id
      cross join lateral (
        select g.own + g.override + g.equipment + g.adjustments - g.subscriptions + b.carryout as due) t
      cross join lateral (select t.due, case when g.hold is null and t.due > 0
        and t.due >= $7::numeric then t.due else 0 end as payable) d),
  statement as (
    select g.id as masteragentid, g.displayid, g.name, g.parentid, g.payeeid, g.isofficeaccount, g.merchants,
      g.txncount, g.sales, g.net,
      g.own, g.override, g.withheld, g.equipment, g.adjustments, g.subscriptions, b.carryin, b.due,
      b.carryout, b.payable, g.hold
    from ledger g join balance b on b.n = g.n and b.id = g.id where g.n = (select max(n) from open_month)),
  statement_line as (
    select masteragentid, kind, label, amount, source from extra where month = $1
    union all
    select masteragentid, 'carry', 'Carried forward', carryin, null from statement where carryin <> 0)`

/** `someAgents` computes the lines of all agents besides those of the requested ones. */
export const openMonthCtes = {
  allAgents: shareCtes + lineCtes + monthLineOfRequested + merchantCtes + extraCte + statementCtes,
  someAgents: shareCtes + lineCtes + monthLineOfAll + merchantCtes + extraCte + statementCtes,
}
