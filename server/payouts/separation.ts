import type { Sql } from '../db/db.ts'
import type { MonthLock } from '../money/months.ts'

/** The fields of a master agent that decide what it is paid. */
const rateFields = [
  'percentagecommissionreceived',
  'amountcommissionreceived',
  'percentageequipmentcommissionreceived',
  'amountequipmentcommissionreceived',
]

/**
 * The agents whose rates, subscriptions or adjustments this user changed since the lock before this one, with
 * a sentence for each (payouts 12). Accounts are not among them: those wait for a confirmation of their own.
 */
export async function changesBy(sql: Sql, lock: MonthLock, username: string): Promise<Map<number, string>> {
  const rows = await sql.query<{ agent: number; what: string }>(
    `with since as (
        select coalesce(max(locked_at), '-infinity') as at from month_lock where month < $1
          and reopened_at is null),
      changed as (
        select entityid::int as agent,
          case when after ?| $3::text[] then 'rate' else 'subscription' end as what
        from audit, since
        where username = $2 and audit.at > since.at and entity = 'masteragent'
          and action in ('create', 'update') and after ?| ($3::text[] || array['collectionSubscriptions'])
        union
        select coalesce(j.masteragentid, m.masteragentid), 'adjustment'
        from adjustment j left join merchant m on m.id = j.merchantid
        where j.month = $1 and j.state = 'accepted' and j.decidedby in ('', $2)
          and exists (select from audit, since
          where audit.username = $2 and audit.at > since.at and entity = 'adjustment'
            and entityid = j.id::text and action in ('create', 'update')))
      select agent, min(what) as what from changed where agent is not null group by agent`,
    [lock.month, username, rateFields],
  )
  return new Map(
    rows.map(({ agent, what }) => [agent, `${username} changed the ${what}: another person must approve it`]),
  )
}

/**
 * A sentence when one of two users created the other, or set the other's password in the last 30 days
 * (payouts 12); null otherwise.
 */
export async function describePair(sql: Sql, one: string, other: string): Promise<string | null> {
  const [found] = await sql.query<{ by: string; of: string; action: string; day: string }>(
    `select a.username as by, u.username as of, a.action, to_char(a.at, 'MM/DD/YYYY') as day
      from audit a join portal_user u on u.id::text = a.entityid
      where a.entity = 'user' and (a.username, u.username) in (($1::text, $2::text), ($2, $1))
        and a.username <> u.username
        and (a.action = 'create' or a.after ? 'password' and a.at > now() - interval '30 days')
      order by a.at desc limit 1`,
    [one, other],
  )
  if (!found) return null
  const { by, of, action, day } = found
  return action === 'create'
    ? `${by} created the user ${of} on ${day}`
    : `${by} set the password of ${of} on ${day}`
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
