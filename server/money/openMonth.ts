import { agentInScope } from '../db/scope.ts'
import {
  adjustedRelation,
  agentMonthCtes,
  extraRecordCtes,
  merchantCtes,
  merchantRelation,
} from './monthRecords.ts'
import { overrideRule } from './overrideRule.ts'

/*
 * The relations of an open month as common table expressions over its records (money 2, money 15).
 * Parameters: $1 the month, $2 the requested agents or null, $3 netNegative, $4 amountBasis, $5 to $12 the
 * columns of `chain` as arrays, $13 the minimum payout, $14 the agents who have a flat amount, then the lock
 * whose copies count, of a reopened month, and where agents are requested those by whose merchants they earn.
 */

const own = overrideRule.own('percent')
const ownEquipment = overrideRule.own('eqpercent')
const above = overrideRule.above('p.percent', 'c.state')
const aboveEquipment = overrideRule.above('p.eqpercent', 'c.eqstate')

/**
 * The share of every agent in the merchants of every agent `origin` below it, through its child `via`, as one
 * row of arrays (money 2). A query of its own: from arrays the planner knows how many rows there are, from a
 * recursive part of a larger statement it does not, and would sort every line of a month for a merge.
 */
const chainSql = (base: string | null) => `
  with recursive ${agentMonthCtes(base)},
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
  select coalesce(array_agg(c.origin), '{}') as origin, coalesce(array_agg(c.masteragentid), '{}') as agent,
    coalesce(array_agg(c.via), '{}') as via, coalesce(array_agg(c.payoninactive), '{}') as payoninactive,
    coalesce(array_agg(c.percent::text), '{}') as percent,
    coalesce(array_agg(c.eqpercent::text), '{}') as eqpercent,
    coalesce(array_agg(c.flat::text), '{}') as flat, coalesce(array_agg(c.eqflat::text), '{}') as eqflat,
    coalesce(array_agg(coalesce(a.payeeid, a.id)), '{}') as payee
  from chain c join agent_month a on a.id = c.masteragentid`

/**
 * The statement that answers one row of `ChainArrays`: over the records of today, with $1 the month, or over
 * the copies of a lock, with $2 its id.
 */
export const chainQuery = { today: chainSql(null), copies: chainSql('$2') }

/** The placeholder of the lock whose copies count, in the statements of a reopened month (months 14). */
export const copiesParam = '$15'

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
  /** To whom the agent of the row is paid. */
  payee: number[]
}

/** The rows of a tree, comparable with those of another one whatever the order and the scale of numbers. */
export const chainText = (chain: ChainArrays): string =>
  JSON.stringify(
    chain.origin
      .map((origin, n) =>
        [
          origin,
          chain.agent[n],
          chain.via[n],
          chain.payoninactive[n],
          chain.payee[n],
          ...[chain.percent, chain.eqpercent, chain.flat, chain.eqflat].map((it) => Number(it[n])),
        ].join(),
      )
      .sort(),
  )

/** The agents who have a flat amount. */
export const flatAgentsOf = ({ origin, via, flat }: ChainArrays): number[] =>
  origin.filter((_, n) => via[n] === null && Number(flat[n]) !== 0)

