import type { Db } from '../db/db.ts'
import { HttpError } from '../http/errors.ts'

/** Attempts of one account in `accountMinutes`, and of one address in a minute (constants 6). */
const attemptLimits = { account: 10, accountMinutes: 15, address: 30 }

/**
 * How many attempts count, and the seconds until the oldest of the account no longer does (null: there is
 * none).
 */
type AttemptCounts = { account: number; address: number; oldestExpires: number | null }
const countAttempts = `
  select
    (select count(*) from login_attempt
      where account = $1 and at > now() - make_interval(mins => $3)) as account,
    (select count(*) from login_attempt
      where address = $2 and at > now() - interval '1 minute') as address,
    (select ceil(extract(epoch from min(at) + make_interval(mins => $3) - now()))::int from login_attempt
      where account = $1 and at > now() - make_interval(mins => $3)) as "oldestExpires"`

/**
 * Records a sign-in attempt. Called before the password is verified, so that parallel guesses count too
 * (session 2). Throws an HttpError (429) when a limit is reached.
 */
export const recordLoginAttempt = (db: Db, account: string, address: string): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock(hashtext($1)), pg_advisory_xact_lock(hashtext($2))', [
      `login ${account}`,
      `login from ${address}`,
    ])
    const [counts] = await tx.query<AttemptCounts>(countAttempts, [
      account,
      address,
      attemptLimits.accountMinutes,
    ])
    const seconds = secondsToWait(counts!)
    if (seconds > 0)
      throw new HttpError(
        429,
        `Too many failed sign-ins. Please try again in ${Math.ceil(seconds / 60)} minutes.`,
        { retryAfter: Math.max(1, seconds) },
      )
    await tx.query('insert into login_attempt (account, address) values ($1, $2)', [account, address])
  })

function secondsToWait({ account, address, oldestExpires }: AttemptCounts): number {
  if (account >= attemptLimits.account) return oldestExpires ?? 60
  return address >= attemptLimits.address ? 60 : 0
}
