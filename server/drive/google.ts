import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { folderType, type DriveNode } from '../../schemas/api/drive.ts'
import type { GoogleKey } from '../config/drive.ts'
import { HttpError } from '../http/errors.ts'
import { cachedScan, type Drive, type Scan } from './drive.ts'
import { googleApi, type GoogleRequest } from './googleApi.ts'
import { mimeTypeOf } from './mimeTypes.ts'

/** How the mime types of Google's own kinds of document begin. */
const googlePrefix = 'application/vnd.google-apps.'

const exportExtensions: Readonly<Record<string, string>> = {
  document: '.docx',
  spreadsheet: '.xlsx',
  presentation: '.pptx',
  drawing: '.pdf',
}

/** The file type that a document of Google's own kinds is exported as; null where there is none (drive 7). */
function exportFormat(mimeType: string): { extension: string; mimeType: string } | null {
  const extension = exportExtensions[mimeType.slice(googlePrefix.length)]
  return extension ? { extension, mimeType: mimeTypeOf(extension) } : null
}

/** A file or folder as Google lists it. */
type GoogleEntry = {
  id: string
  name: string
  mimeType: string
  size?: string
  modifiedTime?: string
  parents?: string[]
}
/** `exportAs` is the mime type to export a document of Google's own kinds to; null for a stored file. */
type GoogleFile = Pick<GoogleEntry, 'id' | 'name' | 'mimeType'> & {
  size: number | null
  etag: string
  exportAs: string | null
}

/** How many folders one query lists. */
const foldersPerQuery = 40
const listedFields = 'nextPageToken, incompleteSearch, files(id, name, mimeType, size, modifiedTime, parents)'

/**
 * The files below one folder of Google Drive, as a service account sees them (drive 7). Documents of Google's
 * own kinds are exported; shortcuts and kinds that cannot be exported are left out.
 */
export function googleDrive({ key, folder, url }: { key: GoogleKey; folder: string; url: string }): Drive {
  const request = googleApi(key, url)
  const files = cachedScan(() => scanFolder(request, folder))
  return {
    tree: files.tree,
    async open(id) {
      const { name, mimeType, size, etag, exportAs } = await files.find(id)
      const path = `files/${encodeURIComponent(id)}`
      return {
        name,
        mimeType,
        size,
        etag,
        async read(range, signal) {
          const answer = exportAs
            ? await request(`${path}/export?${new URLSearchParams({ mimeType: exportAs })}`, { signal })
            : await request(`${path}?alt=media&supportsAllDrives=true`, {
                signal,
                // Packed, its content-length would not be that of the content.
                headers: {
                  'accept-encoding': 'identity',
                  ...(range && { range: `bytes=${range.start}-${range.end}` }),
                },
              })
          if (range && answer.status !== 206)
            throw new HttpError(
              502,
              'Google Drive sent the whole file where a part was asked for. Please try again.',
            )
          const wanted = range ? range.end - range.start + 1 : size
          if (wanted !== null && !isOfLength(answer, wanted)) {
            files.forget()
            throw changedFile()
          }
          return Readable.fromWeb(answer.body as ReadableStream)
        },
      }
    },
  }
}

/** Whether as many bytes come as the headers of the download will say; true where Google does not say it. */
const isOfLength = ({ headers }: Response, wanted: number) =>
  Number(headers.get('content-length') ?? wanted) === wanted

const changedFile = () =>
  new HttpError(503, 'The file was changed in Google Drive at this moment. Please try again.', {
    retryAfter: 1,
  })

/**
 * Lists one level of folders after the other, many folders in a query, so that a deep tree costs few calls.
 */
async function scanFolder(request: GoogleRequest, folder: string): Promise<Scan<GoogleFile>> {
  const files = new Map<string, GoogleFile>()
  const nodes: DriveNode[] = []
  const childrenById = new Map([[folder, nodes]])
  for (let level = [folder]; level.length > 0;) {
    const next: string[] = []
    for (let at = 0; at < level.length; at += foldersPerQuery) {
      for (const entry of await listChildren(request, level.slice(at, at + foldersPerQuery))) {
        const siblings = childrenById.get(entry.parents?.find((id) => childrenById.has(id)) ?? '')
        if (!siblings || childrenById.has(entry.id) || files.has(entry.id)) continue
        if (entry.mimeType === folderType) {
          const node = folderNode(entry)
          childrenById.set(entry.id, node.children)
          siblings.push(node)
          next.push(entry.id)
        } else {
          const file = downloadableFile(entry)
          if (!file) continue
          files.set(entry.id, file)
          siblings.push(fileNode(file, entry))
        }
      }
    }
    level = next
  }
  return { nodes, files }
}

async function listChildren(request: GoogleRequest, parents: readonly string[]): Promise<GoogleEntry[]> {
  const conditions = parents.map((id) => `'${id.replace(/['\\]/g, '\\$&')}' in parents`)
  const query = {
    q: `(${conditions.join(' or ')}) and trashed = false`,
    fields: listedFields,
    pageSize: '1000',
    supportsAllDrives: 'true',
    includeItemsFromAllDrives: 'true',
  }
  const all: GoogleEntry[] = []
  for (let pageToken = ''; ;) {
    const answer = await request(
      `files?${new URLSearchParams({ ...query, ...(pageToken && { pageToken }) })}`,
    )
    const page = (await answer.json()) as { files?: GoogleEntry[]; nextPageToken?: string }
    all.push(...(page.files ?? []))
    if (!page.nextPageToken) return all
    pageToken = page.nextPageToken
  }
}

const folderNode = ({ id, name }: GoogleEntry): DriveNode => ({
  id,
  name,
  mimeType: folderType,
  size: null,
  modified: null,
  children: [],
})

const fileNode = ({ id, name, mimeType, size }: GoogleFile, { modifiedTime }: GoogleEntry): DriveNode => ({
  id,
  name,
  mimeType,
  size,
  modified: Math.floor(Date.parse(modifiedTime ?? '') / 1000) || null,
  children: [],
})

/** Null for what cannot be downloaded. */
function downloadableFile({ id, name, mimeType, size, modifiedTime }: GoogleEntry): GoogleFile | null {
  const etag = `"${id}-${Date.parse(modifiedTime ?? '') || 0}"`
  if (!mimeType.startsWith(googlePrefix))
    return { id, name, mimeType, size: Number(size ?? 0), etag, exportAs: null }
  const format = exportFormat(mimeType)
  if (!format) return null
  const fileName = name.toLowerCase().endsWith(format.extension) ? name : name + format.extension
  return { id, name: fileName, mimeType: format.mimeType, size: null, etag, exportAs: format.mimeType }
}
