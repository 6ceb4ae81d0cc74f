import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { JWT } from 'google-auth-library'
import { folderType, type DriveNode } from '../../schemas/api/drive.ts'
import type { GoogleKey } from '../config/drive.ts'
import { HttpError } from '../http/errors.ts'
import { type Drive, cachedScan, missingFile, type Scan } from './drive.ts'
import { mimeTypeOf } from './mimeTypes.ts'

/** What Google's own kinds of document begin with. */
export const googlePrefix = 'application/vnd.google-apps.'

const exportExtensions: Readonly<Record<string, string>> = {
  document: '.docx',
  spreadsheet: '.xlsx',
  presentation: '.pptx',
  drawing: '.pdf',
}

/** What a document of Google's own kinds is exported as; null where that is not possible. */
export function exportFormat(mimeType: string): { ending: string; mimeType: string } | null {
  const ending = exportExtensions[mimeType.slice(googlePrefix.length)]
  return ending ? { ending, mimeType: mimeTypeOf(ending) } : null
}

export type GoogleErrorBody = { message?: string; errors?: { reason?: string }[] }

const rateLimitReasons = [
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'dailyLimitExceeded',
  'sharingRateLimitExceeded',
]

/**
 * Google's refusal in our words. A 401 or 403 of Google is about the portal's own key and must not reach the browser as
 * one: it would sign the person out. `isBusy`: another try may be answered.
 */
export function googleError(
  status: number,
  error: GoogleErrorBody = {},
): { refusal: HttpError; isBusy: boolean } {
  const reason = error.errors?.[0]?.reason ?? ''
  if (status === 404) return { refusal: missingFile(), isBusy: false }
  if (status === 429 || (status === 403 && rateLimitReasons.includes(reason)))
    return {
      refusal: new HttpError(
        503,
        'Google Drive is asked too often at the moment. Please try again in a minute.',
        { retryAfter: 60 },
      ),
      isBusy: true,
    }
  if (status >= 500)
    return {
      refusal: new HttpError(503, 'Google Drive is not available at the moment. Please try again.', {
        retryAfter: 10,
      }),
      isBusy: true,
    }
  if (reason === 'exportSizeLimitExceeded')
    return {
      refusal: new HttpError(
        422,
        'This document is too large for Google to export it. Open it in Google Drive instead.',
      ),
      isBusy: false,
    }
  const sentence =
    status === 401
      ? 'Google does not accept the key of the shared drive. Tell an administrator.'
      : status === 403
        ? 'Google does not let the portal read this. Tell an administrator.'
        : `Google Drive refused the call with status ${status}. Tell an administrator.`
  return { refusal: new HttpError(502, sentence), isBusy: false }
}

export type GoogleSettings = { key: GoogleKey; folder: string; url: string }

type GoogleEntry = {
  id: string
  name: string
  mimeType: string
  size?: string
  modifiedTime?: string
  parents?: string[]
}
type GoogleFile = Pick<GoogleEntry, 'id' | 'name' | 'mimeType'> & {
  size: number | null
  etag: string
  exportAs: string | null
}

/** Milliseconds before a call that Google is too busy for is tried again. */
const retryDelays = [200, 600]
/** So many folders are asked about in one query. */
const foldersPerQuery = 40
const listedFields = 'nextPageToken, incompleteSearch, files(id, name, mimeType, size, modifiedTime, parents)'

/**
 * The files below one folder of Google Drive (API version 3), as a service account sees them. Documents of Google's own
 * kinds are exported; shortcuts and kinds that cannot be exported are left out.
 */
