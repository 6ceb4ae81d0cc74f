import { everyone } from '../permissions.ts'
import type { Endpoint } from './endpoint.ts'
import { list, record, text, wholeOrNull } from './replies.ts'

/** The mime type that makes a node a folder (specification, section 3). */
export const folderType = 'application/vnd.google-apps.folder'

/**
 * A file or a folder of the shared drive. `id` is opaque. `size` is in bytes, null where it is only known once the file
 * has been made (an exported document); `modified` is epoch seconds. Both are null for folders.
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

const node = record(
  {
    id: text,
    name: text,
    mimeType: text,
    size: wholeOrNull,
    modified: wholeOrNull,
    // Nodes again, to any depth.
    children: { type: 'array' },
  },
  'size',
  'modified',
)

export const driveEndpoints = {
  manifest: { route: 'GET /api/v2/drive', allow: everyone, reply: record({ data: list(node) }) },
  file: { route: 'GET /api/v2/files/:id', allow: everyone, download: true },
} as const satisfies Record<string, Endpoint>
