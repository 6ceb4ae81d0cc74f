import { portalName } from '../../schemas/constants.ts'
import type { Sql } from '../db/db.ts'
import type { Email } from '../mail/mailer.ts'

/**
 * A sentence when one of two users created the other before an instant, or set the other's password in the 30
 * days before it (payouts 12); null otherwise. `at` is the text of a timestamp, now unless it is given. Users
 * who were deleted since are known by the audit: else who deletes the second account would not be named.
 */
export async function describePair(
  sql: Sql,
  one: string,
  other: string,
  at: string | null = null,
): Promise<string | null> {
  const [found] = await sql.query<{ by: string; of: string; action: string; day: string }>(
    `with named as materialized (
        select id::text as id, username from portal_user where username in ($1::text, $2::text)
        union all
        select entityid, before ->> 'username' from audit
        where entity = 'user' and action = 'delete' and before ->> 'username' in ($1, $2)),
      step as (select coalesce($3::timestamptz, now()) as at)
      select a.username as by, n.username as of, a.action, to_char(a.at, 'MM/DD/YYYY') as day
      from named n join audit a on a.entity = 'user' and a.entityid = n.id cross join step
      where a.username in ($1, $2) and a.username <> n.username and a.at <= step.at
        and (a.action = 'create' or a.after ? 'password' and a.at > step.at - interval '30 days')
      order by a.at desc limit 1`,
    [one, other, at],
  )
  if (!found) return null
  const { by, of, action, day } = found
  return action === 'create'
    ? `${by} created the user ${of} on ${day}`
    : `${by} set the password of ${of} on ${day}`
}

/** `where` names what was done, `what` says it in a sentence; `first` are the people before `second`. */
type Meeting = { where: string; what: string; first: readonly string[]; second: string }

/**
 * An email to every administrator with a validated email, when `second` is not independent of one of `first`
 * (payouts 12).
 */
export async function pairEmails(sql: Sql, { where, what, first, second }: Meeting): Promise<Email[]> {
  const pairs = await Promise.all(first.map((one) => describePair(sql, one, second)))
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
