import { pageSizes } from '../../constants.ts'
import {
  arrayOf,
  boolean,
  integer,
  integerOrNull,
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

/** What can differ from the copies of a reopened month, in the order of the list (months 14). */
export const differenceKinds = {
  'merchant-agent': 'Master agent of a merchant',
  'merchant-status': 'Status or closing day of a merchant',
  'merchant-added': 'Merchant that was not in the portfolio',
  'merchant-removed': 'Merchant that is not in the portfolio any more',
  'merchant-name': 'Name of a merchant',
  'agent-rate': 'Rate of a master agent',
  'agent-parent': 'Parent of a master agent',
  'agent-payee': 'Payee of a master agent',
  'agent-office': 'Office account',
  'agent-inactive': 'Pay on inactive merchants',
  'agent-name': 'Name or number of a master agent',
  subscription: 'Collection subscription',
  terminal: 'Paid terminal',
} as const
export type DifferenceKind = keyof typeof differenceKinds

const kind = oneOf(...(Object.keys(differenceKinds) as DifferenceKind[]))
const difference = objectOf({
  key: string,
  kind,
  what: string,
  /** What the copy holds. */
  was: string,
  now: string,
  /** What was taken over, and counts, of a record that has changed again since; else null. */
  counts: stringOrNull,
  /** The net of the merchant in this month, in dollars; null for other records. */
  amount: numberOrNull,
  link: stringOrNull,
  /** Of the last change by a person since the lock. */
  changedby: stringOrNull,
  /** Of that change, epoch seconds. */
  changedat: integerOrNull,
  /** It came after the reopening. */
  isafter: boolean,
  /** Null while the record of today does not count. */
  takenby: stringOrNull,
  takenat: integerOrNull,
})
/** What one record was for the last lock, and what it is today. */
export type MonthDifference = ShapeOf<typeof difference>
const differences = objectOf({
  /** The lock whose copies count. */
  version: integer,
  /** Epoch seconds. */
  reopenedat: integer,
  reopenedby: string,
  reason: string,
  notes: arrayOf(string),
  /** `count` are those not taken over, `taken` those that are. */
  kinds: arrayOf(objectOf({ kind, what: string, count: integer, taken: integer })),
  data: arrayOf(difference),
  total_length: integer,
})
/** A page of the differences. */
export type MonthDifferences = ShapeOf<typeof differences>

/** The most keys that one call names. */
const mostTakeoverKeys = 1000

const takeoverBody = {
  $id: 'month.takeover',
  type: 'object',
  required: ['keys'],
  additionalProperties: false,
  properties: {
    keys: {
      type: 'array',
      title: 'Keys',
      minItems: 1,
      maxItems: mostTakeoverKeys,
      items: { type: 'string', minLength: 1, maxLength: 200 },
    },
    back: { type: 'boolean', title: 'Count the Copy Again' },
  },
} as const

export const differenceCalls = {
  differences: {
    route: 'GET /api/v1/month/:month/differences',
    task: 'get differences',
    allow: monthCalls.waive.allow,
    query: {
      ...pageQuery,
      properties: {
        ...pageQuery.properties,
        size: { ...pageQuery.properties.size, default: pageSizes.at(-1)! },
        kind: { ...oneOf('', ...kind.enum), default: '' },
      },
    },
    reply: differences,
    slow: true,
  },
  takeover: {
    route: 'POST /api/v1/month/:month/takeover',
    task: 'take over changes',
    done: { text: 'The changes are taken over.' },
    allow: monthCalls.waive.allow,
    body: takeoverBody,
    reply: differences,
    slow: true,
  },
} as const satisfies Record<string, Endpoint>
