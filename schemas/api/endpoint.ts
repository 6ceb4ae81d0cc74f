import type { Rule } from '../permissions.ts'

type Schema = Record<string, unknown>

/**
 * One call of the API. `allow` is a rule on the viewer; 'anyone' needs no session, 'pending' a session whose
 * terms may still be open. `quiet` calls never open the error dialog (D1).
 */
export type Endpoint = {
  route: `${'GET' | 'PUT' | 'POST' | 'DELETE'} /${string}`
  allow: Rule | 'anyone' | 'pending'
  query?: Schema
  body?: Schema
  reply?: Schema
  /** The status of success where it is not 200. */
  status?: 201 | 204
  quiet?: true
  /** The body is a multipart file upload. */
  upload?: true
  /** The answer is a file, not JSON. */
  download?: true
}
