import { holds } from '../../permissions.ts'
import { integer, objectOf } from '../../shapes.ts'
import type { Endpoint } from '../endpoint.ts'

/** How many files wait that the caller may see (inbox 10); the bar asks for it on every screen. */
export const inboxCountCall = {
  route: 'GET /api/v1/inbox/count',
  quiet: true,
  unattended: true,
  allow: holds('import_files'),
  reply: objectOf({ waiting: integer }),
} as const satisfies Endpoint
