import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply } from 'fastify'

/**
 * Double-submit token, bound to the session (api 3): the cookie XSRF-TOKEN is readable by the portal's own
 * pages alone and must come back in the header X-XSRF-TOKEN. A token is '{session}.{random}.{hmac}': before
 * sign-in `session` is empty, afterwards `random`.
 */
export const xsrfCookie = 'XSRF-TOKEN'
export const xsrfHeader = 'x-xsrf-token'
export type SetXsrfCookie = (reply: FastifyReply, token: string) => void

/** Names a session inside the token, without the session's own token or its hash. */
const sessionTag = (secret: Buffer, tokenHash: Buffer | null) =>
  tokenHash
    ? createHmac('sha256', secret).update('xsrf session').update(tokenHash).digest('base64url').slice(0, 22)
    : ''
const sign = (secret: Buffer, text: string) =>
  createHmac('sha256', secret).update('xsrf').update(text).digest('base64url')
const equalsInConstantTime = (a: string, b: string) =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/**
 * The token of a session is always the same: several answers at once would bring different cookies otherwise,
 * and a write whose page reads one of them for its header while another replaces it would be refused.
 */
export function createXsrfToken(secret: Buffer, tokenHash: Buffer | null): string {
  const random = tokenHash ? '' : randomBytes(16).toString('base64url')
  const text = `${sessionTag(secret, tokenHash)}.${random}`
  return `${text}.${sign(secret, text)}`
}

const isSigned = (secret: Buffer, value: string | undefined): value is string => {
  const cut = value?.lastIndexOf('.') ?? -1
  return (
    value !== undefined &&
    cut > 0 &&
    equalsInConstantTime(sign(secret, value.slice(0, cut)), value.slice(cut + 1))
  )
}

/** Whether a new cookie must be set. `tokenHash` undefined: a cookie of any session will do. */
export const needsXsrfToken = (
  secret: Buffer,
  cookie: string | undefined,
  tokenHash: Buffer | null | undefined,
): boolean =>
  !isSigned(secret, cookie) ||
  (tokenHash !== undefined && !cookie.startsWith(`${sessionTag(secret, tokenHash)}.`))

/** Whether cookie and header are equal, signed by the portal and, when signed in, of this session. */
export const isXsrfTokenValid = (
  secret: Buffer,
  cookie: string | undefined,
  header: unknown,
  tokenHash: Buffer | null,
): boolean =>
  typeof header === 'string' &&
  isSigned(secret, cookie) &&
  equalsInConstantTime(cookie, header) &&
  (tokenHash === null || !needsXsrfToken(secret, cookie, tokenHash))
