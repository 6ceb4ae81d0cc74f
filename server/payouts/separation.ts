import { rateFields } from '../../schemas/entities/masterAgent.ts'
import { dependenceEmails, personCtes, type UserAction } from '../accounts/userActions.ts'
import type { Sql } from '../db/db.ts'
import type { Email } from '../mail/mailer.ts'
import { monthName, requireLock, type MonthLock } from '../money/months.ts'
import { changedAdjustments } from './changedAdjustments.ts'

/**
 * The lock before this one, as (month, at): the newest month before that is locked, and when it was locked
 * first. What was changed between that and a later version of it counts in this month, whose run is the first
 * to pay it.
 */
const priorLock = `
  prior as materialized (
    select p.month, coalesce(min(v.changes_since), '-infinity') as at
    from (select coalesce(max(month), '-infinity') as month from month_lock
        where month < $1 and reopened_at is null) p
      left join month_lock v on v.month = p.month group by p.month)`

/** SQL: the time in which the user who is named $2 at $5, or now where that is null, had the name. */
const doer = `${personCtes('(1, $2::text, coalesce($5::timestamptz, now()))')},
  doer as materialized (
    select coalesce(max(since), '-infinity') as since, coalesce(max(until), 'infinity') as until from person)`
/** SQL: what was done under the name at this time was done by this user. */
const didAt = (at: string) => `(${at} > (select since from doer) and ${at} <= (select until from doer))`

/**
 * SQL condition: nobody else approved and released a payment of this agent's statement of `month` or a later
 * one, by a lock that was made after `at` (payouts 12). Others made the payments of before the ledger.
 */
const isUnconfirmed = (agent: string, at: string, month: string) => `not exists (
  select from payout_allocation a join payout_payment p on p.id = a.paymentid
    join payout_release r on r.id = p.releaseid join month_lock l on l.id = r.lockid
    left join payout_approval v on v.id = r.approvalid
  where a.masteragentid = ${agent} and a.month >= ${month} and l.changes_since > ${at} and ${isByOthers})`
const isByOthers = `(r.how = 'migrated'
  or not (r.username = $2 and ${didAt('r.at')}) and not (v.username = $2 and ${didAt('v.at')}))`

/** SQL: the first month that was not locked yet at a time, which pays what was changed then. */
const firstMonthAfter = (at: string) => `coalesce((select max(f.month) + interval '1 month' from month_lock f
  where f.version = 1 and f.changes_since <= ${at}), '-infinity')`

/** SQL array: the fields of an agent, besides rates, that decide what it is paid; its payee is an account. */
const payFields = `array['collectionSubscriptions', 'payoninactive', 'isofficeaccount']`

/**
 * The agents whose pay the user of an action changed, with a sentence for each (payouts 12): by rates, other
 * fields that decide pay or adjustments since the lock before this one, by rates from a month of this run
 * that it wrote before that, by what of these and of payees it took over in a reopened month, by all of it
 * before as long as nobody else paid the agent with it. Accounts are not among them: those wait for a
 * confirmation of their own.
 */
export async function changesBy(
  sql: Sql,
  lock: MonthLock,
  { username, at }: UserAction,
): Promise<Map<number, string>> {
  const rows = await sql.query<{ agent: number; what: string }>(
    `with ${doer}, ${priorLock}, ${changedAdjustments(didAt)},
      changed (agent, what) as (
        select t.entityid::int, case when t.after ?| $3::text[] then 'changed the rate'
          when t.after ? 'collectionSubscriptions' then 'changed the subscription'
          when t.after ? 'payoninactive' then 'changed Pay on Inactive'
          else 'changed Office Account' end
        from audit t, prior
        where lower(t.username) = lower($2) and t.username = $2 and ${didAt('t.at')}
          and t.entity = 'masteragent'
          and t.action in ('create', 'update') and (
            t.at > prior.at and t.after ?| ($3::text[] || ${payFields})
            or t.after ?| ${payFields} and (t.action = 'update' or (t.after ->> 'payoninactive')::boolean
                or jsonb_array_length(t.after -> 'collectionSubscriptions') > 0)
              and ${isUnconfirmed('t.entityid::int', 't.at', firstMonthAfter('t.at'))})
        union
        select n.masteragentid, 'changed the rate' from agent_rate n, prior
        where n.username = $2 and ${didAt('n.changed_at')} and n.from_month <= $1
          and (n.from_month > prior.month or n.from_month > date '1900-01-01'
            and ${isUnconfirmed(
              'n.masteragentid',
              'n.changed_at',
              `greatest(n.from_month, ${firstMonthAfter('n.changed_at')})`,
            )})
        union
        select agent, 'changed the adjustment' from adjusted_agent d
        where d.month = $1 or ${isUnconfirmed('d.agent', 'd.at', 'd.month')}
        union
        select t.agent, t.what from (
          select l.month, t.at,
            case entity when 'agent' then recordid::int else (value ->> 'masteragentid')::int end as agent,
            case kind when 'agent-rate' then 'changed the rate' when 'agent-payee' then 'changed the payee'
              when 'agent-inactive' then 'changed Pay on Inactive'
              when 'agent-office' then 'changed Office Account' else 'changed the subscription' end as what
          from month_takeover t join month_lock l on l.id = t.lockid
          where l.month <= $1 and t.username = $2 and ${didAt('t.at')}
            and kind in ('agent-rate', 'agent-payee', 'agent-inactive', 'agent-office', 'subscription')) t
        where t.month = $1 or ${isUnconfirmed('t.agent', 't.at', 't.month')})
      select agent, min(what) as what from changed where agent is not null group by agent`,
    [lock.month, username, rateFields, lock.id, at],
  )
  return new Map(
    rows.map(({ agent, what }) => [agent, `${username} ${what}: another person must approve it`]),
  )
}

/**
 * The emails to administrators when who locked a month and who approved or released its payouts, `username`
 * now, may be one person (payouts 12); none when they are independent. `month` is an ISO first day.
 */
export async function fourEyesEmails(
  sql: Sql,
  { month, username }: { month: string; username: string },
  step: 'approved' | 'released',
): Promise<Email[]> {
  const lock = await requireLock(sql, month)
  const where = `the payouts of ${monthName(month)}`
  const what = `${lock.username} locked ${monthName(month)}, and ${username} ${step} its payouts`
  return dependenceEmails(sql, {
    where,
    what,
    first: [{ username: lock.username, at: lock.locked_at }],
    second: username,
  })
}

/** The users who could approve a run of this lock: holders of the right, other than who locked it. */
export async function possibleApprovers(sql: Sql, lockedBy: string): Promise<string[]> {
  const rows = await sql.query<{ username: string }>(
    `select u.username from portal_user u left join master_agent a on a.id = u.masteragentid
      where u.username <> $1
        and (u.admin or 'lock_reports' = any (u.permissions)
          and (a.isofficeaccount or 'reports_admin' = any (u.permissions)))
      order by u.username`,
    [lockedBy],
  )
  return rows.map(({ username }) => username)
}
