import { portalName } from '../../schemas/constants.ts'
import type { Sql } from '../db/db.ts'
import type { Email } from '../mail/mailer.ts'

/** What a person did under a user name; `at` is when, now where it is null. */
export type UserAction = { username: string; at: Date | string | null }

/**
 * The users who did the two actions: a name may be another person's before and after. A deleted user is known
 * by the audit, else who deletes the second account would not be named. `since` and `until` are when that
 * user had the name.
 */
const personCtes = `
  action (n, username, at) as (
    values (1, $1::text, coalesce($2::timestamptz, now())), (2, $3, coalesce($4::timestamptz, now()))),
  gone as materialized (
    select entityid as id, before ->> 'username' as username, at from audit
    where entity = 'user' and action = 'delete' and before ->> 'username' in ($1, $3)),
  person as materialized (
    select d.username, k.id,
      (select max(g.at) from gone g where g.username = d.username and g.at <= d.at and g.id <> k.id) as since,
      (select g.at from gone g where g.id = k.id) as until
    from action d cross join lateral (
      select id from (
        select 1 as n, g.id, g.at from gone g where g.username = d.username and g.at > d.at
        union all select 2, u.id::text, null from portal_user u where u.username = d.username
        union all select 3, g.id, g.at from gone g where g.username = d.username and g.at <= d.at) h
      order by n, case n when 1 then at end, at desc limit 1) k)`

/**
 * A sentence when one of two users created the other before the second of them acted, or set the other's
 * password in the 30 days before it (payouts 12); null otherwise.
 */
export async function describePair(sql: Sql, first: UserAction, second: UserAction): Promise<string | null> {
  const [found] = await sql.query<{ by: string; of: string; action: string; day: string }>(
    `with ${personCtes}
      select a.username as by, p.username as of, a.action, to_char(a.at, 'MM/DD/YYYY') as day
      from person p join audit a on a.entity = 'user' and a.entityid = p.id
        join person b on b.username = a.username and b.username <> p.username
          and a.at > coalesce(b.since, '-infinity') and a.at <= coalesce(b.until, 'infinity')
        join action d on d.n = 2
      where a.at <= d.at
        and (a.action = 'create' or a.after ? 'password' and a.at > d.at - interval '30 days')
      order by a.at desc limit 1`,
    [first.username, first.at, second.username, second.at],
  )
  if (!found) return null
  const { by, of, action, day } = found
  return action === 'create'
    ? `${by} created the user ${of} on ${day}`
    : `${by} set the password of ${of} on ${day}`
}

/** `where` names what was done, `what` says it in a sentence; `first` are the people before `second`. */
type Meeting = { where: string; what: string; first: readonly UserAction[]; second: string }

/**
 * An email to every administrator with a validated email, when `second` is not independent of one of `first`
 * (payouts 12).
 */
export async function pairEmails(sql: Sql, { where, what, first, second }: Meeting): Promise<Email[]> {
  const pairs = await Promise.all(
    first.map((action) => describePair(sql, action, { username: second, at: null })),
  )
  const sentences = pairs.filter((pair) => pair !== null).map((pair) => `${pair}.`)
  if (sentences.length === 0) return []
  const admins = await sql.query<{ to: string; username: string }>(
    'select email as to, username from portal_user where admin and email is not null order by id',
  )
  return admins.map(({ to, username }) => ({
    to,
    subject: `Two people at ${where} are not independent`,
    text:
      `Hello ${username},\n\n${what} in the ${portalName}.\n${sentences.join('\n')}\n` +
      'Two accounts of one person are reported, not prevented: please make sure that these are two people.\n',
  }))
}
