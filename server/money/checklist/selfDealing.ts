import type { FindingKind } from '../../../schemas/api/months/months.ts'
import { equipment } from '../../../schemas/entities/equipment.ts'
import { inactiveStatus, merchant } from '../../../schemas/entities/merchant.ts'
import { accountCte } from '../../accounts/userActions.ts'
import { defaultMoneySettings } from '../../config/money.ts'
import type { Tx } from '../../db/db.ts'
import { HttpError } from '../../http/errors.ts'
import {
  actedBy,
  agentDealingChecks,
  agentDealingCtes,
  agentEarningFields,
  agentGains,
} from './agentDealing.ts'

/*
 * The warning `selfdealing` (months 15): what people who see a branch alone changed since the last lock so
 * that their own agent, or one above it, is paid more. SQL over $1 the month, `chain`, and the relations
 * `since` and `field_change` of the checks.
 */

const kind = 'selfdealing' satisfies FindingKind

/** The fields that decide who earns from a merchant. */
export const merchantEarningFields = ['masteragentid', 'accountstatus', 'date_closed'] as const

/** The fields that decide who earns from a record and how much, with their titles. */
const fields: readonly [entity: string, field: string, title: string][] = [
  ...merchantEarningFields.map(
    (field) => ['merchant', field, merchant.schema.properties[field].title] as [string, string, string],
  ),
  ...(['masteragentid', 'merchantid', 'cost', 'soldfor', 'paidsofar'] as const).map(
    (field) => ['equipment', field, equipment.schema.properties[field].title] as [string, string, string],
  ),
  ['merchant', 'created', 'Created'],
  ['equipment', 'created', 'Created'],
  ['equipment', 'deleted', 'Deleted'],
]
const titles = fields.map((it) => `('${it.join("', '")}')`).join(', ')
/** The names of the fields whose changes count. */
export const earningFields = [...new Set([...fields.map(([, field]) => field), ...agentEarningFields])]

const setting = (name: 'netNegative' | 'amountBasis') =>
  `coalesce((select value from setting where name = 'money.${name}'), '${defaultMoneySettings[name]}')`

/** What a field of the record held before the author's first change of it. */
const was = (field: string, type: string, now: string) =>
  `case when s.was ? '${field}' then (s.was ->> '${field}')::${type} else ${now} end`

/** A merchant is inactive in the month as money 9 says. */
const inactive = (record: string) => `${record}.status = ${inactiveStatus}
  and (${record}.closed is null or ${record}.closed < extract(epoch from $1::timestamp))`

/** A row `f` of a file has transactions or sales. */
const hasProcessed = (row: string) => `(${row}.txncount <> 0 or ${row}.sales <> 0)`
/** The merchant `r.xmid` counts at a processor before that of row r. */
const countedBefore = `exists (select from residual o
  where o.month = $1 and o.xmid = r.xmid and o.processor < r.processor and ${hasProcessed('o')})`
/** Another merchant of the agent `v.agent` counts in the month, whichever of them changed besides. */
const othersCount = `exists (
  select from merchant n join residual o on o.month = $1 and o.xmid = n.xmid and ${hasProcessed('o')}
    cross join lateral (select n.accountstatus::int as status, n.date_closed as closed) w
  where n.masteragentid = v.agent and n.id <> m.id and not (${inactive('w')}))`

/**
 * How often the flat amount is paid for a row r of a file (money 4); `perAgentMonth` says when one a month is
 * paid for it.
 */
const flatTimes = (perAgentMonth: string) => `case when v.isinactive or not ${hasProcessed('r')} then 0
  when b.basis = 'perTransaction' then r.txncount
  when ${countedBefore} then 0
  when b.basis = 'perActiveMerchant' then 1
  when ${perAgentMonth} then 1
  else 0 end`

