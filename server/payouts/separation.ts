import { rateFields } from '../../schemas/entities/masterAgent.ts'
import { dependenceEmails, personCtes, type UserAction } from '../accounts/userActions.ts'
import type { Sql } from '../db/db.ts'
import type { Email } from '../mail/mailer.ts'
import { monthName, requireLock, type MonthLock } from '../money/months.ts'

/**
 * The lock before this one, as (month, at): the newest month before that is locked, and when it was locked
 * first. What was changed between that and a later version of it counts in this month, whose run is the first
 * to pay it.
 */
const priorLock = `
  prior as materialized (
    select p.month, coalesce(min(v.locked_at), '-infinity') as at
    from (select coalesce(max(month), '-infinity') as month from month_lock
        where month < $1 and reopened_at is null) p
      left join month_lock v on v.month = p.month group by p.month)`

/** SQL: the user named $2 at $6, now where it is null, and the time in which this user had the name. */
const doer = `${personCtes('(1, $2::text, coalesce($6::timestamptz, now()))')},
  doer as materialized (
    select coalesce(max(since), '-infinity') as since, coalesce(max(until), 'infinity') as until from person)`
/** SQL: the user did what happened under its name at this time. */
const didAt = (at: string) => `(${at} > (select since from doer) and ${at} <= (select until from doer))`

/** SQL array: the fields of a merchant by which a late MID pays what it pays, and to whom (money 21). */
const lateFields = `array['masteragentid', 'date_closed']`

/**
 * The adjustments of late MIDs that this user accepted alone: it had made the MID known, or changed what it
 * pays. The audit of such an adjustment names who did so only until a lock moves it (money 21).
 */
const acceptedAlone = `
    select j.id, null::jsonb as before, null::jsonb as after, j.merchantid
    from adjustment j join merchant m on m.xmid = j.latexmid
    where $4 = to_char(j.month, 'YYYY-MM') and j.state = 'accepted'
      and exists (select from audit t where t.entity = 'adjustment' and t.entityid = j.id::text
        and t.action = 'accept' and t.username = $2 and ${didAt('t.at')})
      and (exists (select from audit t where t.entity = 'merchant' and t.entityid = m.id::text
          and t.username = $2 and ${didAt('t.at')}
          and (t.action = 'create' or t.action = 'update' and t.after ?| ${lateFields}))
        or exists (select from import_batch b
          where b.kind = 'merchant' and b.username = $2 and ${didAt('b.imported_at')}
            and (exists (select from import_added n
                where n.batchid = b.id and n.tablename = 'merchant' and n.ids @> m.id::bigint)
              or exists (select from import_change c
                where c.batchid = b.id and c.tablename = 'merchant' and c.rowid = m.id
                  and c.changed ?| ${lateFields}))))`

/**
 * What this user did to adjustments of a month ($4, '2026-10'), and nobody else accepted afterwards. An
 * adjustment names its month, so it counts whenever it was written. The agents are those of the lock ($5),
 * before the change and after it: moving or deleting a deduction raises the pay of whom it was taken from.
 * That of a merchant paid whose the merchant was at the lock, not whose it is today.
 */
const changedAdjustments = `
  adjusted as materialized (${acceptedAlone}
    union all
    select t.entityid::int as id, t.before, t.after, j.merchantid
    from audit t left join adjustment j on j.id::text = t.entityid
    where t.username = $2 and ${didAt('t.at')} and t.entity = 'adjustment'
      and t.action in ('create', 'update', 'delete')
      and case t.action when 'delete' then t.before->>'state' else j.state end = 'accepted'
      and not exists (select from audit c where c.entity = 'adjustment' and c.entityid = t.entityid
        and c.action = 'accept' and not (c.username = $2 and ${didAt('c.at')}) and c.id > t.id)
      and $4 in (to_char(j.month, 'YYYY-MM'), t.before->>'month', t.after->>'month')),
  adjusted_line as materialized (
    select source as id, masteragentid from locked_statement_line
    where lockid = $5 and kind = 'adjustment' and source in (select id from adjusted)),
  adjusted_merchant as materialized (
    select m.xmid, m.masteragentid from adjusted d join merchant m
      on m.id in ((d.before->>'merchantid')::int, (d.after->>'merchantid')::int)
    where m.id is distinct from d.merchantid or d.id not in (select id from adjusted_line)),
  adjusted_agent (agent) as (
    select masteragentid from adjusted_line
    union select x.agent from adjusted d cross join lateral (values
      ((d.before->>'masteragentid')::int), ((d.after->>'masteragentid')::int)) x (agent)
    union
    select coalesce(
      (select max(k.masteragentid) from locked_merchant k where k.lockid = $5 and k.xmid = m.xmid),
      (select k.masteragentid from locked_adjusted_merchant k where k.lockid = $5 and k.xmid = m.xmid),
      m.masteragentid)
    from adjusted_merchant m)`

/**
 * The agents whose rates, subscriptions or adjustments the user of an action changed since the lock before
 * this one, whose rates from a month of this run it wrote before that, or whose rates, payees or
 * subscriptions it took over in a reopened month, with a sentence for each (payouts 12). Accounts are not
 * among them: those wait for a confirmation of their own.
 */
export async function changesBy(
  sql: Sql,
  lock: MonthLock,
  { username, at }: UserAction,
): Promise<Map<number, string>> {
  const rows = await sql.query<{ agent: number; what: string }>(
    `with ${doer}, ${priorLock}, ${changedAdjustments},
      changed as (
        select entityid::int as agent,
          case when after ?| $3::text[] then 'rate' else 'subscription' end as what
        from audit, prior
        where username = $2 and ${didAt('audit.at')} and audit.at > prior.at and entity = 'masteragent'
          and action in ('create', 'update') and after ?| ($3::text[] || array['collectionSubscriptions'])
        union
        select r.masteragentid, 'rate' from agent_rate r, prior
        where r.username = $2 and ${didAt('r.changed_at')}
          and r.from_month > prior.month and r.from_month <= $1
        union select agent, 'adjustment' from adjusted_agent
        union
        select case entity when 'agent' then recordid::int else (value ->> 'masteragentid')::int end,
          case kind when 'agent-rate' then 'rate' when 'agent-payee' then 'payee' else 'subscription' end
        from month_takeover t join month_lock l on l.id = t.lockid
        where l.month = $1 and t.username = $2 and ${didAt('t.at')}
          and kind in ('agent-rate', 'agent-payee', 'subscription'))
      select agent, min(what) as what from changed where agent is not null group by agent`,
    [lock.month, username, rateFields, lock.month.slice(0, 7), lock.id, at],
  )
  return new Map(
    rows.map(({ agent, what }) => [agent, `${username} changed the ${what}: another person must approve it`]),
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
