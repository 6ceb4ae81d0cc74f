import axios, {
  type AxiosAdapter,
  type AxiosProgressEvent,
  type AxiosRequestConfig,
  type AxiosResponse,
} from 'axios'
import type { Downloaded } from '../../machines/download.machine.ts'
import type { PathParams, ReplyOf, SentBody, SentQuery } from '../../schemas/api/callTypes.ts'
import { mayTakeLong, type Done, type Endpoint } from '../../schemas/api/endpoint.ts'
import { Failure, parseFailure, genericText } from './failure.ts'
import { parseLongReport } from './longAnswer.ts'

/** What every call needs of the session and of the error dialog. */
export type CallHooks = {
  /** The bearer token of the session, or null. */
  token: () => string | null
  /** The current token was refused: the session ends. */
  unauthorized: () => void
  /** Opens the terms dialog. Resolves to whether the call is to be sent again. */
  termsRequired: (signal?: AbortSignal) => Promise<boolean>
  /** Opens the error dialog. */
  showFailure: (failure: Failure) => void
  /** Says that a call has succeeded. */
  showDone: (done: Done) => void
}

/** The options that every call takes, whatever its endpoint. */
type CommonOptions = {
  signal?: AbortSignal
  /** The version that was read, sent as If-Match: for a write whose body has none. */
  version?: number
  /** The share of the body that was sent, or of the file that was received, 0 to 100. */
  onProgress?: (percent: number) => void
  /** Sent instead of the session's token. */
  token?: string
  /** The caller handles a 401 or 428 itself. */
  handlesSessionErrors?: true
}
/** One option of a call: required if a field of it is required, absent if the endpoint has none. */
type Part<Name extends string, T> = [T] extends [never]
  ? { [K in Name]?: never }
  : Record<never, never> extends T
    ? { [K in Name]?: Readonly<T> }
    : { [K in Name]: Readonly<T> }
type SentParams<E extends Endpoint> = keyof PathParams<E> extends never
  ? never
  : PathParams<E, string | number>
/** What a call is sent with: the parameters of its path, its query and its body as the table has them. */
type CallOptions<E extends Endpoint> = CommonOptions &
  Part<'params', SentParams<E>> &
  Part<'query', SentQuery<E>> &
  Part<'body', E extends { upload: true } ? FormData : SentBody<E>>
/** The arguments of a call after its endpoint. */
export type GivenOptions<E extends Endpoint> =
  Record<never, never> extends CallOptions<E> ? [options?: CallOptions<E>] : [options: CallOptions<E>]
/** The body of an answer, for a download `Downloaded`. */
type AnswerOf<E extends Endpoint> = E extends { download: true } ? Downloaded : ReplyOf<E>
/**
 * Sends one call of the endpoints table and resolves to the body of its answer. Throws Failure, or the error
 * of axios if the call was cancelled.
 */
export type Call = <E extends Endpoint>(endpoint: E, ...options: GivenOptions<E>) => Promise<AnswerOf<E>>

/** The options of any call as they are sent. */
type SentOptions = CommonOptions & {
  params?: Readonly<Record<string, string | number>>
  query?: object
  body?: unknown
}