/** What the chain earns from a merchant as it is now and as it was, by the rates of the month. */
const merchantGains = `
  select s.entity, s.id, s.username, sum(v.sign * case when v.isinactive and not c.payoninactive then 0
      else round(c.percent * case when b.negative = 'floor' then greatest(r.net, 0) else r.net end * 0.01, 2)
        + c.flat * ${flatTimes(`not ${othersCount}`)} end) as gain
  from self_change s join merchant m on m.id = s.id
    join residual r on r.month = $1 and r.xmid = m.xmid
    cross join (select ${setting('netNegative')} as negative, ${setting('amountBasis')} as basis) b
    cross join lateral (select v.*, ${inactive('v')} as isinactive from (values
      (1, m.masteragentid, m.accountstatus::int, m.date_closed),
      (-1, case when s.was ? 'created' then null else ${was('masteragentid', 'int', 'm.masteragentid')} end,
        ${was('accountstatus', 'int', 'm.accountstatus')},
        ${was('date_closed', 'bigint', 'm.date_closed')})) v (sign, agent, status, closed)) v
    join chain c on c.origin = v.agent and (c.via is null or c.percent > 0)
    join self_gainer g on g.username = s.username and g.id = c.masteragentid and not g.isofficeaccount
  where s.entity = 'merchant' group by s.entity, s.id, s.username`

/** The accepted adjustments of the month that a moved merchant takes along: they pay its agent (money 14). */
const adjustmentGains = `
  select s.entity, s.id, s.username, sum(v.sign * j.amount) as gain
  from self_change s join merchant m on m.id = s.id
    join adjustment j on j.month = $1 and j.merchantid = m.id and j.state = 'accepted'
    cross join lateral (values
      (1, m.masteragentid), (-1, ${was('masteragentid', 'int', 'm.masteragentid')})) v (sign, agent)
    join self_gainer g on g.username = s.username and g.id = v.agent and not g.isofficeaccount
  where s.entity = 'merchant' and not s.was ? 'created' group by s.entity, s.id, s.username`

/** What a terminal `row` pays to a share `c` of its chain (money 12). */
const terminalPay = (row: string) =>
  `round(c.eqpercent * (${row}.soldfor - ${row}.cost) * 0.01, 2) + c.eqflat`
/** What the chain earns of terminals: those of `rows`, which end in v (sign, agent, cost, soldfor, ...). */
const terminalGains = (rows: string, which: string) => `
  select s.entity, s.id, s.username, sum(v.sign * (${terminalPay('v')})) as gain
  from self_change s ${rows}
    join chain c on c.origin = v.agent and (c.via is null or c.eqpercent > 0)
    join self_gainer g on g.username = s.username and g.id = c.masteragentid and not g.isofficeaccount
  where ${which}
  group by s.entity, s.id, s.username`
const isPaidWhole = 'v.soldfor > 0 and v.paidsofar >= v.soldfor'

/** The same of a terminal that is paid in the month (money 12). */
const equipmentGains = terminalGains(
  `join equipment e on e.id = s.id and e.paidmonth = $1
    left join merchant m on m.id = e.merchantid
    left join merchant w on w.id = ${was('merchantid', 'int', 'e.merchantid')}
    cross join lateral (values
      (1, coalesce(e.masteragentid, m.masteragentid), e.cost, e.soldfor, e.paidsofar),
      (-1, coalesce(${was('masteragentid', 'int', 'e.masteragentid')}, w.masteragentid),
        ${was('cost', 'numeric', 'e.cost')}, ${was('soldfor', 'numeric', 'e.soldfor')},
        ${was('paidsofar', 'numeric', 'e.paidsofar')})) v (sign, agent, cost, soldfor, paidsofar)`,
  `s.entity = 'equipment' and ${isPaidWhole} and (v.sign = 1 or not s.was ? 'created')`,
)

/** What the audit kept of a terminal that was deleted. */
const deleted = (field: string, type: string) => `(s.was -> 'deleted' ->> '${field}')::${type}`
/** What a deleted terminal's field held before the author's first change of it. */
const wasDeleted = (field: string, type: string) => was(field, type, deleted(field, type))
/** What a terminal of the month that was sold below its cost and deleted does not take from the chain. */
const deletedGains = terminalGains(
  `left join merchant w on w.id = ${wasDeleted('merchantid', 'int')}
    cross join lateral (values
      (-1, coalesce(${wasDeleted('masteragentid', 'int')}, w.masteragentid), ${wasDeleted('cost', 'numeric')},
        ${wasDeleted('soldfor', 'numeric')}, ${wasDeleted('paidsofar', 'numeric')})
    ) v (sign, agent, cost, soldfor, paidsofar)`,
  `s.entity = 'equipment' and ${deleted('paidmonth', 'date')} = $1 and not s.was ? 'created'
    and ${isPaidWhole} and not exists (select from equipment e where e.id = s.id)`,
)

