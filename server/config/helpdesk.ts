import type { HelpdeskForm } from '../../schemas/api/tickets.ts'
import { failExpected, parseWebAddress, type ParseVariable, type ReadVariable } from './variables.ts'

const hiddenFields: ParseVariable<Record<string, string>> = (text) => {
  const wanted = 'a JSON object of texts, like {"orgId": "123"}'
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return failExpected(wanted)
  }
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given)
  return isObject && Object.values(given as object).every((value) => typeof value === 'string')
    ? (given as Record<string, string>)
    : failExpected(wanted)
}

/**
 * HELPDESK_FORM_URL and HELPDESK_FORM_FIELDS: a help desk elsewhere that tickets are posted to (tickets 6).
 */
export function helpdeskFormSettings(read: ReadVariable): HelpdeskForm {
  const url = read<string | null>(
    'HELPDESK_FORM_URL',
    null,
    (text) => parseWebAddress(text)?.href ?? failExpected('the http or https address that takes the form'),
  )
  return {
    url,
    fields: read<Record<string, string>>(
      'HELPDESK_FORM_FIELDS',
      {},
      url === null ? () => failExpected('set together with HELPDESK_FORM_URL') : hiddenFields,
    ),
  }
}

/** The widget of a help desk elsewhere (tickets 9); null without one. */
export type HelpdeskSettings = { widget: WidgetSettings | null }

/** The address of the widget's script, and the secret it shares with the portal. */
export type WidgetSettings = { script: string; secret: string }

/** HELPDESK_WIDGET_URL, HELPDESK_ORG and HELPDESK_JWT_SECRET: a widget needs the first and the last. */
export function helpdeskSettings(read: ReadVariable): HelpdeskSettings {
  const secret = read('HELPDESK_JWT_SECRET', null, jwtSecret, true)
  const org = read('HELPDESK_ORG', null, orgId)
  const script = read('HELPDESK_WIDGET_URL', null, secret === null ? withoutSecret : widgetScript(org))
  return { widget: script !== null && secret !== null ? { script, secret } : null }
}

const orgId: ParseVariable<string | null> = (text) =>
  /^\d{1,20}$/.test(text) ? text : failExpected('the number of the organisation, digits alone')

const jwtSecret: ParseVariable<string | null> = (text) =>
  text.length >= 16 ? text : failExpected('the secret the desk shows for its widget, at least 16 characters')

const withoutSecret: ParseVariable<string | null> = () =>
  failExpected('set together with HELPDESK_JWT_SECRET, so that people can be signed in')

const widgetScript =
  (org: string | null): ParseVariable<string | null> =>
  (text) => {
    const script =
      parseWebAddress(text) ?? failExpected("the http or https address of the desk's widget script")
    if (org !== null) script.searchParams.set('orgId', org)
    return script.href
  }
