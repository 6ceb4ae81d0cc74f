import type { Endpoint } from './endpoint.ts'
import { acceptedTerms, credentials, latestTerms, sessionReply } from './session.ts'

/**
 * The calls of the login page and of the session. They are not in endpoints.ts, which would bring all
 * entities into the first load.
 */
export const sessionCalls = {
  session: {
    login: {
      route: 'PUT /api/v1/login',
      task: 'log in',
      allow: 'anyone',
      body: credentials,
      reply: sessionReply,
      quiet: true,
    },
    renew: {
      route: 'PUT /api/v1/renew',
      task: 'renew the login',
      allow: 'pending',
      reply: sessionReply,
      quiet: true,
      unattended: true,
    },
    logout: { route: 'PUT /api/v1/logout', allow: 'pending', status: 204, quiet: true },
  },
  terms: {
    latest: {
      route: 'GET /api/v1/tc/latest',
      task: 'get terms and conditions',
      allow: 'pending',
      reply: latestTerms,
    },
    accept: {
      route: 'POST /api/v1/tc/accept',
      task: 'accept terms and conditions',
      allow: 'pending',
      body: acceptedTerms,
      status: 204,
    },
  },
} as const satisfies Record<string, Record<string, Endpoint>>
