import type { Desk } from '../../schemas/api/tickets.ts'
import { expected, web, type Parse, type Take } from './variables.ts'

const fields: Parse<Record<string, string>> = (text) => {
  const wanted = 'a JSON object of texts, like {"orgId": "123"}'
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return expected(wanted)
  }
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given)
  return isObject && Object.values(given as object).every((value) => typeof value === 'string')
    ? (given as Record<string, string>)
    : expected(wanted)
}

/** HELPDESK_FORM_URL and HELPDESK_FORM_FIELDS: the desk elsewhere that tickets are posted to, instead of the portal's own. */
export function deskSettings(take: Take): Desk {
  const url = take<string | null>(
    'HELPDESK_FORM_URL',
    null,
    (text) => web(text)?.href ?? expected('the http or https address that takes the form'),
  )
  return {
    url,
    fields: take<Record<string, string>>(
      'HELPDESK_FORM_FIELDS',
      {},
      url === null ? () => expected('set together with HELPDESK_FORM_URL') : fields,
    ),
  }
}

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

const orgId: Parse<string | null> = (text) =>
  /^\d{1,20}$/.test(text) ? text : expected('the number of the organisation, digits alone')

const jwtSecret: Parse<string | null> = (text) =>
  text.length >= 16 ? text : expected('the secret the desk shows for its widget, at least 16 characters')

const withoutSecret: Parse<string | null> = () =>
  expected('set together with HELPDESK_JWT_SECRET, so that people can be signed in')

const scriptOf =
  (org: string | null): Parse<string | null> =>
  (text) => {
    const script = web(text) ?? expected("the http or https address of the desk's widget script")
    if (org !== null) script.searchParams.set('orgId', org)
    return script.href
  }
