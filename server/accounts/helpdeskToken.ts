import { SignJWT } from 'jose'
import type { WidgetSettings } from '../config/helpdesk.ts'

/** Milliseconds; the vendor refuses tokens that live longer. */
const widgetTokenLifetime = 300_000

/**
 * The JWT that signs a person in at the help desk's widget (tickets 9): HS256 with the four claims that the
 * vendor documents, whose times are milliseconds, and the standard claims iat and exp, whose times are
 * seconds.
 */
export const helpdeskToken = ({ secret }: WidgetSettings, email: string, now = Date.now()): Promise<string> =>
  new SignJWT({ email, email_verified: true, not_before: now, not_after: now + widgetTokenLifetime })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt(Math.floor(now / 1000))
    .setExpirationTime(Math.floor((now + widgetTokenLifetime) / 1000))
    .sign(new TextEncoder().encode(secret))
