import { Refusal } from '../errors.ts'
import { missingFile } from './drive.ts'

export type GoogleError = { message?: string; errors?: { reason?: string }[] }

const overuse = ['rateLimitExceeded', 'userRateLimitExceeded', 'dailyLimitExceeded', 'sharingRateLimitExceeded']

/**
 * Google's refusal in our words. A 401 or 403 of Google is about the portal's own key and must not reach the browser as
 * one: it would sign the person out. `isBusy`: another try may be answered.
 */
export function refusedByGoogle(status: number, error: GoogleError = {}): { refusal: Refusal; isBusy: boolean } {
  const reason = error.errors?.[0]?.reason ?? ''
  if (status === 404) return { refusal: missingFile(), isBusy: false }
  if (status === 429 || (status === 403 && overuse.includes(reason)))
    return { refusal: new Refusal(503, 'Google Drive is asked too often at the moment. Please try again in a minute.', { retryAfter: 60 }), isBusy: true }
  if (status >= 500) return { refusal: new Refusal(503, 'Google Drive is not available at the moment. Please try again.', { retryAfter: 10 }), isBusy: true }
  if (reason === 'exportSizeLimitExceeded')
    return { refusal: new Refusal(422, 'This document is too large for Google to export it. Open it in Google Drive instead.'), isBusy: false }
  const sentence =
    status === 401
      ? 'Google does not accept the key of the shared drive. Tell an administrator.'
      : status === 403
        ? 'Google does not let the portal read this. Tell an administrator.'
        : `Google Drive refused the call with status ${status}. Tell an administrator.`
  return { refusal: new Refusal(502, sentence), isBusy: false }
}
