import { SignJWT } from 'jose'
import { expected, web, type Parse, type Take } from './settings.ts'

/** The help desk elsewhere, as far as it is configured. */
export type Helpdesk = { widget: Widget | null }
/** Its widget: the address of the script, and the secret it shares with the portal. */
export type Widget = { script: string; secret: string }

/** HELPDESK_WIDGET_URL, HELPDESK_ORG and HELPDESK_JWT_SECRET: the desk's widget needs the first and the last. */
export function helpdeskSettings(take: Take): Helpdesk {
  const secret = take('HELPDESK_JWT_SECRET', null, jwtSecret, true)
  const org = take('HELPDESK_ORG', null, orgId)
  const script = take('HELPDESK_WIDGET_URL', null, secret === null ? withoutSecret : scriptOf(org))
  return { widget: script !== null && secret !== null ? { script, secret } : null }
}

const orgId: Parse<string | null> = (text) => (/^\d{1,20}$/.test(text) ? text : expected('the number of the organisation, digits alone'))
const jwtSecret: Parse<string | null> = (text) => (text.length >= 16 ? text : expected('the secret the desk shows for its widget, at least 16 characters'))
const withoutSecret: Parse<string | null> = () => expected('set together with HELPDESK_JWT_SECRET, so that people can be signed in')
const scriptOf =
  (org: string | null): Parse<string | null> =>
  (text) => {
    const script = web(text) ?? expected("the http or https address of the desk's widget script")
    if (org !== null) script.searchParams.set('orgId', org)
    return script.href
  }

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
