import { emailPattern, emailMost } from '../fields.ts'
import { everyone } from '../permissions.ts'
import type { Endpoint } from './endpoint.ts'
import { record, text } from './replies.ts'

/** One-time codes of the e-mail validation (specification, section 9; decisions). Times in seconds. */
export const codeRules = { digits: 6, life: 600, attempts: 5, pause: 60, anHour: 5, aDay: 10 }

/** Exactly six digits. */
export const isCode = (text: string) => new RegExp(`^[0-9]{${codeRules.digits}}$`).test(text)

const email = {
  type: 'string',
  title: 'Email',
  minLength: 1,
  maxLength: emailMost,
  pattern: emailPattern,
} as const
const otp = { type: 'string', title: 'Code', pattern: '^[0-9]{6}$' } as const
const body = { type: 'object', additionalProperties: false } as const

/** The calls of the e-mail validation and of the help desk's widget. None opens the error dialog (D1). */
export const emailCalls = {
  request: {
    route: 'POST /api/v1/user/requestemailverification',
    allow: everyone,
    body: { ...body, required: ['email'], properties: { email } },
    status: 204,
    quiet: true,
  },
  verify: {
    route: 'POST /api/v1/user/verifyemail',
    allow: everyone,
    body: { ...body, required: ['email', 'otp'], properties: { email, otp } },
    status: 204,
    quiet: true,
  },
  deskToken: {
    route: 'GET /api/v1/user/zohojwt',
    allow: everyone,
    reply: record({ token: text }),
    quiet: true,
  },
} as const satisfies Record<string, Endpoint>
