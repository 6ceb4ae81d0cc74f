import type { SessionReply } from '../../schemas/api/session.ts'
import { portalName } from '../../schemas/constants.ts'
import type { Config } from '../config/config.ts'
import { audit } from '../db/audit.ts'
import type { Db } from '../db/db.ts'
import type { Call, Caller } from '../http/call.ts'
import { HttpError } from '../http/errors.ts'
import { createXsrfToken } from '../http/xsrf.ts'
import type { Mailer } from '../mail/mailer.ts'
import {
  findCaller,
  hashPassword,
  hashToken,
  needsRehash,
  createSession,
  verifyPassword,
  checkPassword,
} from './sessions.ts'

/** After so many failures of one account in 15 minutes it waits; an address after so many in one minute. */
const attemptLimits = { account: 10, accountMinutes: 15, address: 30 }

const sessionReply = (caller: Caller, token: string): SessionReply => ({
  access_token: token,
  admin: caller.admin,
  permissions: caller.permissions,
  tc_accepted: caller.tcAccepted,
  email: caller.email,
  masteragentid: caller.masteragentid,
})

/** Counts this attempt before the password is looked at, so that parallel guesses cannot slip through. */
async function countAttempt(db: Db, account: string, address: string): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock(hashtext($1)), pg_advisory_xact_lock(hashtext($2))', [
      `login ${account}`,
      `login from ${address}`,
    ])
    const [count] = await tx.query<{ account: number; address: number; oldest: number | null }>(
      `select (select count(*) from login_attempt where account = $1 and at > now() - make_interval(mins => $3)) as account,
        (select count(*) from login_attempt where address = $2 and at > now() - interval '1 minute') as address,
        (select ceil(extract(epoch from min(at) + make_interval(mins => $3) - now()))::int from login_attempt
          where account = $1 and at > now() - make_interval(mins => $3)) as oldest`,
      [account, address, attemptLimits.accountMinutes],
    )
    const wait =
      count!.account >= attemptLimits.account
        ? (count!.oldest ?? 60)
        : count!.address >= attemptLimits.address
          ? 60
          : 0
    if (wait > 0)
      throw new HttpError(
        429,
        `Too many failed sign-ins. Please try again in ${Math.ceil(wait / 60)} minutes.`,
        { retryAfter: Math.max(1, wait) },
      )
    const [row] = await tx.query<{ id: number }>(
      'insert into login_attempt (account, address) values ($1, $2) returning id',
      [account, address],
    )
    return row!.id
  })
}

const passwordChangedEmail = (username: string) => ({
  subject: `Your password for the ${portalName} was changed`,
  text:
    `Hello ${username},\n\nyour password for the ${portalName} was changed a moment ago, and all your other sessions have ended.\n` +
    `If it was not you, please tell an administrator at once.\n`,
})

export const sessionHandlers = (
  db: Db,
  config: Config,
  secret: Buffer,
  setXsrf: (call: Call, value: string) => void,
  mailer: Mailer,
) => ({
  async login({ body, address, ...call }: Call<object, object, { username: string; password: string }>) {
    const account = body.username.toLowerCase()
    await countAttempt(db, account, address)
    const [user] = await db.query<{ id: number; username: string; password_hash: string }>(
      'select id, username, password_hash from portal_user where lower(username) = $1',
      [account],
    )
    if (!(await verifyPassword(user?.password_hash ?? null, body.password)) || !user)
      throw new HttpError(401, 'Invalid Username or Password')
    const token = await db.transaction(async (tx) => {
      await tx.query('delete from login_attempt where account = $1', [account])
      if (needsRehash(user.password_hash))
        await tx.query('update portal_user set password_hash = $2 where id = $1', [
          user.id,
          await hashPassword(body.password),
        ])
      await audit(tx, {
        username: user.username,
        address,
        action: 'login',
        entity: 'user',
        entityid: user.id,
      })
      return createSession(tx, user.id)
    })
    setXsrf(call as unknown as Call, createXsrfToken(secret, hashToken(token)))
    const caller = await findCaller(db, token, null, true)
    if (!caller) throw new HttpError(401, 'Invalid Username or Password')
    return sessionReply(caller, token)
  },

  /** Keeps the token and moves its end; a token that were replaced here would sign other tabs out. */
  async renew({ caller, request }: Call) {
    if (!caller.tcAccepted) throw new HttpError(428, 'Please accept the Terms and Conditions to continue')
    await db.query('update session set renewed_at = now() where token_hash = $1', [caller.tokenHash])
    return sessionReply(caller, String(request.headers.authorization).replace(/^Bearer /i, ''))
  },

  async logout({ caller, address }: Call) {
    await db.transaction(async (tx) => {
      await tx.query('delete from session where token_hash = $1', [caller.tokenHash])
      await audit(tx, {
        username: caller.username,
        address,
        action: 'logout',
        entity: 'user',
        entityid: caller.userid,
      })
    })
  },

  /** The current session stays, the user's others end; the owner of the address learns of it. */
  async changePassword({ caller, body, address, request }: Call<object, object, { password: string }>) {
    checkPassword(body.password, caller.username)
    const hash = await hashPassword(body.password)
    await db.transaction(async (tx) => {
      await tx.query('update portal_user set password_hash = $2, version = version + 1 where id = $1', [
        caller.userid,
        hash,
      ])
      await tx.query('delete from session where userid = $1 and token_hash <> $2', [
        caller.userid,
        caller.tokenHash,
      ])
      await audit(tx, {
        username: caller.username,
        address,
        action: 'password',
        entity: 'user',
        entityid: caller.userid,
      })
    })
    if (caller.email)
      mailer.sendInBackground({ to: caller.email, ...passwordChangedEmail(caller.username) }, request.log)
  },
})
