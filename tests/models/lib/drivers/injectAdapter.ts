import axios, { AxiosError, CanceledError, type AxiosAdapter, type AxiosResponse } from 'axios'
import type { TestPortal } from '../../../testPortal.ts'
import { refusalBody, type Network, type Seen } from './network.ts'

/** The cookies of a browser. */
export type Jar = Map<string, string>
/** Changes a call on its way, or its answer: how the tests break the portal on purpose. */
export type Tamper = {
  call?: (call: { route: string; headers: Record<string, string> }) => void
  answer?: (call: Seen, status: number) => number
}

/** The bytes of an answer: one that is sent as it is, or a text in its place. */
const rawOf = (reply: { payload: string; rawPayload?: Buffer }): BlobPart =>
  (reply.rawPayload as BlobPart | undefined) ?? reply.payload

/** A browser's network that ends in the real app: no socket, but the same headers, cookies and bodies. */
export const injectAdapter =
  ({ app }: TestPortal, network: Network, jar: Jar, tamper: Tamper = {}): AxiosAdapter =>
  async (config) => {
    const url = axios.getUri(config)
    const [path = '', query = ''] = url.split('?')
    const method = (config.method ?? 'get').toUpperCase() as 'GET'
    const headers = Object.fromEntries(
      Object.entries(config.headers.toJSON()).map(([name, value]) => [name.toLowerCase(), String(value)]),
    )
    // As axios' own way to the network does: without a body there is no type of one.
    if (config.data === undefined) delete headers['content-type']
    const { payload, type } = await bodyOf(config.data)
    const route = `${method} ${path}`
    tamper.call?.({ route, headers })
    const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? null
    const call: Seen = { route, query, bearer, body: String(payload ?? ''), status: null }
    // What is cancelled in the same moment never leaves a browser: React's StrictMode begins everything
    // twice.
    await new Promise<void>((go) => setTimeout(go))
    if (config.signal?.aborted) throw new CanceledError('canceled')
    const cancelled = new Promise<void>((resolve) =>
      config.signal?.addEventListener?.('abort', () => resolve()),
    )
    const instead = await network.pass(call, cancelled)
    if (config.signal?.aborted) return cancel(call)
    config.onUploadProgress?.({ loaded: 1, total: 1, bytes: 1, lengthComputable: true })
    if (instead === 'no answer') {
      call.status = 0
      throw new AxiosError('Network Error', AxiosError.ERR_NETWORK, config)
    }
    const xsrf = jar.get('XSRF-TOKEN')
    const sent = {
      ...headers,
      ...(type && { 'content-type': type }),
      ...(jar.size > 0 && { cookie: [...jar].map((pair) => pair.join('=')).join('; ') }),
      ...(xsrf && { 'x-xsrf-token': xsrf }),
    }
    const reply = instead
      ? {
          statusCode: instead,
          payload: refusalBody(instead),
          headers: { 'content-type': 'application/json' },
        }
      : await app.inject({ method, url, headers: sent, payload })
    keepCookies(jar, reply.headers)
    config.onDownloadProgress?.({ loaded: 1, total: 1, bytes: 1, lengthComputable: true })
    const status = tamper.answer?.(call, reply.statusCode) ?? reply.statusCode
    call.status = status
    if (config.signal?.aborted) return cancel(call)
    const answered = reply.headers as AxiosResponse['headers']
    const response: AxiosResponse = {
      data: config.responseType === 'blob' ? new Blob([rawOf(reply)]) : reply.payload,
      status,
      statusText: '',
      headers: answered,
      config,
      request: {},
    }
    if (status < 300) return response
    throw new AxiosError(
      `Request failed with status code ${status}`,
      AxiosError.ERR_BAD_REQUEST,
      config,
      {},
      response,
    )
  }

export function keepCookies(jar: Jar, headers: Record<string, unknown>) {
  for (const text of [headers['set-cookie'] ?? []].flat()) {
    const [name = '', value = ''] = String(text).split(';')[0]!.split('=')
    jar.set(name, value)
  }
}

const cancel = (call: Seen): never => {
  call.status = 0
  throw new CanceledError('canceled')
}

/** A form with a file as a browser writes it. */
async function bodyOf(data: unknown): Promise<{ payload?: string | Buffer; type?: string }> {
  if (!(data instanceof FormData))
    return data === undefined || data === null ? {} : { payload: data as string }
  const boundary = 'portal-test-boundary'
  const parts: Buffer[] = []
  for (const [name, value] of data.entries()) {
    const isFile = typeof value !== 'string'
    const head = `content-disposition: form-data; name="${name}"${isFile ? `; filename="${value.name}"` : ''}`
    const content = isFile ? Buffer.from(await value.arrayBuffer()) : Buffer.from(value)
    parts.push(Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), content, Buffer.from('\r\n'))
  }
  return {
    payload: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
    type: `multipart/form-data; boundary=${boundary}`,
  }
}
