import type { Credentials, SessionReply } from '../../schemas/api/session.ts'
import { audit } from '../db/audit.ts'
import type { Db } from '../db/db.ts'
import type { Caller, Handlers } from '../http/call.ts'
import { HttpError } from '../http/errors.ts'
import { createXsrfToken, type SetXsrfCookie } from '../http/xsrf.ts'
import type { Mailer } from '../mail/mailer.ts'
import { clearLoginAttempts, recordLoginAttempt } from './loginAttempts.ts'
import { checkPassword, hashPassword, needsRehash, verifyPassword } from './passwordHash.ts'
import { auditFailedSignIn } from './refusals.ts'
import { confirmSession, createSession, findCaller, hashToken, isConfirmed } from './sessions.ts'
import { findUserByName, lockPassword, lockForNewPassword, passwordChangedEmail } from './users.ts'

const sessionReply = (caller: Caller, token: string): SessionReply => ({
  access_token: token,
  admin: caller.admin,
  permissions: caller.permissions,
  tc_accepted: caller.tcAccepted,
  email: caller.email,
  masteragentid: caller.masteragentid,
  seesall: caller.seesall,
})

export const sessionHandlers = (
  db: Db,
  secret: Buffer,
  setXsrfCookie: SetXsrfCookie,
  mailer: Mailer,
): Handlers['session'] => ({
  async login({ body, address, request, reply }) {
    const userAgent = request.headers['user-agent'] ?? ''
    const token = await signIn(db, body, { address, userAgent }).catch(async (error: unknown) => {
      if (error instanceof HttpError) await auditFailedSignIn(db, body.username, address, error)
      throw error
    })
    setXsrfCookie(reply, createXsrfToken(secret, hashToken(token)))
    const caller = await findCaller(db, token, { idleMinutes: null, isUserAction: true })
    if (!caller) throw loginError()
    return sessionReply(caller, token)
  },

  /** Extends the token; a new token would sign out the other tabs that hold the old one (session 5). */
  async renew({ caller, request }) {
    if (!caller.tcAccepted) throw new HttpError(428, 'Please accept the Terms and Conditions to continue')
    await db.query('update session set renewed_at = now() where token_hash = $1', [caller.tokenHash])
    return sessionReply(caller, String(request.headers.authorization).replace(/^Bearer /i, ''))
  },

  /** The drafts stay in the browser's storage (lists 12); what it keeps of answers goes (session 7). */
  async logout({ caller, address, reply }) {
    reply.header('clear-site-data', '"cache"')
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

  reauthenticate: ({ caller, body, address }) => reauthenticate(db, caller, body.password, address),

  /** Keeps the current session, ends the user's others and notifies the user by email (session 11). */
  async changePassword({ caller, body, address, request }) {
    if (!(await isConfirmed(db, caller.tokenHash)))
      throw new HttpError(403, 'Please give your present password first', { code: 'reauthenticate' })
    checkPassword(body.password, caller.username)
    await storePassword(db, caller, address, body.password)
    if (caller.email)
      mailer.sendInBackground({ to: caller.email, ...passwordChangedEmail(caller.username) }, request.log)
  },
})

const loginError = () => new HttpError(401, 'Invalid Username or Password')

/** Answers the token of a new session. Throws an HttpError (401, 429). */
async function signIn(
  db: Db,
  { username, password }: Credentials,
  { address, userAgent }: { address: string; userAgent: string },
): Promise<string> {
  await recordLoginAttempt(db, username, address)
  const user = await findUserByName(db, username)
  if (!(await verifyPassword(user?.password_hash ?? null, password)) || !user) throw loginError()
  const token = await db.transaction(async (tx) => {
    await lockPassword(tx, user.id)
    const [same] = await tx.query('select 1 from portal_user where id = $1 and password_hash = $2', [
      user.id,
      user.password_hash,
    ])
    // It was changed while it was verified, which took a moment; that change has ended the other sessions.
    if (!same) throw loginError()
    await clearLoginAttempts(tx, { userid: user.id, username: user.username }, address)
    await audit(tx, {
      username: user.username,
      address,
      action: 'login',
      entity: 'user',
      entityid: user.id,
    })
    return createSession(tx, { userid: user.id, address, userAgent })
  })
  if (needsRehash(user.password_hash))
    await db.query('update portal_user set password_hash = $3 where id = $1 and password_hash = $2', [
      user.id,
      user.password_hash,
      await hashPassword(password),
    ])
  return token
}

/** Throws an HttpError (401) when the session has ended meanwhile: somebody else changed the password. */
async function storePassword(db: Db, caller: Caller, address: string, password: string) {
  const hash = await hashPassword(password)
  await db.transaction(async (tx) => {
    await lockForNewPassword(tx, caller.userid)
    const [open] = await tx.query('select 1 from session where token_hash = $1', [caller.tokenHash])
    if (!open) throw new HttpError(401, 'Please sign in')
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
}

/**
 * Takes the present password once more (session 11). Guessing it is limited as at sign-in. Throws an
 * HttpError (422, 429).
 */
async function reauthenticate(db: Db, caller: Caller, password: string, address: string) {
  await recordLoginAttempt(db, caller.username, address)
  const [user] = await db.query<{ password_hash: string }>(
    'select password_hash from portal_user where id = $1',
    [caller.userid],
  )
  if (!(await verifyPassword(user?.password_hash ?? null, password))) {
    const message = 'This is not your present password'
    throw new HttpError(422, message, { fields: { password: message } })
  }
  await db.transaction(async (tx) => {
    await clearLoginAttempts(tx, caller, address)
    await confirmSession(tx, caller.tokenHash)
  })
}
