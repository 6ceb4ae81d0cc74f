import { createHmac, hkdfSync, randomInt, timingSafeEqual } from 'node:crypto'
import { codeRules } from '../../schemas/api/accounts/email.ts'
import { countNoun } from '../../schemas/wording.ts'
import type { Db, Sql } from '../db/db.ts'
import { HttpError } from '../http/errors.ts'

type Recipient = { userid: number; email: string }

/**
 * Stores a one-time code that validates an address (email 5) and passes it to `send`. When `send` throws, the
 * code is deleted: the older one is valid again, and no limit counts it. Throws an HttpError (429, 409) or
 * what `send` throws.
 */
export async function issueEmailCode(
  db: Db,
  secret: Buffer,
  { userid, email }: Recipient,
  send: (code: string) => Promise<void>,
): Promise<void> {
  const code = String(randomInt(10 ** codeRules.digits)).padStart(codeRules.digits, '0')
  const id = await db.transaction(async (tx) => {
    await lockUnvalidatedUser(tx, userid)
    await tx.query(`delete from email_code where userid = $1 and sent_at <= now() - interval '1 day'`, [
      userid,
    ])
    await checkSendLimits(tx, userid)
    const [row] = await tx.query<{ id: number }>(
      'insert into email_code (userid, email, code_hash) values ($1, $2, $3) returning id',
      [userid, email, hashCode(secret, { userid, email }, code)],
    )
    return row!.id
  })
  await send(code).catch(async (error: Error) => {
    await db.query('delete from email_code where id = $1', [id])
    throw error
  })
}

/**
 * Uses up a code; `store` runs in the transaction that does so. The attempt is counted before the code is
 * compared, so that parallel guesses are not compared more often than `codeRules.maxAttempts`. Throws an
 * HttpError (422, 409).
 */
export async function redeemEmailCode(
  db: Db,
  secret: Buffer,
  { userid, email, code }: Recipient & { code: string },
  store: (sql: Sql) => Promise<void>,
): Promise<void> {
  const [sent] = await db.query<{ id: number; code_hash: Buffer; attempts: number }>(
    `update email_code set attempts = attempts + 1
      where id = (select max(id) from email_code where userid = $1)
        and attempts < $2 and sent_at > now() - make_interval(secs => $3)
      returning id, code_hash, attempts`,
    [userid, codeRules.maxAttempts, codeRules.lifetime],
  )
  if (!sent) throw await unusableCodeError(db, userid)
  if (!timingSafeEqual(sent.code_hash, hashCode(secret, { userid, email }, code))) {
    const left = codeRules.maxAttempts - sent.attempts
    const next =
      left > 0 ? `You have ${countNoun(left, 'attempt')} left.` : 'Please go back and ask for a new one.'
    throw fieldError(422, 'otp', `This code is not right. ${next}`)
  }
  await db.transaction(async (tx) => {
    await lockUnvalidatedUser(tx, userid)
    await tx.query('update email_code set attempts = $2 where id = $1', [sent.id, codeRules.maxAttempts])
    await store(tx)
  })
}

/** User and address are part of the hash: a code is valid only for whom it was sent to. */
function hashCode(secret: Buffer, { userid, email }: Recipient, code: string): Buffer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'email codes', 32))
  return createHmac('sha256', key).update(`${userid}\n${email.toLowerCase()}\n${code}`).digest()
}

/**
 * Locks the user until the transaction ends. Throws an HttpError (409) when an email is validated already.
 */
async function lockUnvalidatedUser(sql: Sql, userid: number) {
  const [user] = await sql.query<{ email: string | null }>(
    'select email from portal_user where id = $1 for no key update',
    [userid],
  )
  if (user?.email) throw validatedError()
}

const validatedError = () =>
  fieldError(409, 'email', 'Your email is validated already. Please reload the page.')

/** The error for a user none of whose codes can be tried: validated, tried too often, or expired. */
async function unusableCodeError(sql: Sql, userid: number): Promise<HttpError> {
  const [user] = await sql.query<{ email: string | null }>('select email from portal_user where id = $1', [
    userid,
  ])
  if (user?.email) return validatedError()
  const [last] = await sql.query<{ expired: boolean }>(
    `select sent_at <= now() - make_interval(secs => $2) as expired
      from email_code where userid = $1 order by id desc limit 1`,
    [userid, codeRules.lifetime],
  )
  if (last && !last.expired)
    return fieldError(422, 'otp', 'This code was tried too often. Please go back and ask for a new one.')
  return fieldError(422, 'otp', 'This code has expired. Please go back and ask for a new one.')
}

/** Seconds until a next code may be sent by each limit (null: none was sent), and how many were sent. */
type SentCodes = {
  delay: number | null
  lastHour: number
  hourDelay: number | null
  lastDay: number
  dayDelay: number | null
}
const sentCodesQuery = `
  select
    ceil(extract(epoch from max(sent_at) + make_interval(secs => $2) - now()))::int as delay,
    count(*) filter (where sent_at > now() - interval '1 hour')::int as "lastHour",
    ceil(extract(epoch from min(sent_at) filter (where sent_at > now() - interval '1 hour')
      + interval '1 hour' - now()))::int as "hourDelay",
    count(*)::int as "lastDay",
    ceil(extract(epoch from min(sent_at) + interval '1 day' - now()))::int as "dayDelay"
  from email_code where userid = $1 and sent_at > now() - interval '1 day'`

/** Throws an HttpError (429) when one of the limits of sent codes is reached (email 5). */
async function checkSendLimits(sql: Sql, userid: number) {
  const [sent] = await sql.query<SentCodes>(sentCodesQuery, [userid, codeRules.resendDelay])
  const { delay, lastHour, hourDelay, lastDay, dayDelay } = sent!
  if (lastDay >= codeRules.maxPerDay)
    throw limitError(`You have asked for ${codeRules.maxPerDay} codes within a day.`, dayDelay)
  if (lastHour >= codeRules.maxPerHour)
    throw limitError(`You have asked for ${codeRules.maxPerHour} codes within an hour.`, hourDelay)
  if (delay !== null && delay > 0) throw limitError('A code was sent a moment ago.', delay)
}

function limitError(reason: string, delay: number | null): HttpError {
  const seconds = Math.max(1, delay ?? 1)
  return fieldError(429, 'email', `${reason} Please try again in ${formatDuration(seconds)}.`, seconds)
}

const fieldError = (status: number, field: 'email' | 'otp', message: string, retryAfter?: number) =>
  new HttpError(status, message, {
    fields: { [field]: message },
    ...(retryAfter !== undefined && { retryAfter }),
  })

/** '59 seconds', '2 minutes', '1 hour': a whole number of the largest unit, rounded up. */
export const formatDuration = (seconds: number) =>
  seconds < 60
    ? countNoun(seconds, 'second')
    : seconds < 3_600
      ? countNoun(Math.ceil(seconds / 60), 'minute')
      : countNoun(Math.ceil(seconds / 3_600), 'hour')
