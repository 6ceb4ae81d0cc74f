import { rateFields } from '../../../schemas/entities/masterAgent.ts'
import { personCtes, type UserAction } from '../../accounts/userActions.ts'
import type { Sql } from '../../db/db.ts'
import type { MonthLock } from '../../money/months.ts'
import { changedAdjustments } from './changedAdjustments.ts'

/*
 * The parameters of all SQL of this file and of changedAdjustments.ts: $1 the month, an ISO first day, $2 the
 * name of the user, $3 the fields of an agent that are rates, $4 the id of the month's lock, $5 when the user
 * approves or releases, null for now.
 */

/**
 * SQL: prior (month, at), the newest locked month before this one and when it was locked first. What was
 * changed between that and a later version of its lock counts in this month, whose run pays it first.
 */
const priorLock = `
  prior as materialized (
    select p.month, coalesce(min(v.changes_since), '-infinity') as at
    from (select coalesce(max(month), '-infinity') as month from month_lock
        where month < $1 and reopened_at is null) p
      left join month_lock v on v.month = p.month group by p.month)`

/** SQL: name_held (since, until), the time in which the user who is named $2 at $5 had this name. */
const nameHeld = `${personCtes('(1, $2::text, coalesce($5::timestamptz, now()))')},
  name_held as materialized (
    select coalesce(max(since), '-infinity') as since, coalesce(max(until), 'infinity') as until from person)`
/** SQL condition: what was done at this time under the name $2 was done by this user, not by a former one. */
const wasNamedAt = (at: string) =>
  `(${at} > (select since from name_held) and ${at} <= (select until from name_held))`

/** SQL condition on a release r and its approval v: neither is of this user, nor are migrated payments. */
const isByOthers = `(r.how = 'migrated'
  or not (r.username = $2 and ${wasNamedAt('r.at')}) and not (v.username = $2 and ${wasNamedAt('v.at')}))`

type Change = { agent: string; at: string; month: string }

/**
 * SQL condition: nobody else has approved and released a payment of this agent's statement of `month` or of a
 * later one, by a lock that was made after `at`. Until somebody has, a change counts in every later month.
 */
const isUnconfirmed = ({ agent, at, month }: Change) => `not exists (
  select from payout_allocation a join payout_payment p on p.id = a.paymentid
    join payout_release r on r.id = p.releaseid join month_lock l on l.id = r.lockid
    left join payout_approval v on v.id = r.approvalid
  where a.masteragentid = ${agent} and a.month >= ${month} and l.changes_since > ${at} and ${isByOthers})`

/** SQL: the first month that was not locked yet at a time: it pays what was changed then. */
const firstMonthAfter = (at: string) => `coalesce((select max(f.month) + interval '1 month' from month_lock f
  where f.version = 1 and f.changes_since <= ${at}), '-infinity')`

/** SQL array: the fields of an agent, besides rates, that decide what it is paid; its payee is an account. */
const payFields = `array['collectionSubscriptions', 'payoninactive', 'isofficeaccount']`

/**
 * SQL: (agent, what) of changed fields. Any of them counts since the lock before this one. Of earlier changes
 * those of `payFields` count while they are unconfirmed, for these fields stay as they are in later months;
 * an agent that is created with their defaults is not changed. Earlier rates are in `changedRates`.
 */
const changedFields = `
  select t.entityid::int, case when t.action = 'create' then 'created the master agent'
    when t.after ?| $3::text[] then 'changed the rate'
    when t.after ? 'collectionSubscriptions' then 'changed the subscription'
    when t.after ? 'payoninactive' then 'changed Pay on Inactive'
    else 'changed Office Account' end
  from audit t, prior
  where lower(t.username) = lower($2) and t.username = $2 and ${wasNamedAt('t.at')}
    and t.entity = 'masteragent' and t.action in ('create', 'update')
    and (
      t.at > prior.at and t.after ?| ($3::text[] || ${payFields})
      or t.after ?| ${payFields}
        and (t.action = 'update' or (t.after ->> 'payoninactive')::boolean
          or jsonb_array_length(t.after -> 'collectionSubscriptions') > 0)
        and ${isUnconfirmed({ agent: 't.entityid::int', at: 't.at', month: firstMonthAfter('t.at') })})`

/**
 * SQL: (agent, what) of the rates that this user wrote last: those from a month of this run on, whenever it
 * wrote them, and earlier ones while they are unconfirmed, but not those with which an agent began (1900).
 */
const changedRates = `
  select n.masteragentid, 'changed the rate' from agent_rate n, prior
  where n.username = $2 and ${wasNamedAt('n.changed_at')} and n.from_month <= $1
    and (n.from_month > prior.month
      or n.from_month > date '1900-01-01' and ${isUnconfirmed({
        agent: 'n.masteragentid',
        at: 'n.changed_at',
        month: `greatest(n.from_month, ${firstMonthAfter('n.changed_at')})`,
      })})`

/** SQL: (agent, what) of adjustments of this month, and of earlier ones while they are unconfirmed. */
const changedByAdjustments = `
  select agent, 'changed the adjustment' from adjusted_agent d
  where d.month = $1 or ${isUnconfirmed({ agent: 'd.agent', at: 'd.at', month: 'd.month' })}`

/** SQL: (agent, what) of what this user took over in this month, reopened, or in an earlier one. */
const takenOver = `
  select t.agent, t.what from (
    select l.month, t.at,
      case entity when 'agent' then recordid::int else (value ->> 'masteragentid')::int end as agent,
      case kind when 'agent-rate' then 'changed the rate' when 'agent-payee' then 'changed the payee'
        when 'agent-inactive' then 'changed Pay on Inactive'
        when 'agent-office' then 'changed Office Account' else 'changed the subscription' end as what
    from month_takeover t join month_lock l on l.id = t.lockid
    where l.month <= $1 and t.username = $2 and ${wasNamedAt('t.at')}
      and kind in ('agent-rate', 'agent-payee', 'agent-inactive', 'agent-office', 'subscription')) t
  where t.month = $1 or ${isUnconfirmed({ agent: 't.agent', at: 't.at', month: 't.month' })}`

/**
 * The agents whose pay by this lock the user of an action changed, by id, with the sentence that says why
 * another person must approve (payouts 12). Accounts are not among it: each waits for a confirmation of its
 * own (agents 10).
 */
export async function changesBy(
  sql: Sql,
  lock: MonthLock,
  { username, at }: UserAction,
): Promise<Map<number, string>> {
  const rows = await sql.query<{ agent: number; what: string }>(
    `with ${nameHeld}, ${priorLock}, ${changedAdjustments(wasNamedAt)},
      changed (agent, what) as (
        ${changedFields}
        union ${changedRates}
        union ${changedByAdjustments}
        union ${takenOver})
      select agent, min(what) as what from changed where agent is not null group by agent`,
    [lock.month, username, rateFields, lock.id, at],
  )
  return new Map(
    rows.map(({ agent, what }) => [agent, `${username} ${what}: another person must approve it`]),
  )
}