/** The agents by whose merchants these agents, and those paid together with them, earn. */
export function originsOf({ origin, agent, payee }: ChainArrays, agents: readonly number[]): number[] {
  const requested = new Set(agents)
  const payees = new Set(payee.filter((_, n) => requested.has(agent[n]!)))
  return [...new Set(origin.filter((_, n) => payees.has(payee[n]!)))]
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

/**
 * agent_month and chain; the columns of `chain` are parameters from number `first` on, `base` is the
 * placeholder of the lock whose copies count.
 */
export const chainCtes = (first: number, base: string | null) => {
  const types = ['int', 'int', 'int', 'boolean', 'numeric', 'numeric', 'numeric', 'numeric']
  return `${agentMonthCtes(base)},
  chain as materialized (
    select *, (percent * 10000)::bigint as rate
    from unnest(${types.map((type, index) => `$${first + index}::${type}[]`).join(', ')})
      with ordinality as c (origin, masteragentid, via, payoninactive, percent, eqpercent, flat, eqflat, n))`
}

/**
 * - wanted: the requested agents, and those paid together with them.
 * - share: the chain rows of the wanted agents.
 */
export const shareCtes = (base: string | null) => `${chainCtes(5, base)},
  ${merchantCtes(base)}
  wanted as materialized (
    select id from agent_month
    where $2::int[] is null or coalesce(payeeid, id) in (
      select coalesce(payeeid, id) from agent_month where id = any ($2))),
  share as materialized (
    select * from chain where $2::int[] is null or masteragentid in (select id from wanted))`

/** A merchant is inactive in month $1 unless it was closed in the month or after it (money 9). */
export const inactiveSql = `(m.accountstatus = 3 and (m.date_closed is null
  or m.date_closed < extract(epoch from $1::timestamp)))`

/** A row `r` of a file counts for flat amounts only if its merchant processed (money 4). */
export const hasProcessed = '(r.txncount <> 0 or r.sales <> 0)'

/** Rows of files whose merchants are known: `r` (id, month, xmid, processor, txncount, sales), `m`. */
type FlatRows = {
  name?: string
  from: string
  /** A further condition on the rows that get it. */
  where?: string
}
const rowsOf = (relation: string, merchants: string) => `${relation} r join ${merchants} m on m.xmid = r.xmid`

/**
 * flat_time: how often the flat amount is paid for a row of a file (money 4), for the merchants of agents who
 * have one. These are a parameter: from its values the planner knows how many merchants they have, from a
 * subquery it does not, and would look up each of their rows by itself.
 */
export const flatTimeCte = ({ name = 'flat_time', from, where = '' }: FlatRows) => `
  ${name} as (
    select id, times from (
      select r.id, case when $4 = 'perTransaction' then r.txncount
        when row_number() over (
          partition by case when $4 = 'perAgentMonth' then m.masteragentid::text else r.xmid end
          order by r.xmid collate "C", r.processor) = 1 then 1
        else 0 end as times
      from ${from}
      where m.masteragentid = any ($14::int[]) and r.month = $1 and ${hasProcessed}
        and not ${inactiveSql}${where}) t
    where times > 0)`

type Earning = {
  name: string
  merchants: string
  where?: string
  relation?: string
  flat?: string
}

/**
 * Rows of known merchants; `base` is what percentages apply to (money 8), `flat` the relation of
 * `flatTimeCte` that holds these rows.
 */
export const earningCte = ({
  name,
  merchants,
  where = '',
  relation = 'residual',
  flat = 'flat_time',
}: Earning) => `
  ${name} as materialized (
    select r.id, r.xmid, m.dba, m.masteragentid, r.processor, r.txncount, r.sales, r.net,
      case when $3 = 'floor' then greatest(r.net, 0) else r.net end as base,
      coalesce(f.times, 0) as times, ${inactiveSql} as isinactive, m.date_closed
    from ${relation} r join ${merchants} m on m.xmid = r.xmid left join ${flat} f on f.id = r.id
    where r.month = $1${where})`

/**
 * One row for each earning agent, rounded to the cent (money 5); what inactive merchants do not pay is
 * withheld (money 9).
 */
export const lineCte = (name: string, earning: string, chain: string) => `
  ${name} as not materialized (
    select w.id, w.origin, w.masteragentid, w.fromagentid, w.xmid, w.dba, w.processor, w.txncount, w.sales,
      w.net, w.percent, w.flat, w.date_closed,
      case when w.held then 0 else w.earned end as amount,
      case when w.held then w.earned else 0 end as withheld
    from (
      select e.id, e.masteragentid as origin, c.masteragentid, c.via as fromagentid, e.xmid, e.dba,
        e.processor, e.txncount, e.sales, e.net, c.percent,
        c.flat * e.times as flat, round(c.percent * e.base * 0.01, 2) + c.flat * e.times as earned,
        e.isinactive and not c.payoninactive as held, e.date_closed
      from ${earning} e join ${chain} c on c.origin = e.masteragentid
      where c.via is null or c.percent > 0) w)`

/** The merchants `m` of these agents, a parameter for the planner's sake as in `flatTimeCte`. */
const ofOrigins = (origins: string | null) =>
  origins === null ? '' : ` and m.masteragentid = any (${origins}::int[])`

/** The lines of all agents: where all are requested these are the same, and are not computed twice. */
const everyLineCtes = (origins: string | null, merchants: string) =>
  origins === null
    ? 'every_line as not materialized (select * from line)'
    : [
        flatTimeCte({ name: 'every_flat_time', from: rowsOf('residual', merchants) }),
        earningCte({ name: 'every_earning', merchants, flat: 'every_flat_time' }),
        lineCte('every_line', 'every_earning', 'chain'),
      ].join(',')

/** What a percentage of a row `r` is applied to, in whole cents (money 8). */
export const percentedSql = `((case when $3 = 'floor' then greatest(r.net, 0) else r.net end) * 100)::bigint`

/**
 * What a percentage pays of a row in whole cents, rounded as money 5 says: `rate` is in ten-thousandths of a
 * percent, `base` in cents. Decimals take five times as long, and are used where whole numbers overflow.
 */
export const shareSql = (base: string, rate: string) => `case when abs(${base}) < 9000000000000
    then (${base} * ${rate} + case when ${base} < 0 then -500000 else 500000 end) / 1000000
    else round(${base}::numeric * ${rate} * 0.000001)::bigint end`

/**
 * Which rows `r` of the files count, with their merchants `m`, and the relation of the shares in them; `mids`
 * are the same rows where their merchants are not asked for.
 */
type SummedRows = { chain: string; from: string; mids: string }

/** The rows of the merchants of `origins`, or of all; `m` is null where the MID is in no portfolio. */
function summedRows(merchants: string, origins: string | null): SummedRows {
  if (origins === null)
    return {
      chain: 'chain',
      from: `residual r left join ${merchants} m on m.xmid = r.xmid where r.month = $1`,
      mids: 'residual r where r.month = $1',
    }
  const wanted = `${rowsOf('residual', merchants)} where r.month = $1${ofOrigins(origins)}`
  return { chain: 'share', from: wanted, mids: wanted }
}

/**
 * The sums of a month, made without its lines, as relations whose names begin with `prefix`:
 *
 * - part: the sums by the merchants' agent and by whether they are inactive; `bases` is what a percentage is
 *   applied to, in cents.
 * - repeat: the merchants with rows of several processors, and how many of these.
 * - origin (origin, merchants, txncount, sales, net, times): sums by the merchants' agent; times is how often
 *   its flat amount is paid (money 4), which is never withheld.
 * - pay (origin, masteragentid, isown, amount, withheld): what is earned by the merchants of an agent.
 */
const sumCtes = (prefix: string, merchants: string, { chain, from, mids }: SummedRows) => `
  ${prefix}part as materialized (
    select m.masteragentid as origin, coalesce(${inactiveSql}, false) as isinactive, count(*) as merchants,
      sum(r.txncount) as txncount, sum(r.sales) as sales, sum(r.net) as net,
      count(*) filter (where ${hasProcessed}) as counting,
      sum(r.txncount) filter (where r.txncount > 0) as transactions,
      array_agg(${percentedSql}) as bases
    from ${from} group by 1, 2),
  ${prefix}repeat as (
    select r.xmid, count(*) as rows, greatest(count(*) filter (where ${hasProcessed}), 1) as counting
    from ${mids} group by r.xmid having count(*) > 1),
  ${prefix}origin as materialized (
    select origin, sum(merchants) as merchants, sum(txncount) as txncount, sum(sales) as sales,
      sum(net) as net,
      case $4 when 'perTransaction' then coalesce(sum(transactions) filter (where not isinactive), 0)
        when 'perAgentMonth' then least(coalesce(sum(counting) filter (where not isinactive), 0), 1)
        else coalesce(sum(counting) filter (where not isinactive), 0) end as times
    from (
      select origin, isinactive, merchants, txncount, sales, net, counting, transactions from ${prefix}part
      union all
      select m.masteragentid, coalesce(${inactiveSql}, false), 1 - e.rows, 0, 0, 0, 1 - e.counting, 0
      from ${prefix}repeat e left join ${merchants} m on m.xmid = e.xmid) p
    group by origin),
  ${prefix}pay as materialized (
    select c.origin, c.masteragentid, c.via is null as isown,
      coalesce(sum(s.cents) filter (where not s.isheld), 0) * 0.01
        + case when c.via is null and c.flat <> 0
          then c.flat * (select times from ${prefix}origin o where o.origin = c.origin) else 0 end as amount,
      coalesce(sum(s.cents) filter (where s.isheld), 0) * 0.01 as withheld
    from (
      select c.n, p.isinactive and not c.payoninactive as isheld,
        (select sum(${shareSql('r.base', 'c.rate')}) from (select unnest(p.bases) as base) r) as cents
      from ${prefix}part p join ${chain} c on c.origin = p.origin
      where c.via is null or c.rate > 0) s join chain c on c.n = s.n
    group by c.n, c.origin, c.masteragentid, c.via, c.flat)`

/** What the house keeps needs the rows of all merchants. */
const everySumCtes = (origins: string | null, merchants: string) =>
  [
    sumCtes('', merchants, summedRows(merchants, origins)),
    ...(origins === null ? [] : [sumCtes('every_', merchants, summedRows(merchants, null))]),
  ].join(',')

/** The columns of pay_line, from `line` or a part of it. */
const payLineOf = (line: string) => `
    select masteragentid, fromagentid, xmid, dba, processor, txncount, sales, net, percent, flat, amount,
      withheld, date_closed,
      case when fromagentid is null then 'own' else 'override' end as kind
    from ${line} where ${agentInScope('$2', 'masteragentid')}`

/**
 * withheld_line: of inactive merchants alone, which are few, and whose flat amounts are never paid (money
 * 9). To make all lines of a month for them takes ten times as long.
 */
const withheldCtes = (merchants: string, origins: string | null) =>
  [
    earningCte({
      name: 'inactive_earning',
      merchants,
      where: ` and ${inactiveSql}${ofOrigins(origins)}`,
      flat: '(select null::bigint as id, 0 as times where false)',
    }),
    lineCte('inactive_line', 'inactive_earning', 'share'),
    `
  withheld_line as (${payLineOf('inactive_line')} and withheld <> 0)`,
  ].join(',')

const merchantLineCtes = (merchants: string, every: string) => `
  merchant_line as (
    select r.id, r.xmid, coalesce(m.dba, r.dba) as dba, m.masteragentid, m.accountstatus, m.date_closed,
      r.processor, r.txncount, r.sales, r.income, r.expense, r.net,
      r.net - coalesce(p.paid, 0) as house, m.xmid is not null as isknown
    from residual r left join ${merchants} m on m.xmid = r.xmid
      left join (select id, sum(amount) as paid from every_line group by id) p on p.id = r.id
    where r.month = $1),
  merchant_month as (
    select xmid, dba, masteragentid, accountstatus, date_closed, processor, txncount, sales, income, expense,
      net, house, isknown
    from merchant_line),
  pay_line as (${payLineOf('line')}),
  house_sum as (
    select o.origin as masteragentid, o.merchants, o.txncount, o.sales, o.net,
      o.net - coalesce((select sum(amount) from ${every}pay p where p.origin = o.origin), 0) as house
    from ${every}origin o)`

export const extraCte = (base: string | null) => `${extraRecordCtes(base)},
  extra (masteragentid, kind, label, amount, source) as (
    select c.masteragentid, 'equipment',
      e.model || ' ' || e.serialnumber || coalesce(' through ' || v.name, ''),
      round(c.eqpercent * (e.soldfor - e.cost) * 0.01, 2) + c.eqflat, e.id
    from terminal e join share c on c.origin = e.masteragentid left join agent_month v on v.id = c.via
    where c.via is null or c.eqpercent > 0
    union all
    select masteragentid, 'subscription', notes, -amount, id from subscription
    where masteragentid in (select id from wanted)
    union all
    select coalesce(j.masteragentid, m.masteragentid), 'adjustment',
      j.reason || coalesce(' (' || m.dba || ')', ''), j.amount, j.id
    from adjustment j left join ${adjustedRelation(base)} m on m.id = j.merchantid
    where j.month = $1 and j.state = 'accepted'
      and coalesce(j.masteragentid, m.masteragentid) in (select id from wanted))`

/**
 * earned: one row for each wanted agent, without what is carried. Of a reopened month an agent that its copy
 * lacks has one, too, to whom something is carried: by an earlier month that was opened again as well. So has
 * one that stands above who earns there: the next version would else read its record again.
 */
export const earnedCtes = `
  line_sum as (
    select masteragentid, sum(amount) filter (where isown) as own,
      sum(amount) filter (where not isown) as override, sum(withheld) as withheld
    from pay group by masteragentid),
  extra_sum as (
    select masteragentid, sum(amount) filter (where kind = 'equipment') as equipment,
      sum(amount) filter (where kind = 'adjustment') as adjustments,
      -sum(amount) filter (where kind = 'subscription') as subscriptions
    from extra group by masteragentid),
  earned as materialized (
    select a.id as masteragentid, a.displayid, a.name, a.parentid, a.payeeid, a.isofficeaccount,
      coalesce(o.merchants, 0) as merchants, coalesce(o.txncount, 0) as txncount,
      coalesce(o.sales, 0) as sales, coalesce(o.net, 0) as net, coalesce(l.own, 0) as own,
      coalesce(l.override, 0) as override, coalesce(l.withheld, 0) as withheld,
      coalesce(x.equipment, 0) as equipment, coalesce(x.adjustments, 0) as adjustments,
      coalesce(x.subscriptions, 0) as subscriptions
    from agent_month a join wanted w on w.id = a.id left join line_sum l on l.masteragentid = a.id
      left join origin o on o.origin = a.id left join extra_sum x on x.masteragentid = a.id
    where a.isused or num_nonnulls(l.masteragentid, o.origin, x.masteragentid) > 0
      or not a.isofficeaccount and exists (
        select from carry k where k.masteragentid = a.id and k.amount <> 0)
      or not a.isused and a.id in (select c.masteragentid from chain c where c.origin in (
        select origin from origin union all select masteragentid from terminal)))`

/** Whose lines are wanted: everybody's, or those of the agents in $2. */
type Agents = 'allAgents' | 'someAgents'

/**
 * The relations of an open month up to `earned`. `someAgents` computes the lines of all agents besides those
 * of the requested ones, for what the house keeps.
 */
function relationsOf(agents: Agents, base: string | null): string {
  const merchants = merchantRelation(base)
  const origins = agents === 'allAgents' ? null : base === null ? '$15' : '$16'
  return [
    shareCtes(base),
    flatTimeCte({ from: rowsOf('residual', merchants), where: ofOrigins(origins) }),
    earningCte({ name: 'earning', merchants, where: ofOrigins(origins) }),
    lineCte('line', 'earning', 'share'),
    everyLineCtes(origins, merchants),
    everySumCtes(origins, merchants),
    merchantLineCtes(merchants, origins === null ? '' : 'every_'),
    withheldCtes(merchants, origins),
    extraCte(base),
    earnedCtes,
  ].join(',')
}

/** The relations over the records of today, and over the copies of the lock `copiesParam`. */
export const openMonthRelations = {
  today: {
    allAgents: relationsOf('allAgents', null),
    someAgents: relationsOf('someAgents', null),
  },
  copies: {
    allAgents: relationsOf('allAgents', copiesParam),
    someAgents: relationsOf('someAgents', copiesParam),
  },
}
