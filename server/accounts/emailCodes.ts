import { createHmac, hkdfSync, randomInt, timingSafeEqual } from 'node:crypto'
import { codeRules } from '../../schemas/api/email.ts'
import type { Db, Sql } from '../db/db.ts'
import { HttpError } from '../http/errors.ts'

const fieldError = (status: number, field: 'email' | 'otp', message: string, retryAfter?: number) =>
  new HttpError(status, message, {
    fields: { [field]: message },
    ...(retryAfter !== undefined && { retryAfter }),
  })

const formatCount = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
const formatDuration = (seconds: number) =>
  seconds < 60
    ? formatCount(seconds, 'second')
    : seconds < 3_600
      ? formatCount(Math.ceil(seconds / 60), 'minute')
      : formatCount(Math.ceil(seconds / 3_600), 'hour')

type SentCodes = {
  pause: number | null
  anHour: number
  hourEnds: number | null
  aDay: number
  dayEnds: number | null
}
/** How many codes a user was sent, and in how many seconds the next one may be. */
const sentCodesQuery = `
  select ceil(extract(epoch from max(sent_at) + make_interval(secs => $2) - now()))::int as pause,
    count(*) filter (where sent_at > now() - interval '1 hour')::int as "anHour",
    ceil(extract(epoch from min(sent_at) filter (where sent_at > now() - interval '1 hour') + interval '1 hour' - now()))::int as "hourEnds",
    count(*)::int as "aDay",
    ceil(extract(epoch from min(sent_at) + interval '1 day' - now()))::int as "dayEnds"
  from email_code where userid = $1 and sent_at > now() - interval '1 day'`

async function refuseTooMany(sql: Sql, userid: number) {
  const [known] = await sql.query<SentCodes>(sentCodesQuery, [userid, codeRules.pause])
  const { pause, anHour, hourEnds, aDay, dayEnds } = known!
  const again = (before: string, seconds: number | null) =>
    fieldError(
      429,
      'email',
      `${before} Please try again in ${formatDuration(Math.max(1, seconds ?? 1))}.`,
      Math.max(1, seconds ?? 1),
    )
  if (aDay >= codeRules.aDay) throw again(`You have asked for ${codeRules.aDay} codes within a day.`, dayEnds)
  if (anHour >= codeRules.anHour)
    throw again(`You have asked for ${codeRules.anHour} codes within an hour.`, hourEnds)
  if (pause !== null && pause > 0) throw again('A code was sent a moment ago.', pause)
}

const refuseValidated = (email: string | null | undefined) => {
  if (email) throw fieldError(409, 'email', 'Your email is validated already. Please reload the page.')
}

/** Two users, two addresses: two keys, so that a code opens nothing but what it was sent for. */
const codeHasher = (secret: Buffer) => {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'email codes', 32))
  return (userid: number, email: string, code: string) =>
    createHmac('sha256', key).update(`${userid}\n${email.toLowerCase()}\n${code}`).digest()
}

/**
 * The one-time codes that validate an address. All they are is rows, so that any number of processes count alike. Every
 * address is treated the same: who else has it is neither looked at nor told.
 */
export const emailCodes = (db: Db, secret: Buffer) => {
  const hash = codeHasher(secret)
  return {
    /**
     * Makes a code and hands it to `send`; if that throws, the code never was: the older one counts again, and no limit is nearer.
     * Throws a Refusal (429, 409).
     */
    async issue(userid: number, email: string, send: (code: string) => Promise<void>): Promise<void> {
      const code = String(randomInt(10 ** codeRules.digits)).padStart(codeRules.digits, '0')
      const id = await db.transaction(async (tx) => {
        const [user] = await tx.query<{ email: string | null }>(
          'select email from portal_user where id = $1 for no key update',
          [userid],
        )
        refuseValidated(user?.email)
        await tx.query(`delete from email_code where userid = $1 and sent_at <= now() - interval '1 day'`, [
          userid,
        ])
        await refuseTooMany(tx, userid)
        const insert = 'insert into email_code (userid, email, code_hash) values ($1, $2, $3) returning id'
        const [row] = await tx.query<{ id: number }>(insert, [userid, email, hash(userid, email, code)])
        return row!.id
      })
      await send(code).catch(async (error: Error) => {
        await db.query('delete from email_code where id = $1', [id])
        throw error
      })
    },

    /**
     * Counts the attempt before it looks at the code, so that no number of guesses at once gets more than five looked at.
     * `store` is called inside the transaction that uses the code up. Throws a Refusal (422, 409).
     */
    async redeem(
      userid: number,
      email: string,
      code: string,
      store: (sql: Sql, email: string) => Promise<void>,
    ): Promise<void> {
      const [guess] = await db.query<{ id: number; code_hash: Buffer; attempts: number }>(
        `update email_code set attempts = attempts + 1
          where id = (select max(id) from email_code where userid = $1) and attempts < $2 and sent_at > now() - make_interval(secs => $3)
          returning id, code_hash, attempts`,
        [userid, codeRules.attempts, codeRules.life],
      )
      if (!guess) throw await whyNone(userid)
      if (!timingSafeEqual(guess.code_hash, hash(userid, email, code))) {
        const left = codeRules.attempts - guess.attempts
        const next =
          left > 0
            ? `You have ${formatCount(left, 'attempt')} left.`
            : 'Please go back and ask for a new one.'
        throw fieldError(422, 'otp', `This code is not right. ${next}`)
      }
      await db.transaction(async (tx) => {
        const [user] = await tx.query<{ email: string | null }>(
          'select email from portal_user where id = $1 for no key update',
          [userid],
        )
        refuseValidated(user?.email)
        await tx.query('update email_code set attempts = $2 where id = $1', [guess.id, codeRules.attempts])
        await store(tx, email)
      })
    },
  }

  async function whyNone(userid: number) {
    const [user] = await db.query<{ email: string | null }>('select email from portal_user where id = $1', [
      userid,
    ])
    refuseValidated(user?.email)
    const [last] = await db.query<{ attempts: number; expired: boolean }>(
      'select attempts, sent_at <= now() - make_interval(secs => $2) as expired from email_code where userid = $1 order by id desc limit 1',
      [userid, codeRules.life],
    )
    if (last && !last.expired)
      return fieldError(422, 'otp', 'This code was tried too often. Please go back and ask for a new one.')
    return fieldError(422, 'otp', 'This code has expired. Please go back and ask for a new one.')
  }
}
