import { portalName } from '../../schemas/constants.ts'
import type { Sql } from '../db/db.ts'
import type { Email } from '../mail/mailer.ts'

/** A user name under which somebody acted, and when; null is the present moment. */
export type UserAction = { username: string; at: Date | string | null }

/**
 * SQL: account (id, username, masteragentid, admin, since, until), the users and, as they were last, those
 * who were deleted. Each had its name after `since` and up to `until`: the name of a deleted user may be
 * given to a new one, who did none of what was done under it before.
 */
export const accountCte = (which = 'true') => `
  account as materialized (
    select u.*, coalesce(lag(until) over (partition by username order by until), '-infinity') as since
    from (
      select id::text as id, username, masteragentid, admin, 'infinity'::timestamptz as until from portal_user
      union all
      select entityid, before ->> 'username', (before ->> 'masteragentid')::int,
        coalesce((before ->> 'admin')::boolean, false), at
      from audit where entity = 'user' and action = 'delete') u
    where ${which})`

/** SQL: when the present user of a name got it; what was done under it before was done by a deleted user. */
export const nameTakenSql = (name: string) => `coalesce((select max(d.at) from audit d
  where d.entity = 'user' and d.action = 'delete' and d.before ->> 'username' = ${name}), '-infinity')`

/**
 * SQL: person (n, id, since, until, username), the account behind each row (n, username, at) of `acts`, which
 * are the rows of a VALUES list: who had the name at that time, else who had it last.
 */
export const personCtes = (acts: string) => `
  act (n, username, at) as (values ${acts}),
  ${accountCte('username in (select username from act)')},
  person as materialized (
    select d.n, k.* from act d cross join lateral (
      select id, username, since, until from account a where a.username = d.username
      order by case when a.until > d.at then a.until end, a.until desc limit 1) k)`

const twoPeople = personCtes(
  '(1, $1::text, coalesce($2::timestamptz, now())), (2, $3, coalesce($4::timestamptz, now()))',
)
/** The parameters of `twoPeople`. */
const actsOf = (first: UserAction, second: UserAction) => [
  first.username,
  first.at,
  second.username,
  second.at,
]

/** Whether both actions are those of one user. A name may be another person's before and after. */
export async function isSamePerson(sql: Sql, first: UserAction, second: UserAction): Promise<boolean> {
  if (first.username !== second.username) return false
  const [found] = await sql.query<{ people: number }>(
    `with ${twoPeople} select count(distinct id)::int as people from person`,
    actsOf(first, second),
  )
  return found!.people < 2
}

/**
 * Why two users of whom four eyes are required may be one person (payouts 12): one of them created the other
 * before the second action, or set the other's password in the 30 days before it. A sentence without a full
 * stop; null when neither is so.
 */
export async function describeDependence(
  sql: Sql,
  first: UserAction,
  second: UserAction,
): Promise<string | null> {
  const [found] = await sql.query<{ by: string; of: string; action: string; day: string }>(
    `with ${twoPeople}
      select a.username as by, p.username as of, a.action, to_char(a.at, 'MM/DD/YYYY') as day
      from person p join audit a on a.entity = 'user' and a.entityid = p.id
        join person b on b.username = a.username and b.username <> p.username
          and a.at > b.since and a.at <= b.until
        join act d on d.n = 2
      where a.at <= d.at
        and (a.action = 'create' or a.after ? 'password' and a.at > d.at - interval '30 days')
      order by a.at desc limit 1`,
    actsOf(first, second),
  )
  if (!found) return null
  const { by, of, action, day } = found
  return action === 'create'
    ? `${by} created the user ${of} on ${day}`
    : `${by} set the password of ${of} on ${day}`
}

/**
 * What needs two people: `where` is what it was done to ('the payouts of October 2026'), `what` a clause that
 * says who did both steps, `first` the actions of the first step, `second` the user who has just done the
 * other.
 */
type TwoSteps = { where: string; what: string; first: readonly UserAction[]; second: string }

/**
 * An email to every administrator with a validated email, when `second` is not independent of one of `first`
 * (payouts 12).
 */
export async function dependenceEmails(sql: Sql, { where, what, first, second }: TwoSteps): Promise<Email[]> {
  const reasons = await Promise.all(
    first.map((action) => describeDependence(sql, action, { username: second, at: null })),
  )
  const sentences = [...new Set(reasons.filter((reason) => reason !== null).map((reason) => `${reason}.`))]
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
