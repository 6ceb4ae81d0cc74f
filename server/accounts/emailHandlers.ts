import { codeRules } from '../../schemas/api/accounts/email.ts'
import { portalName } from '../../schemas/constants.ts'
import type { HelpdeskSettings } from '../config/helpdesk.ts'
import { audit } from '../db/audit.ts'
import type { Db } from '../db/db.ts'
import type { Handlers } from '../http/call.ts'
import { HttpError } from '../http/errors.ts'
import type { Mailer } from '../mail/mailer.ts'
import { issueEmailCode, redeemEmailCode } from './emailCodes.ts'
import { helpdeskToken } from './helpdeskToken.ts'

const codeEmail = (username: string, code: string) => ({
  subject: `Your code for the ${portalName}`,
  text:
    `Hello ${username},\n\nyour code for the ${portalName} is\n\n    ${code}\n\n` +
    `It is valid for ${codeRules.lifetime / 60} minutes and works once. ` +
    'Nobody of the portal will ask you for it.\n' +
    'If you did not ask for it, you need not do anything.\n',
})

export const emailHandlers = (
  db: Db,
  secret: Buffer,
  mailer: Mailer,
  helpdesk: HelpdeskSettings,
): Handlers['email'] => ({
  async request({ caller, body, request }) {
    const recipient = { userid: caller.userid, email: body.email }
    await issueEmailCode(db, secret, recipient, (code) =>
      mailer
        .send({ to: body.email, ...codeEmail(caller.username, code) }, request.log)
        .catch((error: Error) => {
          request.log.warn({ reason: error.message }, 'a code could not be sent')
          const message =
            'The email could not be sent. Please check the address, or try again in a few minutes.'
          throw new HttpError(503, message, { fields: { email: message }, retryAfter: 60 })
        }),
    )
  },

  async verify({ caller, body, address }) {
    const sent = { userid: caller.userid, email: body.email, code: body.otp }
    await redeemEmailCode(db, secret, sent, async (tx) => {
      await tx.query('update portal_user set email = $2 where id = $1', [caller.userid, body.email])
      await audit(tx, {
        username: caller.username,
        address,
        action: 'update',
        entity: 'user',
        entityid: caller.userid,
        before: { email: null },
        after: { email: body.email },
      })
    })
  },

  async helpdeskToken({ caller }) {
    if (!helpdesk.widget) throw new HttpError(404, 'This portal has no help desk')
    if (!caller.email) throw new HttpError(403, 'Validate your email to see support tickets')
    return { token: await helpdeskToken(helpdesk.widget, caller.email) }
  },
})
