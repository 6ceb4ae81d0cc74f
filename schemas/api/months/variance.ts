import { pageSizes } from '../../constants.ts'
import { readsVariance } from '../../screenRules.ts'
import {
  arrayOf,
  boolean,
  integer,
  integerOrNull,
  number,
  numberOrNull,
  objectOf,
  oneOf,
  string,
  stringOrNull,
  type ShapeOf,
} from '../../shapes.ts'
import type { Endpoint } from '../endpoint.ts'
import { pageQuery } from '../paging.ts'
import { monthCalls } from './months.ts'

/** What the months are compared by (variance 1). */
export const varianceLevels = {
  processor: 'Processor',
  agent: 'Master Agent',
  merchant: 'Merchant',
} as const
export type VarianceLevel = keyof typeof varianceLevels
/** The month compared with: the one before, or the same a year before. */
export const varianceSpans = { last: 'Month Before', year: 'Year Before' } as const
export type VarianceSpan = keyof typeof varianceSpans
/** What happened to a row between the two months; the first that fits counts (variance 2). */
export const varianceKinds = {
  new: 'New',
  lost: 'Lost',
  silent: 'Silent',
  moved: 'Moved',
  rate: 'Rate Changed',
  changed: 'Changed',
  same: 'Same',
} as const
export type VarianceKind = keyof typeof varianceKinds

const names = <K extends string>(table: Readonly<Record<K, string>>) => oneOf(...(Object.keys(table) as K[]))
const kind = names(varianceKinds)
const by = names(varianceLevels)
const against = names(varianceSpans)
const monthState = oneOf('open', 'locked')

/** Dollars with cents; `change` is `now` less `before`. */
const moneyFields = { before: number, now: number, change: number }
const varianceRow = objectOf({
  /** The MID, the number of the agent, or the processor. */
  id: string,
  name: string,
  kind,
  ...moneyFields,
  /** What moved from where to where, or the two rates. */
  detail: stringOrNull,
  /** The path of its record or of its statement. */
  link: string,
})
/** A merchant, an agent or a processor in two months. */
export type VarianceRow = ShapeOf<typeof varianceRow>
const varianceReply = objectOf({
  /** '2026-10'. */
  month: string,
  /** The month compared with. */
  against: string,
  state: monthState,
  againststate: monthState,
  /** Of all rows, whatever kind is asked for. */
  totals: objectOf({ count: integer, ...moneyFields }),
  /** The kinds that there are, in the order of `varianceKinds`. */
  kinds: arrayOf(objectOf({ kind, count: integer, ...moneyFields })),
  data: arrayOf(varianceRow),
  /** Of the kind that is asked for. */
  total_length: integer,
})
export type VarianceReply = ShapeOf<typeof varianceReply>

/** Where an estimate comes from: own history, or volume by a rate of the month before (variance 6). */
export const estimateBases = {
  history: 'Own History',
  processor: "Volume at the Processor's Rate",
  house: "Volume at the House's Rate",
} as const
const basis = {
  type: ['string', 'null'],
  enum: [...(Object.keys(estimateBases) as (keyof typeof estimateBases)[]), null],
} as const

/** One month in which a merchant is in no file; dollars. */
const missingMonth = objectOf({
  month: string,
  /** Sales of the daily volume. */
  volume: number,
  estimate: numberOrNull,
  basis,
})
const missingMerchant = objectOf({
  xmid: string,
  name: string,
  agent: string,
  processor: string,
  /** Newest first. */
  months: arrayOf(missingMonth),
  /** The sum of the months that have one. */
  estimate: numberOrNull,
  link: string,
  /** Who dismissed it last, null where nobody did. */
  dismissedby: stringOrNull,
  /** Epoch seconds. */
  dismissedat: integerOrNull,
  reason: stringOrNull,
})
/** A merchant with the months in which its income is missing (variance 5). */
export type MissingMerchant = ShapeOf<typeof missingMerchant>
const missingSum = objectOf({ merchants: integer, months: integer, estimate: number })
const missingReply = objectOf({
  month: string,
  /** What is missing and not dismissed. */
  missing: missingSum,
  dismissed: missingSum,
  /** What is not dismissed, for each of the twelve months that has some, newest first. */
  months: arrayOf(objectOf({ month: string, merchants: integer, estimate: numberOrNull })),
  /** Whether the caller may dismiss findings. */
  candismiss: boolean,
  data: arrayOf(missingMerchant),
  total_length: integer,
})
export type MissingReply = ShapeOf<typeof missingReply>

