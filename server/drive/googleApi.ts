import { JWT } from 'google-auth-library'
import type { GoogleKey } from '../config/drive.ts'
import { HttpError } from '../http/errors.ts'
import { missingFile } from './drive.ts'

/** The `error` member of an answer of Google that refuses a call. */
type GoogleErrorBody = { message?: string; errors?: { reason?: string }[] }

const rateLimitReasons = [
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'dailyLimitExceeded',
  'sharingRateLimitExceeded',
]

/**
 * The error the portal answers when Google refuses a call (drive 7). A 401 or 403 of Google is about the
 * portal's own key and never reaches the browser as one, which would sign the person out. `isRetryable`: the
 * same call may succeed a moment later.
 */
function googleError(status: number, body: GoogleErrorBody = {}): { error: HttpError; isRetryable: boolean } {
  const reason = body.errors?.[0]?.reason ?? ''
  if (status === 404) return { error: missingFile(), isRetryable: false }
  if (status === 429 || (status === 403 && rateLimitReasons.includes(reason)))
    return {
      error: new HttpError(
        503,
        'Google Drive is asked too often at the moment. Please try again in a minute.',
        { retryAfter: 60 },
      ),
      isRetryable: true,
    }
  if (status >= 500)
    return {
      error: new HttpError(503, 'Google Drive is not available at the moment. Please try again.', {
        retryAfter: 10,
      }),
      isRetryable: true,
    }
  if (reason === 'exportSizeLimitExceeded')
    return {
      error: new HttpError(
        422,
        'This document is too large for Google to export it. Open it in Google Drive instead.',
      ),
      isRetryable: false,
    }
  const sentence =
    status === 401
      ? 'Google does not accept the key of the shared drive. Tell an administrator.'
      : status === 403
        ? 'Google does not let the portal read this. Tell an administrator.'
        : `Google Drive refused the call with status ${status}. Tell an administrator.`
  return { error: new HttpError(502, sentence), isRetryable: false }
}

/** Milliseconds before a call is tried again while Google is too busy for it. */
const retryDelays = [200, 600]

type RequestOptions = { headers?: Record<string, string>; signal?: AbortSignal }

/**
 * Sends GET requests to the Drive API, version 3, of `url` as the service account of `key`. `path` follows
 * '/drive/v3/'. Resolves with answers of status 2xx; throws the HttpError of `googleError` for others.
 */
export function googleApi(key: GoogleKey, url: string) {
  const account = new JWT({
    email: key.client_email,
    key: key.private_key,
    scopes: ['https://www.googleapis.com/auth/drive.readonly'],
  })
  account.transporter.interceptors.request.add({
    // The library ignores the token_uri of the key file and asks its own address for a token.
    resolved: async (config) =>
      Object.assign(config, { url: new URL(key.token_uri), timeout: 20_000, redirect: 'error' }),
  })

  async function send(path: string, { headers = {}, signal }: RequestOptions): Promise<Response> {
    try {
      const { token } = await account.getAccessToken()
      return await fetch(`${url}/drive/v3/${path}`, {
        headers: { ...headers, authorization: `Bearer ${token}` },
        // The answer to a call comes from the address of the setting, or it is none (drive 7).
        redirect: 'error',
        signal: signal ?? AbortSignal.timeout(60_000),
      })
    } catch (error) {
      if (signal?.aborted) throw error
      const { status } = error as { status?: number }
      const sentence = status
        ? 'Google does not accept the key of the shared drive. Tell an administrator.'
        : 'Google Drive cannot be reached at the moment. Please try again.'
      throw new HttpError(status ? 502 : 503, sentence, status ? {} : { retryAfter: 10 })
    }
  }

  return async function request(path: string, options: RequestOptions = {}): Promise<Response> {
    for (let attempt = 0; ; attempt++) {
      const answer = await send(path, options)
      if (answer.ok) return answer
      const body = (await answer.json().catch(() => ({}))) as { error?: GoogleErrorBody }
      const { error, isRetryable } = googleError(answer.status, body.error)
      const delay = retryDelays[attempt]
      if (!isRetryable || delay === undefined) throw error
      await sleep(delay)
    }
  }
}

export type GoogleRequest = ReturnType<typeof googleApi>

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
