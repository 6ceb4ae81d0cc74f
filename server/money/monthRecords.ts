/*
 * The records that an open month is worked out from, as common table expressions: those of today, or, once
 * the month was locked and opened again, the copies of its last lock (months 9). $1 is the month. `base` is
 * the placeholder of that lock's id, null for today's records.
 */

/**
 * The agents as their records are now, with their rates in month $1 (money 6). An agent without a rate that
 * is old enough has 0, and one without any stored rate what its record says.
 */
const agentTodayCte = `
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
  agent_today as materialized (
    select a.id, a.displayid, a.name, a.parentid, a.payeeid, a.isofficeaccount, a.payoninactive,
      case when 'percentagecommissionreceived' = any (r.fields) then r.percent
        else coalesce(a.percentagecommissionreceived, 0) end as percent,
      case when 'amountcommissionreceived' = any (r.fields) then r.flat
        else coalesce(a.amountcommissionreceived, 0) end as flat,
      case when 'percentageequipmentcommissionreceived' = any (r.fields) then r.eqpercent
        else coalesce(a.percentageequipmentcommissionreceived, 0) end as eqpercent,
      case when 'amountequipmentcommissionreceived' = any (r.fields) then r.eqflat
        else coalesce(a.amountequipmentcommissionreceived, 0) end as eqflat
    from master_agent a left join rates r on r.masteragentid = a.id)`

/** The columns of an agent, with the type of those that can be taken over. */
const agentFields = {
  displayid: 'text',
  name: 'text',
  parentid: 'int',
  payeeid: 'int',
  isofficeaccount: 'boolean',
  payoninactive: 'boolean',
  percent: 'numeric',
  flat: 'numeric',
  eqpercent: 'numeric',
  eqflat: 'numeric',
}
export const merchantFields = {
  dba: 'text',
  masteragentid: 'int',
  accountstatus: 'int',
  date_closed: 'bigint',
}
export const terminalFields = {
  model: 'text',
  serialnumber: 'text',
  masteragentid: 'int',
  cost: 'numeric',
  soldfor: 'numeric',
}
export const subscriptionFields = { masteragentid: 'int', amount: 'numeric', notes: 'text' }

type Columns = Readonly<Record<string, string>>

/** Columns of `record`, each replaced by what was taken over of it; `t` is its row of `taken`. */
const overlaid = (columns: Columns, record = 'c') =>
  Object.entries(columns)
    .map(
      ([name, type]) =>
        `case when t.value ? '${name}' then (t.value ->> '${name}')::${type}
      else ${record}.${name} end as ${name}`,
    )
    .join(', ')
const named = (columns: Columns, record: string) =>
  Object.keys(columns)
    .map((name) => `${record}.${name}`)
    .join(', ')
const joinTaken = (entity: string, record: string) =>
  `left join taken t on t.entity = '${entity}' and t.recordid = ${record}`
const isThere = `not coalesce((t.value ->> 'isremoved')::boolean, false)`

/** taken: the columns that were taken over of each record. */
const takenCte = (base: string) => `
  taken as materialized (
    select n.entity, n.recordid, jsonb_object_agg(e.key, e.value order by n.id) as value
    from (select distinct on (key) id, entity, recordid, value, isback from month_takeover
        where lockid = ${base}::int order by key, id desc) n
      cross join lateral jsonb_each(n.value) e
    where not n.isback group by n.entity, n.recordid)`

/**
 * copied_agent: the agents as the lock copied them. Locks older than payouts copied of them what a statement
 * shows and the rates; whether they are paid on inactive merchants is read from today's record.
 */
export const copiedAgentCte = (base: string) => `
  copied_agent as materialized (
    select masteragentid as id, displayid, name, parentid, payeeid, isofficeaccount, payoninactive, percent,
      flat, eqpercent, eqflat
    from locked_agent where lockid = ${base}::int
    union all
    select s.masteragentid, s.displayid, s.name, s.parentid, s.payeeid, s.isofficeaccount,
      coalesce(a.payoninactive, false), coalesce((r.rate ->> 1)::numeric, 0),
      coalesce((r.rate ->> 2)::numeric, 0), coalesce((r.rate ->> 3)::numeric, 0),
      coalesce((r.rate ->> 4)::numeric, 0)
    from month_lock l join locked_statement s on s.lockid = l.id
      left join master_agent a on a.id = s.masteragentid
      left join lateral (select rate from jsonb_array_elements(l.rates) e (rate)
        where (rate ->> 0)::int = s.masteragentid) r on true
    where l.id = ${base}::int and l.copies < 2)`

/**
 * copied_merchant: one row for each MID of the copy. Locks older than payouts copied no closing day; for them
 * alone merchants are read, which a join would do for each row of every lock.
 */
const copiedMerchantCte = (base: string) => `
  copied_merchant as materialized (
    select c.xmid, min(c.dba) as dba, min(c.masteragentid) as masteragentid,
      min(c.accountstatus) as accountstatus,
      min(case when l.copies < 2 then (select m.date_closed from merchant m where m.xmid = c.xmid)
        else c.date_closed end) as date_closed,
      bool_and(c.isknown) as isknown
    from month_lock l join (
        select lockid, xmid, dba, masteragentid, accountstatus, date_closed, isknown from locked_merchant
        union all
        select lockid, xmid, dba, masteragentid, accountstatus, date_closed, true
        from locked_adjusted_merchant) c on c.lockid = l.id
    where l.id = ${base}::int group by c.xmid)`