/** Income that was missing and that a later file brought (variance 8). */
const recoveredRow = objectOf({
  xmid: string,
  name: string,
  month: string,
  /** When it was missing, as it was written down then; dollars. */
  estimate: numberOrNull,
  net: number,
  /** The import that brought it. */
  batch: integer,
  filename: string,
  /** Epoch seconds. */
  at: integer,
  link: string,
})
const recoveredReply = objectOf({
  /** By the year in which the file was imported, newest first; dollars. */
  years: arrayOf(objectOf({ year: integer, count: integer, net: number })),
  data: arrayOf(recoveredRow),
  total_length: integer,
})
export type RecoveredReply = ShapeOf<typeof recoveredReply>

/** A page of `pageQuery` with further filters; 25 rows if not named. */
const pageWith = <const P extends Record<string, object>>(properties: P) =>
  ({
    ...pageQuery,
    properties: {
      ...pageQuery.properties,
      size: { ...pageQuery.properties.size, default: pageSizes[1] },
      ...properties,
    },
  }) as const

const dismissBody = {
  $id: 'month.dismiss',
  type: 'object',
  required: ['xmid', 'reason'],
  additionalProperties: false,
  properties: {
    xmid: { type: 'string', title: 'XMID', minLength: 1, maxLength: 32 },
    /** At least `minWaiverReason` characters, blanks at its ends not counted. */
    reason: monthCalls.waive.body.properties.reason,
  },
} as const

/** What is compared, and which findings are asked for: of the list and of its file. */
const compared = {
  by: { ...by, default: 'merchant' },
  against: { ...against, default: 'last' },
  kind: { ...oneOf('', ...kind.enum), default: '' },
} as const
const sought = {
  dismissed: { type: 'integer', enum: [0, 1], default: 0 },
  search: { type: 'string', maxLength: 200, default: '' },
} as const
const queryOf = <const P extends Record<string, object>>(properties: P) =>
  ({ type: 'object', additionalProperties: false, properties }) as const

export const varianceCalls = {
  compare: {
    route: 'GET /api/v1/month/:month/variance',
    task: 'get variance',
    allow: readsVariance,
    query: pageWith(compared),
    reply: varianceReply,
    slow: true,
  },
  /** All rows of what is asked for, as .csv (variance 11). */
  compareFile: {
    route: 'GET /api/v1/month/:month/variance/file',
    task: 'download variance',
    allow: readsVariance,
    query: queryOf(compared),
    download: true,
    ownTurn: true,
  },
  missing: {
    route: 'GET /api/v1/month/:month/missing',
    task: 'get missing income',
    allow: readsVariance,
    query: pageWith(sought),
    reply: missingReply,
    slow: true,
  },
  /** All months of what is asked for, as .csv (variance 11). */
  missingFile: {
    route: 'GET /api/v1/month/:month/missing/file',
    task: 'download missing income',
    allow: readsVariance,
    query: queryOf(sought),
    download: true,
    ownTurn: true,
  },
  recovered: {
    route: 'GET /api/v1/month/:month/recovered',
    task: 'get recovered income',
    allow: readsVariance,
    query: pageWith({}),
    reply: recoveredReply,
    slow: true,
  },
  dismiss: {
    route: 'POST /api/v1/month/:month/missing/dismiss',
    task: 'dismiss missing income',
    done: { text: 'Dismissed.' },
    allow: monthCalls.waive.allow,
    body: dismissBody,
    reply: missingMerchant,
  },
} as const satisfies Record<string, Endpoint>

export type VarianceQuery = ShapeOf<typeof varianceCalls.compare.query, true>
export type MissingQuery = ShapeOf<typeof varianceCalls.missing.query, true>
export type RecoveredQuery = ShapeOf<typeof varianceCalls.recovered.query, true>
