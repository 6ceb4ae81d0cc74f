import { JWT } from 'google-auth-library'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { folderType, type DriveNode } from '../../schemas/drive.ts'
import { Refusal } from '../errors.ts'
import { indexed, type Drive, type Scan } from './drive.ts'
import { exportOf, googlePrefix } from './exports.ts'
import { refusedByGoogle, type GoogleError } from './refused.ts'
import type { GoogleKey } from './settings.ts'

export type GoogleSettings = { key: GoogleKey; folder: string; url: string }

type Listed = { id: string; name: string; mimeType: string; size?: string; modifiedTime?: string; parents?: string[] }
type Known = Pick<Listed, 'id' | 'name' | 'mimeType'> & { size: number | null; etag: string; exportAs: string | null }

/** Milliseconds before a call that Google is too busy for is tried again. */
const pauses = [200, 600]
/** So many folders are asked about in one query. */
const together = 40
const fields = 'nextPageToken, incompleteSearch, files(id, name, mimeType, size, modifiedTime, parents)'

/**
 * The files below one folder of Google Drive (API version 3), as a service account sees them. Documents of Google's own
 * kinds are exported; shortcuts and kinds that cannot be exported are left out.
 */
export function googleDrive({ key, folder, url }: GoogleSettings): Drive {
  const account = new JWT({ email: key.client_email, key: key.private_key, scopes: ['https://www.googleapis.com/auth/drive.readonly'] })
  account.transporter.interceptors.request.add({
    // The library asks its own address for a token, whatever the key file says.
    resolved: async (config) => Object.assign(config, { url: new URL(key.token_uri), timeout: 20_000 }),
  })

  async function ask(path: string, { headers = {}, signal }: { headers?: Record<string, string>; signal?: AbortSignal } = {}): Promise<Response> {
    for (let attempt = 0; ; attempt++) {
      const answer = await once(path, headers, signal)
      if (answer.ok) return answer
      const said = (await answer.json().catch(() => ({}))) as { error?: GoogleError }
      const { refusal, isBusy } = refusedByGoogle(answer.status, said.error)
      const next = pauses[attempt]
      if (!isBusy || next === undefined) throw refusal
      await wait(next)
    }
  }

  async function once(path: string, headers: Record<string, string>, signal?: AbortSignal): Promise<Response> {
    try {
      const token = await account.getAccessToken()
      return await fetch(`${url}/drive/v3/${path}`, { headers: { ...headers, authorization: `Bearer ${token.token}` }, signal: signal ?? AbortSignal.timeout(60_000) })
    } catch (error) {
      if (signal?.aborted) throw error
      const { status } = error as { status?: number }
      const sentence = status ? 'Google does not accept the key of the shared drive. Tell an administrator.' : 'Google Drive cannot be reached at the moment. Please try again.'
      throw new Refusal(status ? 502 : 503, sentence, status ? {} : { retryAfter: 10 })
    }
  }

  async function childrenOf(parents: readonly string[]): Promise<Listed[]> {
    const quoted = parents.map((id) => `'${id.replace(/['\\]/g, '\\$&')}' in parents`)
    const query = { q: `(${quoted.join(' or ')}) and trashed = false`, fields, pageSize: '1000', supportsAllDrives: 'true', includeItemsFromAllDrives: 'true' }
    const all: Listed[] = []
    for (let pageToken = ''; ; ) {
      const answer = await ask(`files?${new URLSearchParams({ ...query, ...(pageToken && { pageToken }) })}`)
      const page = (await answer.json()) as { files?: Listed[]; nextPageToken?: string }
      all.push(...(page.files ?? []))
      if (!page.nextPageToken) return all
      pageToken = page.nextPageToken
    }
  }

  /** One level of folders after the other, so that a deep tree costs few calls. */
  async function scan(): Promise<Scan<Known>> {
    const files = new Map<string, Known>()
    const nodes: DriveNode[] = []
    const places = new Map([[folder, nodes]])
    for (let level = [folder]; level.length > 0; ) {
      const next: string[] = []
      for (let at = 0; at < level.length; at += together) {
        for (const listed of await childrenOf(level.slice(at, at + together))) {
          const siblings = places.get(listed.parents?.find((id) => places.has(id)) ?? '')
          if (!siblings || places.has(listed.id) || files.has(listed.id)) continue
          if (listed.mimeType === folderType) {
            const node: DriveNode = { id: listed.id, name: listed.name, mimeType: folderType, size: null, modified: null, children: [] }
            places.set(listed.id, node.children)
            siblings.push(node)
            next.push(listed.id)
          } else {
            const known = knownOf(listed)
            if (!known) continue
            files.set(listed.id, known)
            const { id, name, mimeType, size } = known
            siblings.push({ id, name, mimeType, size, modified: Math.floor(Date.parse(listed.modifiedTime ?? '') / 1000) || null, children: [] })
          }
        }
      }
      level = next
    }
    return { nodes, files }
  }

  const index = indexed(scan)
  return {
    tree: index.tree,
    async open(id) {
      const { name, mimeType, size, etag, exportAs } = await index.find(id)
      const path = `files/${encodeURIComponent(id)}`
      return {
        name,
        mimeType,
        size,
        etag,
        async read(span, signal) {
          const answer = exportAs
            ? await ask(`${path}/export?${new URLSearchParams({ mimeType: exportAs })}`, { signal })
            : await ask(`${path}?alt=media&supportsAllDrives=true`, { signal, headers: span ? { range: `bytes=${span.start}-${span.end}` } : {} })
          if (span && answer.status !== 206) throw new Refusal(502, 'Google Drive sent the whole file where a part was asked for. Please try again.')
          return Readable.fromWeb(answer.body as ReadableStream)
        },
      }
    },
  }
}

/** Null for what cannot be downloaded. */
function knownOf({ id, name, mimeType, size, modifiedTime }: Listed): Known | null {
  const etag = `"${id}-${Date.parse(modifiedTime ?? '') || 0}"`
  if (!mimeType.startsWith(googlePrefix)) return { id, name, mimeType, size: Number(size ?? 0), etag, exportAs: null }
  const exported = exportOf(mimeType)
  if (!exported) return null
  const named = name.toLowerCase().endsWith(exported.ending) ? name : name + exported.ending
  return { id, name: named, mimeType: exported.mimeType, size: null, etag, exportAs: exported.mimeType }
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
