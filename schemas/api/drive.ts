import { everyone } from '../permissions.ts'
import type { Endpoint } from './endpoint.ts'
import { arrayOf, objectOf, string, integerOrNull } from './replies.ts'

/** The MIME type of a folder (drive 5). */
export const folderType = 'application/vnd.google-apps.folder'

/**
 * A file or folder of the shared drive. `id` is opaque. `size` is in bytes, null for documents that are
 * exported on download; `modified` is epoch seconds UTC. Both are null for folders.
 */
export type DriveNode = {
  id: string
  name: string
  mimeType: string
  size: number | null
  modified: number | null
  children: DriveNode[]
}
export const isFolder = (node: Pick<DriveNode, 'mimeType'>): boolean => node.mimeType === folderType

const node = objectOf(
  {
    id: string,
    name: string,
    mimeType: string,
    size: integerOrNull,
    modified: integerOrNull,
    // Nodes again, to any depth.
    children: { type: 'array' },
  },
  'size',
  'modified',
)

export const driveCalls = {
  manifest: { route: 'GET /api/v2/drive', allow: everyone, reply: objectOf({ data: arrayOf(node) }) },
  file: { route: 'GET /api/v2/files/:id', allow: everyone, download: true },
} as const satisfies Record<string, Endpoint>
