import { admins, adminsSee, everyone } from '../../permissions.ts'
import { arrayOf, boolean, integer, objectOf, string, type ShapeOf } from '../../shapes.ts'
import type { Endpoint } from '../endpoint.ts'

/** One open session of a user (session 13); times are epoch seconds UTC. */
const openSession = objectOf({
  id: integer,
  /** Browser and system in words: 'Firefox on Windows'. */
  device: string,
  address: string,
  begun: integer,
  lastused: integer,
  /** Whether it is the session of this call. */
  current: boolean,
})
export type OpenSession = ShapeOf<typeof openSession>
const openSessionsReply = objectOf({ data: arrayOf(openSession) })

/**
 * The own sessions, and those of any user for administrators (session 13). The current one cannot be ended.
 */
export const openSessionCalls = {
  own: { route: 'GET /api/v1/user/me/sessions', allow: everyone, reply: openSessionsReply, quiet: true },
  endOwn: {
    route: 'DELETE /api/v1/user/me/sessions/:session',
    done: { text: 'The session is ended.' },
    task: 'end session',
    allow: everyone,
    status: 204,
  },
  endOthers: {
    route: 'DELETE /api/v1/user/me/sessions',
    task: 'end sessions',
    allow: everyone,
    status: 204,
    done: { text: 'The sessions are ended.' },
  },
  ofUser: { route: 'GET /api/v1/user/:id/sessions', allow: adminsSee, reply: openSessionsReply, quiet: true },
  endOfUser: {
    route: 'DELETE /api/v1/user/:id/sessions/:session',
    done: { text: 'The session is ended.' },
    task: 'end session',
    allow: admins,
    status: 204,
  },
  endAllOfUser: {
    route: 'DELETE /api/v1/user/:id/sessions',
    done: { text: 'The sessions are ended.' },
    task: 'end sessions',
    allow: admins,
    status: 204,
  },
} as const satisfies Record<string, Endpoint>
