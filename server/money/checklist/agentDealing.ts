import { masterAgent, rateFields } from '../../../schemas/entities/masterAgent.ts'
import { overrideRule } from '../overrideRule.ts'

/*
 * The part of the warning `selfdealing` (months 15) that agents below the author's make: who lowers the rate
 * of one, or moves one below another parent, may raise what the own agent earns above it. SQL over the
 * relations of the warning: `self_author`, `self_gainer`, `field_change`, `agent_month`, `chain`. $1 is the
 * month.
 */

const ratesOfMonth: Record<(typeof rateFields)[number], string> = {
  percentagecommissionreceived: 'percent',
  amountcommissionreceived: 'flat',
  percentageequipmentcommissionreceived: 'eqpercent',
  amountequipmentcommissionreceived: 'eqflat',
}
export const agentEarningFields = [...rateFields, 'parentid', 'payoninactive'] as const
const listed = (fields: readonly string[]) => fields.map((field) => `'${field}'`).join(', ')

/** SQL: the author `s` did what happened under this name at this time. */
export const actedBy = (name: string, at: string) =>
  `s.login = ${name} and ${at} > s.since and ${at} <= s.until`

/** What a field of the agent held before the author's first change of it. */
const was = (field: string, type: string, now: string) =>
  `case when s.was ? '${field}' then coalesce(nullif(s.was ->> '${field}', '')::${type}, 0) else ${now} end`
const formerRates = Object.entries(ratesOfMonth)
  .map(([field, column]) => `${was(field, 'numeric', `a.${column}`)} as ${column}`)
  .join(', ')

const own = overrideRule.own('percent')
const ownEquipment = overrideRule.own('eqpercent')
const above = overrideRule.above('p.percent', 'c.state')
const aboveEquipment = overrideRule.above('p.eqpercent', 'c.eqstate')

/**
 * - self_agent_change: the agents that authors changed, with what each field held before. A rate that holds
 *   from a later month is none.
 * - self_agent_was: all agents as they would be without one of these changes.
 * - self_chain_was: the shares of these (as `chain`).
 * - self_share: the shares of gaining agents that the change made others: as they are (sign 1) and were (-1).
 */
export const agentDealingCtes = `
  self_agent_change as materialized (
    select username, id, jsonb_object_agg(field, was) as was
    from (
      select distinct on (s.username, f.id, f.field) s.username, f.id, f.field, f.was
      from field_change f join self_author s on ${actedBy('f.username', 'f.at')}
      where entity = 'masteragent' and field in (${listed(agentEarningFields)})
        and (field not in (${listed(rateFields)}) or exists (select from agent_rate r
          where r.masteragentid = f.id and r.field = f.field and r.from_month <= $1
            and (r.changed_at > (select at from since) or r.from_month > (select month from since))))
      order by s.username, f.id, f.field, f.at, f.number) first
    group by username, id),
  self_agent_was as materialized (
    select s.username, s.id as changed, a.id,
      case when a.id = s.id then nullif(${was('parentid', 'int', 'a.parentid')}, 0) else a.parentid end
        as parentid,
      case when a.id = s.id and s.was ? 'payoninactive' then (s.was ->> 'payoninactive')::boolean
        else a.payoninactive end as payoninactive,
      o.percent, o.flat, o.eqpercent, o.eqflat
    from self_agent_change s cross join agent_month a
      cross join lateral (
        select ${formerRates} where a.id = s.id
        union all select a.percent, a.flat, a.eqpercent, a.eqflat where a.id <> s.id) o),
  self_chain_was (username, changed, origin, masteragentid, via, payoninactive, percent, state, eqpercent,
    eqstate, flat, eqflat, path) as (
    select username, changed, id, id, null::int, payoninactive, ${own.share}, ${own.state},
      ${ownEquipment.share}, ${ownEquipment.state}, flat, eqflat, array[id]
    from self_agent_was
    union all
    select c.username, c.changed, c.origin, p.id, c.masteragentid, p.payoninactive, ${above.share},
      ${above.state}, ${aboveEquipment.share}, ${aboveEquipment.state}, 0, 0, c.path || p.id
    from self_chain_was c
      join self_agent_was a on (a.username, a.changed, a.id) = (c.username, c.changed, c.masteragentid)
      join self_agent_was p on (p.username, p.changed, p.id) = (c.username, c.changed, a.parentid)
    where not p.id = any (c.path)),
  self_share as materialized (
    select * from (
      select h.*, count(*) over same as sides, min(h.share) over same <> max(h.share) over same as differs
      from (
        select 1 as sign, s.username, s.id as changed, c.origin, c.masteragentid, c.percent, c.flat,
          c.eqpercent, c.eqflat, c.payoninactive,
          row(c.percent, c.flat, c.eqpercent, c.eqflat, c.payoninactive)::text as share
        from self_agent_change s join self_gainer g on g.username = s.username and not g.isofficeaccount
          join chain c on c.masteragentid = g.id
        union all
        select -1, w.username, w.changed, w.origin, w.masteragentid, w.percent, w.flat, w.eqpercent, w.eqflat,
          w.payoninactive, row(w.percent, w.flat, w.eqpercent, w.eqflat, w.payoninactive)::text
        from self_chain_was w join self_gainer g
          on g.username = w.username and g.id = w.masteragentid and not g.isofficeaccount) h
      window same as (partition by h.username, h.changed, h.origin, h.masteragentid)) d
    where sides = 1 or differs)`

/** What the gaining agents earn by the changed shares; `amount` is what a row r pays to a share c. */
export const agentGains = (amount: string, lines: string) => `
  select 'masteragent' as entity, c.changed as id, c.username, sum(c.sign * (${amount})) as gain
  from self_share c ${lines}
  group by c.changed, c.username`

const titles = agentEarningFields
  .map((field) => `('${field}', '${masterAgent.schema.properties[field].title}')`)
  .join(', ')

/** The rows of the warning, as the other checks have them; `kind` is its kind. */
export const agentDealingChecks = (kind: string) => `
  select '${kind}', 'masteragent ' || s.id || ' ' || s.username, null,
    n.displayid || ' ' || n.name || ': '
      || (select string_agg(t.title, ', ' order by t.title) from (values ${titles}) t (field, title)
        where s.was ? t.field)
      || ', by ' || s.username || ' of ' || a.displayid || ' ' || a.name,
    g.gain, '/manage/agents?open=' || s.id
  from (select entity, id, username, sum(gain) as gain from self_agent_gain group by 1, 2, 3) g
    join self_agent_change s on s.id = g.id and s.username = g.username
    join self_author u on u.username = s.username join master_agent a on a.id = u.agent
    join master_agent n on n.id = s.id
  where g.gain > 0`
