import type { Rule } from '../permissions.ts'

/**
 * What is said after a call has succeeded (everywhere 3). `view` is the address that View opens, for all or
 * for those of the rule `viewFor`; ':id' in it is the parameter of the call, else the field of the answer. A
 * call that names the parameter `unless` in its query stores nothing, and nothing is said.
 */
export type Done = { text: string; view?: string; viewFor?: Rule; unless?: string }

type JsonSchema = Record<string, unknown>

/**
 * One call of the API. `allow` is a rule on the viewer; 'anyone' needs no session, 'pending' a session whose
 * terms may not be accepted yet. A `quiet` call never opens the error dialog (errors 5).
 */
export type Endpoint = {
  route: `${'GET' | 'PUT' | 'POST' | 'DELETE'} /${string}`
  allow: Rule | 'anyone' | 'pending'
  /** What the call is for, said when it fails without a sentence of the server (errors 7). */
  task?: string
  query?: JsonSchema
  body?: JsonSchema
  /** The handler checks the body, after the state of the record (api 1). */
  bodyAfterState?: true
  reply?: JsonSchema
  /** The status of success if it is not 200. */
  status?: 201 | 204
  quiet?: true
  /** An open page asks it by itself, again and again, so it keeps no session awake (session 6). */
  unattended?: true
  /** Said after success; absent where the screen itself shows what came of it. */
  done?: Done
  /** The body is a multipart file upload. */
  upload?: true
  /** The answer is a file, not JSON. */
  download?: true
  /** The answer is JSON that may be long: it is written and read in pieces, and then sent (reports 10). */
  long?: true
  /** The entity of a download in the audit (permissions 11); absent where the handler writes the entry. */
  auditedAs?: string
  /** The handler has the work wait for a turn of its own kind (operations 14). */
  ownTurn?: true
  /** Works on all of a month, or waits for what does: minutes on a large portal (operations 24). */
  slow?: true
}

/** Whether a call may take as long as it needs: neither side ends it because nothing is sent. */
export const mayTakeLong = ({ upload, download, ownTurn, slow }: Endpoint): boolean =>
  Boolean(upload || download || ownTurn || slow)