/** The terminals without an agent of their own, which a moved or created merchant takes along (money 12). */
const alongGains = terminalGains(
  `join merchant m on m.id = s.id
    join equipment e on e.paidmonth = $1 and e.merchantid = m.id and e.masteragentid is null
    cross join lateral (values
      (1, m.masteragentid, e.cost, e.soldfor),
      (-1, case when s.was ? 'created' then null else ${was('masteragentid', 'int', 'm.masteragentid')} end,
        e.cost, e.soldfor)) v (sign, agent, cost, soldfor)`,
  `s.entity = 'merchant'`,
)

/**
 * What changed shares earn from all lines of the month, by the rules of money 2, money 4 and money 9. A flat
 * amount is that of the agent's own rate, which nobody changes (months 15): one a month is none here.
 */
const lineGains = agentGains(
  `case when v.isinactive and not c.payoninactive then 0
      else round(c.percent * case when b.negative = 'floor' then greatest(r.net, 0) else r.net end * 0.01, 2)
        + c.flat * ${flatTimes('false')} end`,
  `join merchant m on m.masteragentid = c.origin join residual r on r.month = $1 and r.xmid = m.xmid
    cross join (select ${setting('netNegative')} as negative, ${setting('amountBasis')} as basis) b
    cross join lateral (select ${inactive('v')} as isinactive
      from (values (m.accountstatus::int, m.date_closed)) v (status, closed)) v`,
)
/** The same of the terminals that are paid in the month (money 12). */
const terminalShareGains = agentGains(
  terminalPay('e'),
  `join (select e.soldfor, e.cost, coalesce(e.masteragentid, m.masteragentid) as origin
      from equipment e left join merchant m on m.id = e.merchantid where e.paidmonth = $1) e
    on e.origin = c.origin and (c.masteragentid = c.origin or c.eqpercent > 0)`,
)

/**
 * author (username, login, masteragentid, admin, since, until): all users, and as they were last those who
 * were deleted: else who deletes a user would end the warnings about it. `login` is the name in the audit; it
 * is another user's before `since` and after `until`, so `username` says which user of the name it is: of all
 * but the first, so that the warnings about a user keep their keys when another one takes its name.
 */
const authorCte = `${accountCte()},
  author as (
    select case when lag(id) over (partition by username order by until) is null then username
        else username || ' (user ' || id || ')' end as username,
      username as login, masteragentid, admin, since, until
    from account)`

/**
 * - self_author: the users who see a branch alone, with their agent.
 * - self_gainer: the agents whose pay is their own matter: that agent and all above it.
 * - self_change: the records they changed, created or deleted, with what each field held before.
 * - self_gain: what each of these adds to the pay of these agents in the month; dollars.
 */
