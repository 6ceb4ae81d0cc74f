import { entities } from '../../entities/index.ts'
import { readsAudit } from '../../screenRules.ts'
import { arrayOf, integer, objectOf, string, stringOrNull, type ShapeOf } from '../../shapes.ts'
import type { Endpoint } from '../endpoint.ts'
import { pageQuery } from '../paging.ts'

/** The kinds of entry, and the word with which the sentence of each begins (permissions 12). */
export const auditActions = {
  create: 'Created',
  update: 'Changed',
  delete: 'Deleted',
  bulk: 'Made',
  undobulk: 'Undone',
  reveal: 'Read whole',
  export: 'Downloaded',
  import: 'Imported',
  undo: 'Undone',
  login: 'Signed in',
  logout: 'Signed out',
  failedlogin: 'Sign-in failed',
  denied: 'Refused a call',
  password: 'Changed the own password',
  accept: 'Accepted',
  confirm: 'Confirmed',
  reject: 'Rejected',
  refuse: 'Refused',
  lock: 'Locked',
  reopen: 'Opened again',
  waive: 'Waived',
  dismiss: 'Dismissed',
  takeover: 'Took over',
  approve: 'Approved',
  release: 'Released',
  hold: 'Held',
  unhold: 'Ended the hold',
  return: 'Returned',
} as const
export type AuditAction = keyof typeof auditActions

/** The kinds of record that entries are about, by their name in the audit. */
export const auditRecords: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.values(entities).map(({ name, noun }) => [name, noun])),
  terms: 'accepted terms',
  ticket: 'ticket',
  'ticket attachment': 'ticket attachment',
  month: 'month',
  payout: 'payment',
  report: 'report',
  import: 'import',
  'inbox file': 'inbox file',
  'drive file': 'drive file',
  bulk: 'bulk change',
  audit: 'audit',
  call: 'call',
}

const day = { type: 'string', format: 'date' } as const

/** What entries must be like; a filter that is left out lets all pass. */
export const auditFilters = {
  /** A user name, without regard to case. */
  person: { type: 'string', title: 'Person', minLength: 1, maxLength: 200 },
  record: { type: 'string', title: 'Record', enum: Object.keys(auditRecords) },
  recordid: { type: 'string', title: 'Number', minLength: 1, maxLength: 200 },
  kind: { type: 'string', title: 'Kind', enum: Object.keys(auditActions) },
  /** The first and the last day, by the portal's time zone. */
  from: { ...day, title: 'From' },
  to: { ...day, title: 'To' },
  /** Stands in the person, the number or the values; '' is none. */
  search: { type: 'string', title: 'Text', maxLength: 200 },
} as const
export const auditFilterNames = Object.keys(auditFilters) as (keyof typeof auditFilters)[]
const filters = { type: 'object', additionalProperties: false, properties: auditFilters } as const
export type AuditFilters = ShapeOf<typeof filters>

const auditQuery = { ...filters, properties: { ...pageQuery.properties, ...auditFilters } } as const
export type AuditQuery = ShapeOf<typeof auditQuery, true>
const exportQuery = {
  ...filters,
  properties: { ...auditFilters, format: { type: 'string', enum: ['csv', 'xlsx'], default: 'xlsx' } },
} as const

/** As many entries can be paged to; a download holds all (constants 2). */
export const maxPagedEntries = 10_000

const entry = objectOf({
  id: integer,
  /** Epoch seconds UTC. */
  at: integer,
  /** '' for a sign-in with a name that no user has. */
  username: string,
  address: string,
  action: string,
  entity: string,
  entityid: string,
  /** 'Changed merchant 000123: Master Agent MA0002 → MA0003' */
  what: string,
})
export type AuditEntryRow = ShapeOf<typeof entry>
const change = objectOf({ title: string, before: string, after: string })
export type AuditChange = ShapeOf<typeof change>
const entryDetail = objectOf({
  ...entry.properties,
  record: string,
  changes: arrayOf(change),
  /** The screen that shows the record; null when there is none, or the record was deleted. */
  path: stringOrNull,
})
export type AuditDetail = ShapeOf<typeof entryDetail>

/** The calls of the audit, for administrators (permissions 12). */
export const auditCalls = {
  list: {
    route: 'GET /api/v1/audit',
    task: 'get audit',
    allow: readsAudit,
    query: auditQuery,
    /** `total_length` is at most `maxPagedEntries`. */
    reply: objectOf({ data: arrayOf(entry), total_length: integer }),
  },
  export: {
    route: 'GET /api/v1/audit/export',
    task: 'download audit',
    allow: readsAudit,
    query: exportQuery,
    download: true,
    ownTurn: true,
  },
  read: { route: 'GET /api/v1/audit/:id', task: 'get audit entry', allow: readsAudit, reply: entryDetail },
} as const satisfies Record<string, Endpoint>
