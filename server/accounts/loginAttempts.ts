import { foldName } from '../../schemas/usernames.ts'
import type { Db, Sql } from '../db/db.ts'
import { networkOf } from '../http/address.ts'
import { HttpError } from '../http/errors.ts'

/** Numbers of attempts and the seconds they lead to (constants 6). */
const limits = {
  /** Attempts of one network on one account within a day that do not wait; the next ones wait longer each. */
  free: 10,
  firstWait: 60,
  longestWait: 900,
  /** Attempts of one network within a minute, on any account. */
  network: 30,
  /** Attempts on one account within an hour, after which only known addresses may try. */
  account: 100,
}

/**
 * What counts of the attempts of an account and a network; seconds are null where there was none. Attempts
 * that lie in the future were made before the clock was set back (session 2).
 */
type AttemptCounts = {
  own: number
  sinceOwn: number | null
  ofNetwork: number
  /** Seconds until the account has fewer than `limits.account` attempts within an hour. */
  untilFewer: number | null
  isKnown: boolean
}
const countAttempts = `
  select own.count as own, own.since as "sinceOwn",
    (select count(*) from login_attempt
      where address = $2 and at > now() - interval '1 minute' and at <= now()) as "ofNetwork",
    (select ceil(extract(epoch from at + interval '1 hour' - now()))::int from login_attempt
      where account = $1 and at > now() - interval '1 hour' and at <= now()
      order by at desc offset $3 - 1 limit 1) as "untilFewer",
    exists (select from known_address k join portal_user u on u.id = k.userid
      where u.foldedname = $1 and k.address = $2 and k.at > now() - interval '30 days') as "isKnown"
  from (select count(*) as count, greatest(0, floor(extract(epoch from now() - max(at))))::int as since
      from login_attempt
    where account = $1 and address = $2 and at > now() - interval '1 day') own`

/**
 * Records an attempt to prove who one is, by sign-in or by the present password. Called before the password
 * is verified, so that parallel guesses count too (session 2). Throws an HttpError (429) when a limit is
 * reached; that attempt does not count.
 */
export const recordLoginAttempt = (db: Db, username: string, address: string): Promise<void> =>
  db.transaction(async (tx) => {
    const [account, from] = [foldName(username), networkOf(address)]
    await tx.query('select pg_advisory_xact_lock(hashtext($1)), pg_advisory_xact_lock(hashtext($2))', [
      `login ${account}`,
      `login from ${from}`,
    ])
    const [counts] = await tx.query<AttemptCounts>(countAttempts, [account, from, limits.account])
    const seconds = secondsToWait(counts!)
    if (seconds > 0) {
      const minutes = Math.ceil(seconds / 60)
      throw new HttpError(
        429,
        `Too many failed sign-ins. Please try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
        { retryAfter: seconds },
      )
    }
    await tx.query('insert into login_attempt (account, address) values ($1, $2)', [account, from])
    // Two processes that delete at once must not wait for each other in a circle.
    await tx.query(
      `delete from login_attempt where id in (select id from login_attempt
        where at < now() - interval '1 day' order by at limit 100 for update skip locked)`,
    )
  })

function secondsToWait({ own, sinceOwn, ofNetwork, untilFewer, isKnown }: AttemptCounts): number {
  const wait =
    own < limits.free ? 0 : Math.min(limits.firstWait * 2 ** (own - limits.free), limits.longestWait)
  return Math.max(
    wait - (sinceOwn ?? 0),
    ofNetwork >= limits.network ? 60 : 0,
    isKnown ? 0 : (untilFewer ?? 0),
  )
}

/**
 * The right password clears what its network tried on the account and makes the address known. What others
 * tried stays: the owner's sign-ins must not give them new attempts.
 */
export async function clearLoginAttempts(
  sql: Sql,
  { userid, username }: { userid: number; username: string },
  address: string,
): Promise<void> {
  const from = networkOf(address)
  await sql.query('delete from login_attempt where account = $1 and address = $2', [foldName(username), from])
  await sql.query(
    `insert into known_address (userid, address) values ($1, $2)
      on conflict (userid, address) do update set at = now()`,
    [userid, from],
  )
  await sql.query(`delete from known_address where userid = $1 and at < now() - interval '30 days'`, [userid])
}