export const selfDealingCtes = `${authorCte},
  self_author as materialized (
    select u.username, u.login, u.since, u.until, a.id as agent
    from author u join master_agent a on a.id = u.masteragentid
    where not u.admin and not a.isofficeaccount),
  self_gainer (username, id, parentid, isofficeaccount) as (
    select s.username, a.id, a.parentid, a.isofficeaccount
    from self_author s join master_agent a on a.id = s.agent
    union
    select g.username, a.id, a.parentid, a.isofficeaccount
    from self_gainer g join master_agent a on a.id = g.parentid),
  self_event as (
    select d.entity, d.id, s.username, d.field, d.was, d.at, d.number
    from field_change d join self_author s on ${actedBy('d.username', 'd.at')}
    where d.entity in ('merchant', 'equipment')
    union all
    select d.entity, d.entityid::int, s.username, 'created', 'null'::jsonb, d.at, d.id
    from audit d join self_author s on ${actedBy('d.username', 'd.at')}
    where d.at > (select at from since) and d.action = 'create' and d.entity in ('merchant', 'equipment')
    union all
    select d.entity, d.entityid::int, s.username, 'deleted', d.before, d.at, d.id
    from audit d join self_author s on ${actedBy('d.username', 'd.at')}
    where d.at > (select at from since) and d.action = 'delete' and d.entity = 'equipment'
    union all
    select 'merchant', m.id, s.username, 'created', 'null'::jsonb, b.imported_at, b.id
    from import_batch b join self_author s on ${actedBy('b.username', 'b.imported_at')}
      join import_added n on n.batchid = b.id and n.tablename = 'merchant'
      join merchant m on n.ids @> m.id::bigint
    where b.imported_at > (select at from since)),
  self_change as materialized (
    select entity, id, username, jsonb_object_agg(field, was) as was
    from (select distinct on (entity, id, username, field) entity, id, username, field, was from self_event
      order by entity, id, username, field, at, number) first
    group by entity, id, username),
  self_gain as (
    select entity, id, username, sum(gain) as gain
    from (${merchantGains} union all ${adjustmentGains} union all ${alongGains}
      union all ${equipmentGains} union all ${deletedGains}) g
    group by entity, id, username),
  ${agentDealingCtes},
  self_agent_gain as (${lineGains} union all ${terminalShareGains})`

/** The rows of the warning, as the other checks have them. */
export const selfDealingChecks = `
  select '${kind}', s.entity || ' ' || s.id || ' ' || s.username, null,
    coalesce(m.xmid || ' ' || m.dba, e.model || ' ' || e.serialnumber, ${deleted('model', 'text')} || ' '
      || ${deleted('serialnumber', 'text')}) || ': '
      || (select string_agg(t.title, ', ' order by t.title) from (values ${titles}) t (entity, field, title)
        where t.entity = s.entity and s.was ? t.field)
      || ', by ' || s.username || ' of ' || a.displayid || ' ' || a.name,
    g.gain,
    case when m.id is not null then '/manage/merchants?open=' || m.id
      when e.id is not null then '/manage/equipment?open=' || e.id
      else '/manage/equipment?search=' || uri_component(${deleted('serialnumber', 'text')}) end
  from self_gain g join self_change s using (entity, id, username)
    join self_author u on u.username = s.username join master_agent a on a.id = u.agent
    left join merchant m on s.entity = 'merchant' and m.id = s.id
    left join equipment e on s.entity = 'equipment' and e.id = s.id
  where g.gain > 0
  union all ${agentDealingChecks(kind)}`

/** The author that a finding's key ends with. */
const authorOf = (key: string) => key.split(' ').slice(2).join(' ')

/**
 * Throws an HttpError (403) when a person waives the warning about a change of their own, or of somebody
 * whose branch they belong to: whose agent is theirs, above theirs or below it (months 15).
 */
export async function refuseOwnBranch(
  tx: Tx,
  username: string,
  findings: readonly { kind: string; key: string }[],
): Promise<void> {
  const authors = findings.filter((it) => it.kind === kind).map(({ key }) => authorOf(key))
  if (authors.length === 0) return
  const [own] = await tx.query<{ username: string }>(
    `with recursive ${authorCte},
      up (start, id, parentid) as (
        select id, id, parentid from master_agent
        where id in (select masteragentid from author where username = any ($2)
          union select masteragentid from portal_user where username = $1)
        union select up.start, a.id, a.parentid from up join master_agent a on a.id = up.parentid)
      select o.username from author o join portal_user w on w.username = $1
        left join master_agent a on a.id = w.masteragentid
      where o.username = any ($2) and not coalesce(a.isofficeaccount, true)
        and exists (select from up where (start, id) in
          ((o.masteragentid, w.masteragentid), (w.masteragentid, o.masteragentid)))
      order by o.username limit 1`,
    [username, authors],
  )
  if (own)
    throw new HttpError(
      403,
      `${own.username} raised the pay of the own branch: a person outside that branch must waive it`,
    )
}
