import { admins, everyone, holds } from '../permissions.ts'
import type { Endpoint } from './endpoint.ts'
import { list, record, text, whole } from './replies.ts'

/** Query is one of the offered values; Query3 offers months, each with its state. */
export type InputKind = 'Text' | 'Int' | 'Query' | 'Query3' | 'Date'
export type ReportOption = {
  id: string
  displayname: string
  /** 'Open', 'Locked' or 'Reopened' */ state?: string
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

/** 'money' is dollars with two decimals, 'percent' 12.5 for 12.5 %, 'date' epoch seconds of a UTC midnight, 'id' text that looks like a number. */
export type ColumnKind = 'text' | 'id' | 'count' | 'money' | 'percent' | 'number' | 'date' | 'flag'
export type ReportColumn = { name: string; displayname: string; datatype: ColumnKind }
/** Keyed by column; null is blank. */
export type ReportRow = Record<string, string | number | boolean | null>
/** `month` as '2026-10', `lockedat` epoch seconds; the last three tell who reopened it. */
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
/** What is sent: texts, dates as MM/DD/YYYY, whole numbers also as numbers. */
export type ReportValues = Record<string, string | number | null>

/** The screen is answered so many rows at most, and told so in `notes`; a download holds all. */
export const shownRows = 100_000

const option = record({ id: text, displayname: text, state: text }, 'state')
const input = record({
  inputname: text,
  displayname: text,
  datatype: text,
  isrequired: { type: 'boolean' },
  constraints: list(option),
})
const type = record({ id: text, name: text, inputs: list(input), formats: list(text) })
const column = record({ name: text, displayname: text, datatype: text })
const lock = record(
  {
    month: text,
    version: whole,
    hash: text,
    username: text,
    lockedat: whole,
    reopenedat: whole,
    reopenedby: text,
    reason: text,
  },
  'reopenedat',
  'reopenedby',
  'reason',
)
/** A row is built from the columns alone, so nothing need be cut from it. */
const anyRow = {}
const result = record({
  columns: list(column),
  data: list(anyRow),
  totals: anyRow,
  notes: list(text),
  lock: { ...lock, type: ['object', 'null'] },
})

const values = {
  type: 'object',
  maxProperties: 20,
  additionalProperties: { type: ['string', 'number', 'null'], maxLength: 200 },
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

export const reports = {
  types: { route: 'GET /api/v1/report', allow: everyone, reply: record({ data: list(type) }) },
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
    body: values,
    reply: lock,
  },
  unlock: { route: 'POST /api/v1/report/:type/unlock', allow: admins, body: reopening, reply: lock },
} as const satisfies Record<string, Endpoint>
