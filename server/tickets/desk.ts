import { expected, web, type Parse, type Take } from '../settings.ts'
import type { Desk } from '../../schemas/ticketCalls.ts'

const fields: Parse<Record<string, string>> = (text) => {
  const wanted = 'a JSON object of texts, like {"orgId": "123"}'
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return expected(wanted)
  }
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given)
  return isObject && Object.values(given as object).every((value) => typeof value === 'string') ? (given as Record<string, string>) : expected(wanted)
}

/** HELPDESK_FORM_URL and HELPDESK_FORM_FIELDS: the desk elsewhere that tickets are posted to, instead of the portal's own. */
export function deskSettings(take: Take): Desk {
  const url = take<string | null>('HELPDESK_FORM_URL', null, (text) => web(text)?.href ?? expected('the http or https address that takes the form'))
  return { url, fields: take<Record<string, string>>('HELPDESK_FORM_FIELDS', {}, url === null ? () => expected('set together with HELPDESK_FORM_URL') : fields) }
}