export const createCall = (hooks: CallHooks, adapter?: AxiosAdapter): Call => {
  const client = axios.create({ ...(adapter && { adapter }), timeout: 60_000 })
  const send = async (endpoint: Endpoint, options: SentOptions): Promise<unknown> => {
    let hasRetried = false
    for (;;) {
      const token = endpoint.allow === 'anyone' ? null : (options.token ?? hooks.token())
      if (token === null && endpoint.allow !== 'anyone') {
        hooks.unauthorized()
        throw new Failure(401, 'Please sign in')
      }
      try {
        const response = await client.request(requestOf(endpoint, options, token))
        showDone(endpoint, options, response)
        if (endpoint.long) return await parseLongReport(response.data)
        return endpoint.download ? toDownloaded(response) : response.data
      } catch (error) {
        if (axios.isCancel(error)) throw error
        const failure = await toFailure(error, endpoint)
        // The response set a new cookie: another tab had signed in since the old one was set (api 3).
        if (failure.code === 'xsrf' && !hasRetried) {
          hasRetried = true
          continue
        }
        const asksForTerms = failure.status === 428 && !options.handlesSessionErrors
        if (asksForTerms && (await hooks.termsRequired(options.signal))) continue
        report(endpoint, options, token, failure)
        throw failure
      }
    }
  }
  // The server writes its answers by the schemas that the types are read from.
  return ((endpoint: Endpoint, options: SentOptions = {}) => send(endpoint, options)) as Call

  function showDone({ done }: Endpoint, { query, params }: SentOptions, { data }: AxiosResponse) {
    if (!done || (done.unless !== undefined && done.unless in (query ?? {}))) return
    const values: Readonly<Record<string, unknown>> = { ...data, ...params }
    const view = done.view?.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])))
    hooks.showDone({ text: done.text, ...(view && { view, viewFor: done.viewFor }) })
  }

  function report(endpoint: Endpoint, options: SentOptions, token: string | null, failure: Failure) {
    const { handlesSessionErrors, signal } = options
    const isSessionError = failure.status === 428 || (failure.status === 401 && endpoint.allow !== 'anyone')
    if (failure.status === 401 && isSessionError && !handlesSessionErrors && token === hooks.token())
      hooks.unauthorized()
    const isHandledByScreen = asksOnScreen(failure) || listsFaults(endpoint, failure)
    if (!isSessionError && !endpoint.quiet && !isHandledByScreen && !signal?.aborted)
      hooks.showFailure(failure)
  }
}

/**
 * Whether the screen itself asks what to do: the dialog of a record about a conflict, an import about a known
 * file or one that does not say what it is of, the lock of a month about its findings, a new password about
 * the present one, a bulk change about its preview; or a list says itself what is wrong with its filter.
 */
const asksOnScreen = ({ code, repeated, asks, findings }: Failure) =>
  ['stale', 'reauthenticate', 'previewed', 'filter'].includes(code ?? '') ||
  [repeated, asks, findings].some((it) => it !== undefined)
/** The faults of an imported file are listed on its screen, where the dialog would cover them (errors 4). */
const listsFaults = ({ upload, download }: Endpoint, { refused }: Failure) =>
  Boolean(upload) && !download && (refused?.rows.length ?? 0) > 0

const requestOf = (endpoint: Endpoint, options: SentOptions, token: string | null): AxiosRequestConfig => {
  const [method, path] = endpoint.route.split(' ') as [string, string]
  const { params = {}, query, body, signal, version, onProgress } = options
  return {
    method,
    url: path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name]))),
    params: query,
    data: body,
    signal,
    ...(mayTakeLong(endpoint) && { timeout: 0 }),
    ...((endpoint.download || endpoint.long) && { responseType: 'blob' }),
    headers: {
      ...(token !== null && { Authorization: `Bearer ${token}` }),
      ...(version !== undefined && { 'If-Match': `"${version}"` }),
    },
    [endpoint.download ? 'onDownloadProgress' : 'onUploadProgress']:
      onProgress &&
      (({ loaded, total }: AxiosProgressEvent) => onProgress(total ? Math.floor((loaded / total) * 100) : 0)),
  }
}

const toDownloaded = ({ data, headers }: AxiosResponse): Downloaded => ({
  content: data instanceof Blob ? data : new Blob([data]),
  disposition: String(headers['content-disposition'] ?? ''),
})

const toFailure = async (error: unknown, { task }: Endpoint): Promise<Failure> => {
  const response: AxiosResponse | undefined = axios.isAxiosError(error) ? error.response : undefined
  if (!response) return new Failure(0, genericText)
  return parseFailure({
    task,
    status: response.status,
    body: response.data,
    header: (name) => response.headers[name],
  })
}