/**
 * agent_month (id, displayid, name, parentid, payeeid, isofficeaccount, payoninactive, percent, flat,
 * eqpercent, eqflat, isused): the agents of the month. One that the copy lacks is as its record is today, and
 * has a statement only when something of the month is its own or is carried to it: `isused` is false.
 */
export const agentMonthCtes = (base: string | null) =>
  base === null
    ? `${agentTodayCte},
  agent_month as (select *, true as isused from agent_today)`
    : `${agentTodayCte}, ${takenCte(base)}, ${copiedAgentCte(base)},
  agent_month as materialized (
    select c.id, ${overlaid(agentFields)}, true as isused
    from copied_agent c ${joinTaken('agent', 'c.id::text')}
    union all
    select a.id, ${named(agentFields, 'a')}, false from agent_today a
    where not exists (select from copied_agent c where c.id = a.id))`

/** The MIDs that files and adjustments of month $1 name. */
const namedMidsCte = `
  named_mid as materialized (
    select xmid from residual where month = $1
    union
    select m.xmid from adjustment j join merchant m on m.id = j.merchantid where j.month = $1)`

/** The relation of the month's merchants (xmid, dba, masteragentid, accountstatus, date_closed). */
export const merchantRelation = (base: string | null) => (base === null ? 'merchant' : 'merchant_record')

/**
 * The relation of the merchants of the month's adjustments (id and the columns of a merchant). The files of a
 * reopened month may name a MID that its copies do not know: what is adjusted of it goes to the agent to whom
 * it went before, else to that of the record.
 */
export const adjustedRelation = (base: string | null) => (base === null ? 'merchant' : 'adjusted_record')

/**
 * `merchant_record` and `adjusted_record`, to follow `agentMonthCtes`; nothing for today's records, which are
 * a table. Nearly all MIDs are in the copy. Those that are not come as an array, which the planner takes for
 * short; a join with them would read all merchants.
 */
export const merchantCtes = (base: string | null) =>
  base === null
    ? ''
    : `${copiedMerchantCte(base)}, ${namedMidsCte},
  merchant_record as materialized (
    select c.xmid, ${overlaid(merchantFields)}
    from copied_merchant c ${joinTaken('merchant', 'c.xmid')}
    where (c.isknown or t.value ? 'isknown') and ${isThere}
    union all
    select m.xmid, ${named(merchantFields, 'm')} from merchant m
    where m.xmid = any (array(select xmid from named_mid except select xmid from copied_merchant))),
  adjusted_record as (
    select x.id, k.xmid, ${named(merchantFields, 'k')}
    from merchant x join merchant_record k on k.xmid = x.xmid
    where x.id in (select merchantid from adjustment where month = $1)
    union all
    select x.id, x.xmid, x.dba, coalesce(c.masteragentid, x.masteragentid), x.accountstatus, x.date_closed
    from merchant x left join copied_merchant c on c.xmid = x.xmid
    where x.id in (select merchantid from adjustment where month = $1)
      and not exists (select from merchant_record k where k.xmid = x.xmid)),`

const terminalToday = `
    select e.id, e.model, e.serialnumber, coalesce(e.masteragentid, m.masteragentid) as masteragentid, e.cost,
      e.soldfor
    from equipment e left join merchant m on m.id = e.merchantid where e.paidmonth = $1`

const openMonthCte = `
  open_month as materialized (
    select month from month_with_data
    where month < $1 and month > coalesce(
      (select max(month) from month_lock where reopened_at is null), '-infinity'))`

const subscriptionToday = `
    select s.id, s.masteragentid, s.amount, s.notes from collection_subscription s
    where $1 >= coalesce(s.startmonth, $1) and $1 <= coalesce(s.endmonth, $1)
      and (s.remaining is null or s.remaining > (
        select count(*) from open_month o where o.month >= coalesce(s.startmonth, o.month)))`

/** Rows of a copy with what was taken over, and those taken over that it lacks. */
const copiedRows = (base: string, table: string, entity: string, columns: Columns) => `
    select c.id, ${overlaid(columns)}
    from ${table} c ${joinTaken(entity, 'c.id::text')}
    where c.lockid = ${base}::int and ${isThere}
    union all
    select t.recordid::int, ${Object.entries(columns)
      .map(([name, type]) => `(t.value ->> '${name}')::${type}`)
      .join(', ')}
    from taken t where t.entity = '${entity}' and ${isThere}
      and not exists (select from ${table} c where c.lockid = ${base}::int and c.id::text = t.recordid)`

/** Locks older than payouts copied no terminals and no subscriptions: those of today count (months 9). */
const orToday = (base: string, copied: string, today: string) => `
    select * from (${copied}) k
    where exists (select from month_lock where id = ${base}::int and copies >= 2)
    union all
    select * from (${today}) n
    where exists (select from month_lock where id = ${base}::int and copies < 2)`

/**
 * - terminal (id, model, serialnumber, masteragentid, cost, soldfor): those paid in the month.
 * - subscription (id, masteragentid, amount, notes): those collected in the month.
 */
export const extraRecordCtes = (base: string | null) => `${openMonthCte},
  terminal_today as (${terminalToday}),
  subscription_today as (${subscriptionToday}),
  ${
    base === null
      ? `terminal as (select * from terminal_today),
  subscription as (select * from subscription_today)`
      : `terminal as (${orToday(
          base,
          copiedRows(base, 'locked_terminal', 'terminal', terminalFields),
          'select * from terminal_today',
        )}),
  subscription as (${orToday(
    base,
    copiedRows(base, 'locked_subscription', 'subscription', subscriptionFields),
    'select * from subscription_today',
  )})`
  }`
