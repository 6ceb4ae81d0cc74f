import { reasonText } from '../constants.ts'
import { month } from '../fields.ts'
import { progress } from '../imports/importReplies.ts'
import { admins, everyone, holds } from '../permissions.ts'
import {
  arrayOf,
  boolean,
  describes,
  integer,
  objectOf,
  oneOf,
  orNull,
  string,
  type ShapeOf,
} from '../shapes.ts'
import type { Endpoint } from './endpoint.ts'

/** The headings under which the reports are listed, in their order (reports 37). */
export const reportGroups = [
  'Pay of Agents',
  'Payouts',
  'Months and Files',
  'Portfolio',
  'Risk and Compliance',
  'Access',
] as const
export type ReportGroup = (typeof reportGroups)[number]

/** Query offers values; Query3 offers months, each with its state (reports 2). */
const inputKinds = ['Text', 'Int', 'Query', 'Query3', 'Date'] as const
export type InputKind = (typeof inputKinds)[number]
const option = objectOf(
  {
    id: string,
    displayname: string,
    /** 'Open', 'Locked' or 'Reopened'. */
    state: string,
  },
  'state',
)
const input = objectOf({
  inputname: string,
  displayname: string,
  datatype: oneOf(...inputKinds),
  isrequired: boolean,
  constraints: arrayOf(option),
})
export type ReportOption = ShapeOf<typeof option>
export type ReportInput = ShapeOf<typeof input>
const exportFormats = ['xlsx', 'csv', 'nacha'] as const
export type ExportFormat = (typeof exportFormats)[number]
const type = objectOf({
  id: string,
  name: string,
  group: describes<ReportGroup>().by({ type: 'string' }),
  /** A sentence that says what the report answers. */
  description: string,
  inputs: arrayOf(input),
  formats: arrayOf(oneOf(...exportFormats)),
})
/** A type with a Query3 input can be locked. */
export type ReportType = ShapeOf<typeof type>

/**
 * 'money' is dollars with two decimals, 'percent' is 12.5 for 12.5 %, 'date' is epoch seconds of a UTC
 * midnight, 'month' is '2026-10', 'id' is text that looks like a number (reports 4).
 */
export const columnKinds = [
  'text',
  'id',
  'count',
  'money',
  'percent',
  'number',
  'date',
  'month',
  'flag',
] as const
export type ColumnKind = (typeof columnKinds)[number]
const column = objectOf(
  {
    name: string,
    displayname: string,
    datatype: oneOf(...columnKinds),
    /** The field of a row with the path that its cell leads to; blank where it leads nowhere (reports 4). */
    link: string,
    /** Its rows cannot be sorted by it: its values are worked out after they were selected. */
    unsortable: boolean,
  },
  'link',
  'unsortable',
)
export type ReportColumn = ShapeOf<typeof column>
/** Keyed by column; null is blank. */
export type ReportRow = Record<string, string | number | boolean | null>

/** A lock; the last three are set once the month was reopened. */
export const lockReply = objectOf(
  {
    /** '2026-10'. */
    month: string,
    version: integer,
    hash: string,
    username: string,
    /** Epoch seconds UTC. */
    lockedat: integer,
    /** Epoch seconds UTC. */
    reopenedat: integer,
    reopenedby: string,
    reason: string,
  },
  'reopenedat',
  'reopenedby',
  'reason',
)
export type Lock = ShapeOf<typeof lockReply>
/** The server builds a row from the columns, so no schema filters it. */
const anyRow = describes<ReportRow>().by({})
/** The figure a report is for, of all its rows (reports 37). */
export type ReportFigure = {
  words: string
  /** null is blank. */
  value: ReportRow[string]
  datatype: ColumnKind
  /** The column whose total it is; absent where it is the number of rows. */
  column?: string
}
const link = objectOf({ text: string, path: string })
/** Where a result as a whole leads to (reports 4). */
export type ReportLink = ShapeOf<typeof link>
const result = objectOf(
  {
    columns: arrayOf(column),
    data: arrayOf(anyRow),
    totals: describes<ReportRow | null>().by({}),
    notes: arrayOf(string),
    lock: orNull(lockReply),
    figure: describes<ReportFigure>().by({}),
    /** The columns whose values head groups of rows (reports 38). */
    sections: arrayOf(string),
    links: arrayOf(link),
  },
  'figure',
  'sections',
  'links',
)
export type ReportResult = ShapeOf<typeof result>

/** The most rows the screen is answered; `notes` then says so. A download holds all (reports 6). */
export const maxShownRows = 100_000

/**
 * The body of a report's calls by input: texts, dates as MM/DD/YYYY, whole numbers also as numbers
 * (reports 3).
 */
const values = {
  type: 'object',
  maxProperties: 20,
  additionalProperties: { type: ['string', 'number', 'null'], maxLength: 200 },
} as const
export type ReportValues = ShapeOf<typeof values>
/** `waive` is no input of the report: the reason that waives the warnings of the month (months 10). */
const publishing = {
  ...values,
  $id: 'report.publish',
  properties: { waive: { type: ['string', 'null'], title: 'Reason', maxLength: reasonText.max } },
} as const
/** Why a month is opened again, a hold begun or ended, a finding waived; not blanks alone. */
export const reason = {
  type: 'string',
  title: 'Reason',
  minLength: reasonText.min,
  maxLength: reasonText.max,
  pattern: '\\S',
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
      pattern: month.pattern,
    },
    reason,
  },
} as const
/** `job` is the key by which its place in the queue can be asked for while it waits (reports 10). */
const job = { type: 'string', format: 'uuid' } as const
const runQuery = { type: 'object', additionalProperties: false, properties: { job } } as const
const exportQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    format: { type: 'string', enum: exportFormats, default: 'xlsx' },
    /** The name of a column, '-' before it for descending; '' is the report's own order (reports 42). */
    sort: { type: 'string', maxLength: 100, default: '' },
    job,
  },
} as const

export const reportCalls = {
  types: {
    route: 'GET /api/v1/report',
    task: 'get report types',
    allow: everyone,
    reply: objectOf({ data: arrayOf(type) }),
  },
  run: {
    route: 'POST /api/v1/report/:type',
    task: 'generate report',
    allow: everyone,
    query: runQuery,
    body: values,
    reply: result,
    long: true,
    ownTurn: true,
  },
  export: {
    route: 'POST /api/v1/report/:type/export',
    task: 'download report',
    allow: everyone,
    query: exportQuery,
    body: values,
    download: true,
    ownTurn: true,
  },
  progress: {
    route: 'GET /api/v1/report/progress/:job',
    allow: everyone,
    reply: progress,
    quiet: true,
  },
  publish: {
    route: 'POST /api/v1/report/:type/publish',
    done: { text: 'Locked.', view: '/month/:month' },
    task: 'lock report',
    allow: holds('lock_reports'),
    body: publishing,
    reply: lockReply,
    slow: true,
  },
  unlock: {
    route: 'POST /api/v1/report/:type/unlock',
    done: { text: 'Opened again.', view: '/month/:month' },
    task: 'unlock report',
    allow: admins,
    body: reopening,
    reply: lockReply,
    slow: true,
  },
} as const satisfies Record<string, Endpoint>
