import { emailPattern, emailMaxLength } from '../../fields.ts'
import { everyone } from '../../permissions.ts'
import { objectOf, string } from '../../shapes.ts'
import type { Endpoint } from '../endpoint.ts'

/**
 * One-time codes of the email validation (email 5). Times are in seconds; the limits count codes that were
 * sent.
 */
export const codeRules = {
  digits: 6,
  lifetime: 600,
  maxAttempts: 5,
  resendDelay: 60,
  maxPerHour: 5,
  maxPerDay: 10,
}

/** Exactly six digits. */
export const isCode = (text: string) => new RegExp(`^[0-9]{${codeRules.digits}}$`).test(text)

const email = {
  type: 'string',
  title: 'Email',
  minLength: 1,
  maxLength: emailMaxLength,
  pattern: emailPattern,
  messageEnd: 'must be a valid email address',
} as const
const otp = {
  type: 'string',
  title: 'Code',
  pattern: `^[0-9]{${codeRules.digits}}$`,
  messageEnd: `must be exactly ${codeRules.digits} digits`,
} as const
const body = { type: 'object', additionalProperties: false } as const

/**
 * The calls of the email validation and of the help desk's widget. None opens the error dialog (errors 5).
 */
export const emailCalls = {
  request: {
    route: 'POST /api/v1/user/requestemailverification',
    task: 'request email verification',
    allow: everyone,
    body: { ...body, required: ['email'], properties: { email } },
    status: 204,
    quiet: true,
  },
  verify: {
    route: 'POST /api/v1/user/verifyemail',
    task: 'verify email',
    done: { text: 'Your email is validated.' },
    allow: everyone,
    body: { ...body, required: ['email', 'otp'], properties: { email, otp } },
    status: 204,
    quiet: true,
  },
  helpdeskToken: {
    route: 'GET /api/v1/user/zohojwt',
    unattended: true,
    allow: everyone,
    reply: objectOf({ token: string }),
    quiet: true,
  },
} as const satisfies Record<string, Endpoint>
