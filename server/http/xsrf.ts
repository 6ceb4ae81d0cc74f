import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * Double submit, bound to the session: the cookie XSRF-TOKEN is readable by our own pages alone and must come back
 * in the header X-XSRF-TOKEN. A value is '{session}.{random}.{hmac}'; `session` is empty before sign-in.
 */
export const xsrfCookie = 'XSRF-TOKEN'
export const xsrfHeader = 'x-xsrf-token'

/** What stands for a session inside the cookie: never the token or its hash. */
const sessionTag = (secret: Buffer, tokenHash: Buffer | null) =>
  tokenHash
    ? createHmac('sha256', secret).update('xsrf session').update(tokenHash).digest('base64url').slice(0, 22)
    : ''
const sign = (secret: Buffer, text: string) =>
  createHmac('sha256', secret).update('xsrf').update(text).digest('base64url')
const isEqualInConstantTime = (a: string, b: string) =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

export function createXsrfToken(secret: Buffer, tokenHash: Buffer | null): string {
  const text = `${sessionTag(secret, tokenHash)}.${randomBytes(16).toString('base64url')}`
  return `${text}.${sign(secret, text)}`
}

const isSigned = (secret: Buffer, value: string | undefined): value is string => {
  const cut = value?.lastIndexOf('.') ?? -1
  return (
    value !== undefined &&
    cut > 0 &&
    isEqualInConstantTime(sign(secret, value.slice(0, cut)), value.slice(cut + 1))
  )
}

/** Should this visitor be given a new cookie? */
export const needsXsrfToken = (
  secret: Buffer,
  cookie: string | undefined,
  tokenHash: Buffer | null | undefined,
): boolean =>
  !isSigned(secret, cookie) ||
  (tokenHash !== undefined && !cookie.startsWith(`${sessionTag(secret, tokenHash)}.`))

/** Cookie and header agree, are ours and, once signed in, belong to this session. */
export const isXsrfTokenValid = (
  secret: Buffer,
  cookie: string | undefined,
  header: unknown,
  tokenHash: Buffer | null,
): boolean =>
  typeof header === 'string' &&
  isSigned(secret, cookie) &&
  isEqualInConstantTime(cookie, header) &&
  (tokenHash === null || !needsXsrfToken(secret, cookie, tokenHash))