export function googleDrive({ key, folder, url }: GoogleSettings): Drive {
  const account = new JWT({
    email: key.client_email,
    key: key.private_key,
    scopes: ['https://www.googleapis.com/auth/drive.readonly'],
  })
  account.transporter.interceptors.request.add({
    // The library asks its own address for a token, whatever the key file says.
    resolved: async (config) => Object.assign(config, { url: new URL(key.token_uri), timeout: 20_000 }),
  })

  async function ask(
    path: string,
    { headers = {}, signal }: { headers?: Record<string, string>; signal?: AbortSignal } = {},
  ): Promise<Response> {
    for (let attempt = 0; ; attempt++) {
      const answer = await once(path, headers, signal)
      if (answer.ok) return answer
      const said = (await answer.json().catch(() => ({}))) as { error?: GoogleErrorBody }
      const { refusal, isBusy } = googleError(answer.status, said.error)
      const next = retryDelays[attempt]
      if (!isBusy || next === undefined) throw refusal
      await wait(next)
    }
  }

  async function once(
    path: string,
    headers: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<Response> {
    try {
      const token = await account.getAccessToken()
      return await fetch(`${url}/drive/v3/${path}`, {
        headers: { ...headers, authorization: `Bearer ${token.token}` },
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

  async function childrenOf(parents: readonly string[]): Promise<GoogleEntry[]> {
    const quoted = parents.map((id) => `'${id.replace(/['\\]/g, '\\$&')}' in parents`)
    const query = {
      q: `(${quoted.join(' or ')}) and trashed = false`,
      fields: listedFields,
      pageSize: '1000',
      supportsAllDrives: 'true',
      includeItemsFromAllDrives: 'true',
    }
    const all: GoogleEntry[] = []
    for (let pageToken = ''; ;) {
      const answer = await ask(`files?${new URLSearchParams({ ...query, ...(pageToken && { pageToken }) })}`)
      const page = (await answer.json()) as { files?: GoogleEntry[]; nextPageToken?: string }
      all.push(...(page.files ?? []))
      if (!page.nextPageToken) return all
      pageToken = page.nextPageToken
    }
  }

  /** One level of folders after the other, so that a deep tree costs few calls. */
  async function scan(): Promise<Scan<GoogleFile>> {
    const files = new Map<string, GoogleFile>()
    const nodes: DriveNode[] = []
    const places = new Map([[folder, nodes]])
    for (let level = [folder]; level.length > 0;) {
      const next: string[] = []
      for (let at = 0; at < level.length; at += foldersPerQuery) {
        for (const listed of await childrenOf(level.slice(at, at + foldersPerQuery))) {
          const siblings = places.get(listed.parents?.find((id) => places.has(id)) ?? '')
          if (!siblings || places.has(listed.id) || files.has(listed.id)) continue
          if (listed.mimeType === folderType) {
            const node: DriveNode = {
              id: listed.id,
              name: listed.name,
              mimeType: folderType,
              size: null,
              modified: null,
              children: [],
            }
            places.set(listed.id, node.children)
            siblings.push(node)
            next.push(listed.id)
          } else {
            const known = downloadableFile(listed)
            if (!known) continue
            files.set(listed.id, known)
            const { id, name, mimeType, size } = known
            siblings.push({
              id,
              name,
              mimeType,
              size,
              modified: Math.floor(Date.parse(listed.modifiedTime ?? '') / 1000) || null,
              children: [],
            })
          }
        }
      }
      level = next
    }
    return { nodes, files }
  }

  const index = cachedScan(scan)
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
            : await ask(`${path}?alt=media&supportsAllDrives=true`, {
                signal,
                headers: span ? { range: `bytes=${span.start}-${span.end}` } : {},
              })
          if (span && answer.status !== 206)
            throw new HttpError(
              502,
              'Google Drive sent the whole file where a part was asked for. Please try again.',
            )
          return Readable.fromWeb(answer.body as ReadableStream)
        },
      }
    },
  }
}

/** Null for what cannot be downloaded. */
function downloadableFile({ id, name, mimeType, size, modifiedTime }: GoogleEntry): GoogleFile | null {
  const etag = `"${id}-${Date.parse(modifiedTime ?? '') || 0}"`
  if (!mimeType.startsWith(googlePrefix))
    return { id, name, mimeType, size: Number(size ?? 0), etag, exportAs: null }
  const exported = exportFormat(mimeType)
  if (!exported) return null
  const named = name.toLowerCase().endsWith(exported.ending) ? name : name + exported.ending
  return { id, name: named, mimeType: exported.mimeType, size: null, etag, exportAs: exported.mimeType }
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
