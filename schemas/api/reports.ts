import { admins, everyone, holds } from '../permissions.ts'
import type { Endpoint } from './endpoint.ts'
import { arrayOf, objectOf, string, integer } from './replies.ts'

/** Query offers values; Query3 offers months, each with its state (reports 2). */
export type InputKind = 'Text' | 'Int' | 'Query' | 'Query3' | 'Date'
export type ReportOption = {
  id: string
  displayname: string
  /** 'Open', 'Locked' or 'Reopened'. */
  state?: string
}
export type ReportInput = {
  inputname: string
  displayname: string
  datatype: InputKind
  isrequired: boolean
  constraints: ReportOption[]
}
const exportFormats = ['xlsx', 'csv', 'nacha'] as const
export type ExportFormat = (typeof exportFormats)[number]
/** A type with a Query3 input can be locked. */
export type ReportType = { id: string; name: string; inputs: ReportInput[]; formats: ExportFormat[] }

/**
 * 'money' is dollars with two decimals, 'percent' is 12.5 for 12.5 %, 'date' is epoch seconds of a UTC
 * midnight, 'id' is text that looks like a number (reports 4).
 */
export type ColumnKind = 'text' | 'id' | 'count' | 'money' | 'percent' | 'number' | 'date' | 'flag'
export type ReportColumn = { name: string; displayname: string; datatype: ColumnKind }
/** Keyed by column; null is blank. */
export type ReportRow = Record<string, string | number | boolean | null>
/**
 * `month` is '2026-10', the times are epoch seconds UTC. The last three are set once the month was reopened.
 */
export type Lock = {
  month: string
  version: number
  hash: string
  username: string
  lockedat: number
  reopenedat?: number
  reopenedby?: string
  reason?: string
}
export type ReportResult = {
  columns: ReportColumn[]
  data: ReportRow[]
  totals: ReportRow | null
  notes: string[]
  lock: Lock | null
}
/**
 * The body of a report's calls by input: texts, dates as MM/DD/YYYY, whole numbers also as numbers
 * (reports 3).
 */
export type ReportValues = Record<string, string | number | null>

/** The most rows the screen is answered; `notes` then says so. A download holds all (reports 10). */
export const maxShownRows = 100_000

const option = objectOf({ id: string, displayname: string, state: string }, 'state')
const input = objectOf({
  inputname: string,
  displayname: string,
  datatype: string,
  isrequired: { type: 'boolean' },
  constraints: arrayOf(option),
})
const type = objectOf({ id: string, name: string, inputs: arrayOf(input), formats: arrayOf(string) })
const column = objectOf({ name: string, displayname: string, datatype: string })
/** A lock, as `Lock`. */
export const lockReply = objectOf(
  {
    month: string,
    version: integer,
    hash: string,
    username: string,
    lockedat: integer,
    reopenedat: integer,
    reopenedby: string,
    reason: string,
  },
  'reopenedat',
  'reopenedby',
  'reason',
)
/** The server builds a row from the columns, so no schema filters it. */
const anyRow = {}
const result = objectOf({
  columns: arrayOf(column),
  data: arrayOf(anyRow),
  totals: anyRow,
  notes: arrayOf(string),
  lock: { ...lockReply, type: ['object', 'null'] },
})

const values = {
  type: 'object',
  maxProperties: 20,
  additionalProperties: { type: ['string', 'number', 'null'], maxLength: 200 },
} as const
/** `waive` is no input of the report: the reason that waives the warnings of the month (months 10). */
const publishing = {
  ...values,
  $id: 'report.publish',
  properties: { waive: { type: ['string', 'null'], title: 'Reason', maxLength: 1000 } },
} as const
const reopening = {
  $id: 'report.unlock',
  type: 'object',
  required: ['month', 'reason'],
  additionalProperties: false,
  properties: {
    month: {
      type: 'string',
      title: 'Month',
      minLength: 1,
      maxLength: 10,
      pattern: '^\\d{4}-(0[1-9]|1[0-2])$',
    },
    reason: { type: 'string', title: 'Reason', minLength: 1, maxLength: 1000, pattern: '\\S' },
  },
} as const
const exportQuery = {
  type: 'object',
  additionalProperties: false,
  properties: { format: { type: 'string', enum: exportFormats, default: 'xlsx' } },
} as const

export const reportCalls = {
  types: { route: 'GET /api/v1/report', allow: everyone, reply: objectOf({ data: arrayOf(type) }) },
  run: { route: 'POST /api/v1/report/:type', allow: everyone, body: values, reply: result },
  export: {
    route: 'POST /api/v1/report/:type/export',
    allow: everyone,
    query: exportQuery,
    body: values,
    download: true,
  },
  publish: {
    route: 'POST /api/v1/report/:type/publish',
    allow: holds('lock_reports'),
    body: publishing,
    reply: lockReply,
  },
  unlock: { route: 'POST /api/v1/report/:type/unlock', allow: admins, body: reopening, reply: lockReply },
} as const satisfies Record<string, Endpoint>
