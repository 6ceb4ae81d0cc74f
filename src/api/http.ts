import axios, {
  type AxiosAdapter,
  type AxiosProgressEvent,
  type AxiosRequestConfig,
  type AxiosResponse,
} from 'axios'
import type { Endpoint } from '../../schemas/api/endpoint.ts'
import { Failure, failureOf, genericText, unreachableText } from './failure.ts'

/** What calls tell the rest of the portal, and what they ask of it. */
export type Hub = {
  /** The bearer token of the session, or null. */
  token: () => string | null
  /** The current token was refused: the person must sign in. */
  unauthorized: () => void
  /** Terms are open: asks for them, and answers whether the call is to be sent again. */
  termsRequired: (signal?: AbortSignal) => Promise<boolean>
  /** Opens the error dialog. */
  fail: (failure: Failure) => void
}

export type Options = {
  params?: Readonly<Record<string, string | number>>
  query?: Readonly<Record<string, unknown>>
  body?: unknown
  signal?: AbortSignal
  /** The version that was read, for a write whose body does not say it. */
  version?: number
  /** Share of the body that has been sent, or of the file that has come, 0 to 100. */
  onProgress?: (percent: number) => void
  /** In place of the session's: to renew or revoke this one. */
  token?: string
  /** May take as long as it takes: the person can cancel it. */
  patient?: true
  /** The session itself judges a 401 or 428 of this call. */
  judged?: true
}
/** Sends one row of the endpoints table; throws Failure, or axios' own error when it was cancelled. */
export type Call = (endpoint: Endpoint, options?: Options) => Promise<unknown>

export const createCall = (hub: Hub, adapter?: AxiosAdapter): Call => {
  const client = axios.create({ ...(adapter && { adapter }), timeout: 60_000 })
  return async (endpoint, options = {}) => {
    let isSecondTry = false
    for (;;) {
      const token = endpoint.allow === 'anyone' ? null : (options.token ?? hub.token())
      if (token === null && endpoint.allow !== 'anyone') {
        hub.unauthorized()
        throw new Failure(401, 'Please sign in')
      }
      try {
        const answer = await client.request(requestOf(endpoint, options, token))
        return endpoint.download ? downloaded(answer) : answer.data
      } catch (error) {
        if (axios.isCancel(error)) throw error
        const failure = await read(error)
        // The answer brought a new cookie: another tab had signed in since the old one.
        if (failure.code === 'xsrf' && !isSecondTry) {
          isSecondTry = true
          continue
        }
        if (failure.status === 428 && !options.judged && (await hub.termsRequired(options.signal))) continue
        report(endpoint, options, token, failure)
        throw failure
      }
    }
  }

  function report(endpoint: Endpoint, { judged, signal }: Options, token: string | null, failure: Failure) {
    const isSessions = failure.status === 428 || (failure.status === 401 && endpoint.allow !== 'anyone')
    if (failure.status === 401 && isSessions && !judged && token === hub.token()) hub.unauthorized()
    // A lost update is offered as a choice by the dialog that made it, a file imported before by its screen.
    const isChoice = failure.code === 'stale' || failure.repeated !== undefined
    if (!isSessions && !endpoint.quiet && !isChoice && !signal?.aborted) hub.fail(failure)
  }
}

const requestOf = (endpoint: Endpoint, options: Options, token: string | null): AxiosRequestConfig => {
  const [method, path] = endpoint.route.split(' ') as [string, string]
  const { params = {}, query, body, signal, version, onProgress } = options
  return {
    method,
    url: path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name]))),
    params: query,
    data: body,
    signal,
    ...((endpoint.upload || endpoint.download) && { timeout: 0 }),
    ...(endpoint.download && { responseType: 'blob' }),
    ...(options.patient && { timeout: 0 }),
    headers: {
      ...(token !== null && { Authorization: `Bearer ${token}` }),
      ...(version !== undefined && { 'If-Match': `"${version}"` }),
    },
    [endpoint.download ? 'onDownloadProgress' : 'onUploadProgress']:
      onProgress &&
      (({ loaded, total }: AxiosProgressEvent) => onProgress(total ? Math.floor((loaded / total) * 100) : 0)),
  }
}

/** A file as it came; the header Content-Disposition holds its name. */
export type Downloaded = { content: Blob; disposition: string }
const downloaded = ({ data, headers }: AxiosResponse): Downloaded => ({
  content: data instanceof Blob ? data : new Blob([data]),
  disposition: String(headers['content-disposition'] ?? ''),
})

const read = async (error: unknown): Promise<Failure> => {
  const answer: AxiosResponse | undefined = axios.isAxiosError(error) ? error.response : undefined
  if (!answer) return new Failure(0, axios.isAxiosError(error) ? unreachableText : genericText)
  return failureOf({ status: answer.status, body: answer.data, header: (name) => answer.headers[name] })
}
