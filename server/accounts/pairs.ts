import { portalName } from '../../schemas/constants.ts'
import type { Sql } from '../db/db.ts'
import type { Email } from '../mail/mailer.ts'

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
