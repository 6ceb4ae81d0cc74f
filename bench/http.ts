import { Agent, request } from 'node:http'

const agent = new Agent({ keepAlive: true, maxSockets: 16 })

export type HttpCall = {
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer
  /**
   * The body is read and not kept, and empty in the answer: to put 37 MB together takes so long that calls
   * timed by the same process seem to wait.
   */
  isDiscarded?: boolean
}

/** Makes a call; answers the body. Throws an Error for another status than 2xx. */
export const callHttp = (
  url: string,
  { method = 'GET', headers = {}, body, isDiscarded = false }: HttpCall = {},
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const sent = request(url, { agent, method, headers: { ...headers, ...length } }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => {
        if (!isDiscarded || answer.statusCode! >= 300) chunks.push(chunk)
      })
      answer.on('error', reject)
      answer.on('end', () => {
        const all = Buffer.concat(chunks)
        if (answer.statusCode! >= 200 && answer.statusCode! < 300) return resolve(all)
        reject(new Error(`${method} ${url}: ${answer.statusCode} ${all.toString('utf8', 0, 500)}`))
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })

/** The value of a JSON answer. */
export const callJson = async <T>(url: string, call?: HttpCall): Promise<T> =>
  JSON.parse((await callHttp(url, call)).toString()) as T

/** Closes the connections that are kept open. */
export const closeConnections = () => agent.destroy()
