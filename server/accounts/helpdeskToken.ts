import { SignJWT } from 'jose'
import type { WidgetSettings } from '../config/helpdesk.ts'

/** Milliseconds a token of the widget lives; the vendor takes none that lives longer. */
export const widgetTokenLifetime = 300_000

/**
 * What signs a person in at the desk: HS256 with the four claims the vendor documents for its widget, whose times are
 * milliseconds, and the two any verifier knows, whose times are seconds.
 */
export const helpdeskToken = ({ secret }: WidgetSettings, email: string, now = Date.now()): Promise<string> =>
  new SignJWT({ email, email_verified: true, not_before: now, not_after: now + widgetTokenLifetime })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt(Math.floor(now / 1000))
    .setExpirationTime(Math.floor((now + widgetTokenLifetime) / 1000))
    .sign(new TextEncoder().encode(secret))
