import { SignJWT } from 'jose'
import type { Widget } from '../config/helpdesk.ts'

/** Milliseconds a token of the widget lives; the vendor takes none that lives longer. */
export const tokenLife = 300_000

/**
 * What signs a person in at the desk: HS256 with the four claims the vendor documents for its widget, whose times are
 * milliseconds, and the two any verifier knows, whose times are seconds.
 */
export const deskToken = ({ secret }: Widget, email: string, now = Date.now()): Promise<string> =>
  new SignJWT({ email, email_verified: true, not_before: now, not_after: now + tokenLife })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt(Math.floor(now / 1000))
    .setExpirationTime(Math.floor((now + tokenLife) / 1000))
    .sign(new TextEncoder().encode(secret))
