import axios, {
  AxiosError,
  CanceledError,
  type AxiosAdapter,
  type AxiosResponse,
  type InternalAxiosRequestConfig,
} from 'axios'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { multipart } from './multipart.ts'

export type Sent = {
  method: string
  path: string
  query: Record<string, string>
  token: string | null
  body: unknown
}
export type Given = { status?: number; body?: unknown; headers?: Record<string, string> }

/** Turns an answer into what axios expects of a network, failures included. */
export const settle = (
  config: InternalAxiosRequestConfig,
  { status = 200, body = '', headers = {} }: Given,
): AxiosResponse => {
  const data = typeof body === 'string' ? body : JSON.stringify(body)
  const response: AxiosResponse = {
    status,
    statusText: '',
    headers,
    config,
    data: config.responseType === 'blob' ? new Blob([data]) : data,
  }
  if (status >= 200 && status < 300) return response
  throw new AxiosError(
    `Request failed with status code ${status}`,
    AxiosError.ERR_BAD_REQUEST,
    config,
    null,
    response,
  )
}

export const sentOf = (config: InternalAxiosRequestConfig): Sent => {
  const url = new URL(axios.getUri(config), 'http://portal.test')
  const token = /^Bearer (.+)$/.exec(String(config.headers.get('Authorization') ?? ''))?.[1] ?? null
  const isText = typeof config.data === 'string'
  return {
    method: (config.method ?? 'get').toUpperCase(),
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    token,
    body: isText ? JSON.parse(config.data as string) : config.data,
  }
}

/** Calls to real servers: how many wait for their answer, and how many had it. */
const realCalls = { open: 0, answered: 0 }
/** How many calls to real servers wait for their answer. */
export const openCalls = () => realCalls.open
const isWaitThatEnded = (error: unknown) =>
  error instanceof Error &&
  /^(TestingLibraryElementError|AssertionError|JestAssertionError)$/.test(error.name)

/**
 * Runs a wait for something on the screen again when it ended while a real server was answering or the page
 * was still changing, until the limit of the wait has passed without either: a busy machine makes it longer
 * and not red. Throws what the last wait has thrown.
 */
export async function waitWhileChanging<T>(wait: () => Promise<T>): Promise<T> {
  for (;;) {
    const { answered } = realCalls
    const page = document.body.innerHTML
    try {
      return await wait()
    } catch (error) {
      const isAnswering = realCalls.open > 0 || realCalls.answered > answered
      const isChanging = isAnswering || document.body.innerHTML !== page
      if (!isChanging || !isWaitThatEnded(error)) throw error
    }
  }
}

/**
 * A browser before the real server: its cookies, its XSRF header, no network. One for all tabs of a browser.
 */
export const browserOf = (app: FastifyInstance): AxiosAdapter => {
  const cookies = new Map<string, string>()
  const visit = async (request: InjectOptions) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await app.inject({ ...request, headers: { ...request.headers, ...(cookie && { cookie }) } })
    for (const { name, value } of reply.cookies) cookies.set(name, value)
    return reply
  }
  let opened: Promise<unknown> | null = null
  const send: AxiosAdapter = async (config) => {
    if (config.signal?.aborted) throw new CanceledError('', config)
    // The page itself brings the first cookie.
    await (opened ??= visit({ method: 'GET', url: '/healthz' }))
    const { method, path, token } = sentOf(config)
    const form = config.data instanceof FormData ? await multipart(config.data) : null
    const xsrf = cookies.get('XSRF-TOKEN')
    const reply = await visit({
      method: method as 'GET',
      url: path + new URL(axios.getUri(config), 'http://portal.test').search,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(method !== 'GET' && xsrf && { 'x-xsrf-token': xsrf }),
        ...(form
          ? { 'content-type': form.type }
          : config.data !== undefined && { 'content-type': 'application/json' }),
      },
      ...(config.data !== undefined && { payload: form ? form.body : (config.data as string) }),
    })
    if (config.signal?.aborted) throw new CanceledError('', config)
    return settle(config, {
      status: reply.statusCode,
      body: reply.body,
      headers: reply.headers as Record<string, string>,
    })
  }
  return async (config) => {
    realCalls.open += 1
    try {
      return await send(config)
    } finally {
      realCalls.open -= 1
      realCalls.answered += 1
    }
  }
}
