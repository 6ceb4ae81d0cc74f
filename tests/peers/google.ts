import { createHash, createVerify, generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export const folderType = 'application/vnd.google-apps.folder'
export type Item = {
  id: string
  name: string
  mimeType: string
  parents: string[]
  content?: string
  modifiedTime?: string
  trashed?: boolean
}
/** In place of an answer: a status and the reason in Google's words, or where to ask instead. */
export type Fault = { status: number; reason?: string; location?: string }

const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

/**
 * A server that speaks what the portal uses of Google's token endpoint and of Drive v3; pages hold `pageSize`
 * files.
 */
export async function googlePeer(items: Item[], pageSize = 1000) {
  const faults: Fault[] = []
  const log: string[] = []
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const token = createHash('sha256').update(url).digest('hex')
  const email = 'portal@demo.iam.gserviceaccount.com'

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { pathname, searchParams } = new URL(request.url!, url)
    log.push(`${request.method} ${pathname}`)
    if (pathname === '/token') return grant(request, response)
    if (request.headers.authorization !== `Bearer ${token}`)
      return refuse(response, { status: 401, reason: 'authError' })
    const fault = faults.shift()
    if (fault) return refuse(response, fault)
    const [, id = '', action] = /^\/drive\/v3\/files(?:\/([^/]+))?(\/export)?$/.exec(pathname) ?? []
    if (id === '') return list(searchParams, response)
    const item = items.find((one) => one.id === decodeURIComponent(id))
    if (!item) return refuse(response, { status: 404, reason: 'notFound' })
    if (action)
      return response
        .setHeader('content-type', searchParams.get('mimeType') ?? '')
        .end(`exported ${item.name}`)
    if (searchParams.get('supportsAllDrives') !== 'true')
      return refuse(response, { status: 404, reason: 'notFound' })
    if (item.mimeType.startsWith('application/vnd.google-apps.'))
      return refuse(response, { status: 403, reason: 'fileNotDownloadable' })
    const content = item.content ?? ''
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    if (first === undefined || last === undefined) return response.end(content)
    response.statusCode = 206
    return response
      .setHeader('content-range', `bytes ${first}-${last}/${content.length}`)
      .end(content.slice(Number(first), Number(last) + 1))
  }

  async function grant(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const assertion = new URLSearchParams(Buffer.concat(chunks).toString()).get('assertion') ?? ''
    const [head, claims, signature = ''] = assertion.split('.')
    const isSigned = createVerify('RSA-SHA256')
      .update(`${head}.${claims}`)
      .verify(publicKey, signature, 'base64url')
    const { iss, scope } = JSON.parse(Buffer.from(claims ?? '', 'base64url').toString() || '{}') as Record<
      string,
      string
    >
    const isGood = isSigned && iss === email && scope === 'https://www.googleapis.com/auth/drive.readonly'
    response.statusCode = isGood ? 200 : 400
    response
      .setHeader('content-type', 'application/json')
      .end(
        JSON.stringify(
          isGood
            ? { access_token: token, expires_in: 3600, token_type: 'Bearer' }
            : { error: 'invalid_grant' },
        ),
      )
  }

  function list(query: URLSearchParams, response: ServerResponse) {
    const q = query.get('q') ?? ''
    const parents = [...q.matchAll(/'([^']+)' in parents/g)].map(([, id]) => id!)
    // Every item is in a shared drive, and Google shows these to nobody who does not name them.
    const isShown = ['supportsAllDrives', 'includeItemsFromAllDrives'].every(
      (name) => query.get(name) === 'true',
    )
    const found = items.filter(
      (item) =>
        isShown &&
        !(q.includes('trashed = false') && item.trashed) &&
        item.parents.some((id) => parents.includes(id)),
    )
    const from = Number(query.get('pageToken') ?? 0)
    const size = Math.min(pageSize, Number(query.get('pageSize')))
    const files = found
      .slice(from, from + size)
      .map(({ content, id, name, mimeType, parents, modifiedTime }) => ({
        id,
        name,
        mimeType,
        parents,
        modifiedTime,
        ...(content !== undefined && { size: String(content.length) }),
      }))
    const nextPageToken = from + size < found.length ? String(from + size) : undefined
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ files, nextPageToken }))
  }

  function refuse(response: ServerResponse, { status, reason, location }: Fault) {
    response.statusCode = status
    if (location !== undefined) response.setHeader('location', location)
    const error = { code: status, message: `said by Google: ${reason ?? status}`, errors: [{ reason }] }
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ error }))
  }

  return {
    url,
    key: { client_email: email, private_key: privateKey, token_uri: `${url}/token` },
    log,
    /** The next calls of the API, the token's aside, are refused so. */
    fault: (...next: Fault[]) => void faults.push(...next),
    left: () => faults.splice(0).length,
    close: () => new Promise<void>((done) => void server.close(() => done()).closeAllConnections()),
  }
}
