import { everyone } from '../permissions.ts'
import { arrayOf, describes, objectOf, string, integerOrNull, type ShapeOf } from '../shapes.ts'
import type { Endpoint } from './endpoint.ts'

/** The MIME type of a folder (drive 5). */
export const folderType = 'application/vnd.google-apps.folder'

const childless = objectOf({
  /** Opaque. */
  id: string,
  name: string,
  mimeType: string,
  /** In bytes; null for folders and for documents that are exported on download. */
  size: integerOrNull,
  /** Epoch seconds UTC; null for folders. */
  modified: integerOrNull,
})
/** A file or folder of the shared drive. */
export type DriveNode = ShapeOf<typeof childless> & { children: DriveNode[] }
/** Its children are nodes again, to any depth. */
const node = describes<DriveNode>().by(objectOf({ ...childless.properties, children: { type: 'array' } }))

export const isFolder = (node: Pick<DriveNode, 'mimeType'>): boolean => node.mimeType === folderType

export const driveCalls = {
  manifest: {
    route: 'GET /api/v2/drive',
    task: 'get shared drive',
    allow: everyone,
    reply: objectOf({ data: arrayOf(node) }),
  },
  file: {
    route: 'GET /api/v2/files/:id',
    task: 'download file',
    allow: everyone,
    download: true,
    auditedAs: 'drive file',
  },
} as const satisfies Record<string, Endpoint>
