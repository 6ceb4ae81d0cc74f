import { month } from '../../fields.ts'
import { admins, allOf, everyone, holds, seesAllAgents } from '../../permissions.ts'
import { settlesPayouts } from '../../screenRules.ts'
import {
  arrayOf,
  boolean,
  integer,
  integerOrNull,
  number,
  numberOrNull,
  objectOf,
  oneOf,
  orNull,
  string,
  stringOrNull,
  type ShapeOf,
} from '../../shapes.ts'
import type { Endpoint } from '../endpoint.ts'
import { listQuery } from '../paging.ts'
import { lockReply, reason } from '../reports.ts'
import { lockedFigures, monthFile, typedStatement } from './work.ts'

/** The states of a month (months 2); every later one is also locked. */
export const monthStates = ['open', 'locked', 'approved', 'released', 'settled'] as const
export type MonthState = (typeof monthStates)[number]
const state = oneOf(...monthStates)
const summaryFields = {
  /** '2026-10'. */
  month: string,
  state,
  /** That of the lock in force, else of the newest one, 0 when it was never locked. */
  version: integer,
}
const summary = objectOf(summaryFields)
export type MonthSummary = ShapeOf<typeof summary>

/** Stops, and warnings without a waiver, keep a month from being locked (months 10). */
const severities = ['stop', 'warning', 'note'] as const
type Severity = (typeof severities)[number]
/** The kinds of findings in the order of the checklist, with their severity and text (months 10). */
export const findingKinds = {
  'missing-file': {
    severity: 'stop',
    what: 'The processor has neither a file nor a note that there is none',
  },
  'stated-total': { severity: 'warning', what: 'The stated total differs from the file' },
  'no-stated-total': { severity: 'note', what: "No total is typed from the processor's statement" },
  'unknown-mid': { severity: 'warning', what: 'The MID is not in the portfolio' },
  'house-income': { severity: 'warning', what: 'Income belongs to no agent and stays with the house' },
  'terminal-without-agent': {
    severity: 'warning',
    what: 'A paid terminal belongs to no master agent: nobody earns by it',
  },
  'volume-without-file': { severity: 'warning', what: 'An active merchant with volume is in no file' },
  'merchant-moved': { severity: 'note', what: 'The merchant moved by more than 30 % and $100' },
  'agent-moved': { severity: 'note', what: 'The agent moved by more than 30 % and $100' },
  'merchant-loss': { severity: 'note', what: 'The merchant cost more than it brought' },
  hold: { severity: 'warning', what: 'What is due cannot be paid' },
  'percent-above-parent': {
    severity: 'warning',
    what: "The percentage is above the parent's: the parent earns no override",
  },
  'shares-above-100': {
    severity: 'warning',
    what: 'The shares of a merchant add up to more than 100 %',
  },
  circle: { severity: 'stop', what: 'The agent stands below itself' },
  selfdealing: { severity: 'warning', what: 'A change raises the pay of its own author' },
  'month-not-over': { severity: 'warning', what: 'The month is not over' },
  'open-proposal': { severity: 'warning', what: 'A proposed adjustment is neither accepted nor refused' },
  'late-mid': {
    severity: 'warning',
    what: 'A MID became known after its month was locked: its pay is proposed',
  },
  'late-changed': {
    severity: 'warning',
    what: 'Accepted pay of a late MID is another sum by now: the lock withdraws it',
  },
  'unreleased-run': { severity: 'warning', what: 'A payout run is not released' },
  'statement-hold': {
    severity: 'warning',
    what: 'The hold of a statement ends: what is carried of it is paid by the next run',
  },
  'rate-changed': { severity: 'note', what: 'A rate was changed since the last lock' },
  'subscription-changed': {
    severity: 'note',
    what: 'The collection subscriptions were changed since the last lock',
  },
  'assignment-changed': { severity: 'note', what: 'An assignment was changed since the last lock' },
} as const satisfies Record<string, { severity: Severity; what: string }>
export type FindingKind = keyof typeof findingKinds
/**
 * The kind of which each finding is waived by itself: where a stated total differs, the file may be the wrong
 * one (months 10).
 */
export const singlyWaivedKind = 'stated-total' satisfies FindingKind

/** Who waived a finding, at which epoch second, and why. */
const waiver = objectOf({ username: string, at: integer, reason: string })
const finding = objectOf({
  /** Its kind and subject ('stated-total:Aurora'): the same whenever the checklist is made (months 10). */
  key: string,
  /** One of `findingKinds`; older locks may hold others. */
  kind: string,
  severity: oneOf(...severities),
  what: string,
  where: string,
  /** Dollars. */
  amount: numberOrNull,
  /** The path of the screen where it can be looked at. */
  link: stringOrNull,
  waiver: orNull(waiver),
})
/** One entry of a month's checklist (months 10). */
export type Finding = ShapeOf<typeof finding>
const kindSum = objectOf({
  kind: string,
  severity: oneOf(...severities),
  count: integer,
  /** Dollars; null where no finding of the kind has an amount. */
  sum: numberOrNull,
  /** How many of them are waived, the sum of these in dollars, and by whom. */
  waived: integer,
  waivedsum: number,
  waivedby: arrayOf(string),
})
/** All findings of a kind in a month. */
export type KindSum = ShapeOf<typeof kindSum>
/** How many findings of each kind a month answers at most; of `singlyWaivedKind` all (months 10). */
export const findingsShown = 50
/** The shortest reason of a waiver, in characters, blanks at its ends not counted (months 10). */
export const minWaiverReason = 10

/** What a month holds of one processor, in dollars (months 11). */
const processorMonth = objectOf({
  processor: string,
  expected: boolean,
  /** The name of its file. */
  file: stringOrNull,
  /** The net of the file. */
  net: number,
  /** The net that its statement says. */
  statednet: numberOrNull,
})
const monthDetail = objectOf({
  ...summaryFields,
  processors: arrayOf(processorMonth),
  /** All findings by kind, and the first of each (months 10). */
  kinds: arrayOf(kindSum),
  findings: arrayOf(finding),
  /** None for people of one branch, as in the two after it. */
  files: arrayOf(monthFile),
  statements: arrayOf(typedStatement),
  /** Null while the month is open. */
  locked: orNull(lockedFigures),
})
export type MonthDetail = ShapeOf<typeof monthDetail>

/** Amounts are dollars with cents. */
const entry = objectOf({
  masteragentid: integer,
  displayid: string,
  name: string,
  /** The last four digits behind asterisks; '' when there is none, or none is known of what was paid. */
  account: string,
  /** Checking or Savings, and CCD or PPD. In a run that is closed each account that was paid is named. */
  accounttype: string,
  entryclass: string,
  /** The agents whose statements go to this payee, by id. */
  statements: arrayOf(integer),
  /** Of all these statements. */
  due: number,
  /** What was paid of it and did not come back. */
  released: number,
  /** What the bank file pays: 0 while held, negative or below the minimum. */
  payable: number,
  hold: stringOrNull,
  /** A person's hold of the payee stands, which can be ended; another reason may be the one in `hold`. */
  isheld: boolean,
  /** Why the caller may not end its hold, null when it may. */
  cannotunhold: stringOrNull,
  /** Another account than that of the lock was confirmed since. */
  ischanged: boolean,
  /** What was due by the version before; null for a first version and for whom it had no statement. */
  duebefore: numberOrNull,
})
/** One payee in the payout run of a month (payouts 1). */
export type PayoutEntry = ShapeOf<typeof entry>
/** How payments are released, with the words for it. */
export const releaseWays = {
  file: 'Bank file',
  other: 'Another way',
  migrated: 'Before the ledger',
} as const
const how = oneOf(...(Object.keys(releaseWays) as (keyof typeof releaseWays)[]))
/** Who approved a run, at which epoch second. */
const approval = objectOf({ username: string, at: integer })
const release = objectOf({
  id: integer,
  version: integer,
  how,
  /** An ISO day. */
  effective: stringOrNull,
  username: string,
  /** Epoch seconds. */
  at: integer,
  payments: integer,
  total: number,
  /** How many of its payments came back, and their sum in dollars. */
  returned: integer,
  returnedtotal: number,
  /** Why what did not come back cannot be booked as returned today, null when it can. */
  cannotreturn: stringOrNull,
  filename: stringOrNull,
  /** Of the run that was released; null for what was paid before the ledger. */
  approval: orNull(approval),
})
/** One release of payments of a month. */
export type PayoutRelease = ShapeOf<typeof release>
const releasesFields = {
  month: string,
  /** Of all versions, the oldest first. */
  releases: arrayOf(release),
  /** The caller may take the bank files that were released. */
  takesfiles: boolean,
  /** Besides, a bank is configured: the run can be released as a file. */
  canfile: boolean,
}
const releases = objectOf(releasesFields)
/** What was released of a month, in whatever state it is. */
export type MonthReleases = ShapeOf<typeof releases>
const payout = objectOf({
  ...releasesFields,
  state,
  version: integer,
  hash: string,
  lockedby: string,
  /** What the caller would approve or release. */
  total: number,
  entries: arrayOf(entry),
  /** Of the run as it is; null while nobody did, and once it is released. */
  approval: orNull(approval),
  notes: arrayOf(string),
  /** Why the caller may not approve, null when it may. */
  cannotapprove: stringOrNull,
  /** Why the caller may not release, null when it may. */
  cannotrelease: stringOrNull,
  /** The ISO day on which a release without a day takes effect. */
  nextbankday: string,
  /** Holds and releases are possible until a later month was locked. */
  isclosed: boolean,
  /** No later month is locked now, so this one can be opened again (months 9). */
  isnewestlock: boolean,
})
export type Payout = ShapeOf<typeof payout>

const ledgerRow = objectOf({
  id: integer,
  month: string,
  version: integer,
  masteragentid: integer,
  displayid: string,
  name: string,
  account: string,
  amount: number,
  how,
  /** An ISO day. */
  effective: stringOrNull,
  trace: stringOrNull,
  paidby: string,
  /** Epoch seconds. */
  paidat: integer,
  returncode: stringOrNull,
  /** An ISO day. */
  returned: stringOrNull,
  /** Why its return cannot be booked today; null when it can, or is. */
  cannotreturn: stringOrNull,
  allocations: arrayOf(objectOf({ masteragentid: integerOrNull, name: stringOrNull, amount: number })),
})
/** A payment of the ledger (payouts 13). */
export type LedgerRow = ShapeOf<typeof ledgerRow>

const returnFileEntry = objectOf({
  /** Counts from 1. */
  line: integer,
  kind: oneOf('return', 'change'),
  trace: string,
  code: string,
  /** Of the code; '' where it is not known. */
  meaning: string,
  masteragentid: integer,
  displayid: string,
  name: string,
  month: string,
  /** Of the payment, in dollars. */
  amount: number,
  /** What follows from it, as a sentence. */
  outcome: string,
  /** Something is stored for it. */
  isbooked: boolean,
})
/** One entry of a bank's return file with the payment it is about (payouts 17). */
export type ReturnFileEntry = ShapeOf<typeof returnFileEntry>
const returnFile = objectOf({
  committed: boolean,
  /** The ISO day of the file, on which its returns are booked; '' when it cannot be read. */
  day: string,
  entries: arrayOf(returnFileEntry),
  faults: arrayOf(objectOf({ line: integer, message: string })),
})
export type ReturnFileReply = ShapeOf<typeof returnFile>

const takesFiles = allOf(holds('lock_reports'), holds('manage_master_agents'), seesAllAgents)
/** Who may take the bank file (payouts 4). */
export const takesBankFiles = takesFiles

/** An ISO day that exists, of this century. */
const day = {
  type: 'string',
  format: 'date',
  pattern: '^20\\d{2}-',
  messageEnd: 'must be a day as YYYY-MM-DD',
} as const

const body = <const P extends Record<string, object>, R extends keyof P & string = never>(
  $id: string,
  properties: P,
  ...required: R[]
) => ({ $id, type: 'object', required, additionalProperties: false, properties }) as const
const hash = { type: 'string', title: 'Hash', minLength: 1, maxLength: 100 } as const
const agent = { type: 'integer', title: 'Master Agent', minimum: 1, maximum: 2_147_483_647 } as const

export const holdBody = body(
  'month.hold',
  { masteragentid: agent, statement: { type: 'boolean', title: 'Only this statement' }, reason },
  'masteragentid',
  'reason',
)
export const releaseBody = body(
  'month.release',
  { hash, how: { type: 'string', title: 'How', enum: ['file', 'other'] }, date: { ...day, title: 'Date' } },
  'hash',
  'how',
)
export const returnBody = body(
  'month.return',
  {
    trace: { type: 'string', title: 'Trace Number', minLength: 1, maxLength: 15 },
    /** Its id in the ledger, instead: what was paid before the ledger has no trace number. */
    payment: { type: 'integer', title: 'Payment', minimum: 1, maximum: 2_147_483_647 },
    code: { type: 'string', title: 'Return Code', minLength: 1, maxLength: 100, pattern: '\\S' },
    date: { ...day, title: 'Date' },
    amount: { type: 'number', title: 'Amount', minimum: 0.01, maximum: 999_999_999_999, multipleOf: 0.01 },
  },
  'code',
  'date',
)
/** Of all payments of a release at once. */
export const releaseReturnBody = body(
  'month.returnrelease',
  { code: returnBody.properties.code, date: returnBody.properties.date },
  'code',
  'date',
)

/** A file of about 10,000 lines; a body may have 1 MB. */
const maxReturnFile = 900_000
const returnFileBody = body(
  'ledger.returnfile',
  {
    text: { type: 'string', title: 'File', maxLength: maxReturnFile },
    commit: { type: 'boolean', title: 'Commit' },
  },
  'text',
  'commit',
)
const waiveBody = body(
  'month.waive',
  {
    kind: { type: 'string', title: 'Kind', minLength: 1, maxLength: 100 },
    key: { type: 'string', title: 'Key', minLength: 1, maxLength: 500 },
    reason,
  },
  'kind',
  'reason',
)

export const monthCalls = {
  list: {
    route: 'GET /api/v1/month',
    task: 'get months',
    allow: everyone,
    /** `work` is the month that is worked on (cockpit 1); null for a branch before the first lock. */
    reply: objectOf({ data: arrayOf(summary), work: stringOrNull }),
  },
  detail: {
    route: 'GET /api/v1/month/:month',
    task: 'get month',
    allow: everyone,
    reply: monthDetail,
    slow: true,
  },
  waive: {
    route: 'POST /api/v1/month/:month/waive',
    done: { text: 'Saved.' },
    task: 'waive findings',
    allow: settlesPayouts,
    body: waiveBody,
    reply: monthDetail,
    slow: true,
  },
  lock: {
    route: 'POST /api/v1/month/:month/lock',
    done: { text: 'Locked.', view: '/month/:month' },
    task: 'lock month',
    allow: settlesPayouts,
    body: body('month.lock', { waive: reason }),
    reply: lockReply,
    slow: true,
  },
  reopen: {
    route: 'POST /api/v1/month/:month/reopen',
    done: { text: 'Opened again.', view: '/month/:month' },
    task: 'reopen month',
    allow: admins,
    body: body('month.reopen', { reason }, 'reason'),
    reply: lockReply,
    slow: true,
  },
  payout: {
    route: 'GET /api/v1/month/:month/payout',
    task: 'get payout run',
    allow: settlesPayouts,
    reply: payout,
    slow: true,
  },
  releases: {
    route: 'GET /api/v1/month/:month/release',
    task: 'get releases',
    allow: settlesPayouts,
    reply: releases,
  },
  approve: {
    route: 'POST /api/v1/month/:month/approve',
    done: { text: 'Approved.', view: '/month/:month' },
    task: 'approve payout run',
    allow: settlesPayouts,
    body: body('month.approve', { hash }, 'hash'),
    reply: payout,
    slow: true,
  },
  release: {
    route: 'POST /api/v1/month/:month/release',
    done: { text: 'Released.', view: '/month/:month' },
    task: 'release payouts',
    allow: settlesPayouts,
    body: releaseBody,
    download: true,
  },
  file: {
    route: 'GET /api/v1/month/:month/release/:id/file',
    task: 'download bank file',
    allow: takesFiles,
    download: true,
  },
  hold: {
    route: 'POST /api/v1/month/:month/hold',
    done: { text: 'Held.' },
    task: 'hold payout',
    allow: settlesPayouts,
    body: holdBody,
    reply: entry,
    slow: true,
  },
  unhold: {
    route: 'POST /api/v1/month/:month/unhold',
    done: { text: 'The hold is ended.' },
    task: 'end hold',
    allow: settlesPayouts,
    body: { ...holdBody, $id: 'month.unhold' },
    reply: entry,
    slow: true,
  },
  return: {
    route: 'POST /api/v1/month/:month/return',
    done: { text: 'The return is recorded.' },
    task: 'record return',
    allow: settlesPayouts,
    body: returnBody,
    reply: ledgerRow,
    slow: true,
  },
  returnrelease: {
    route: 'POST /api/v1/month/:month/release/:id/return',
    done: { text: 'The returns are recorded.' },
    task: 'record returns of release',
    allow: settlesPayouts,
    body: releaseReturnBody,
    reply: releases,
    slow: true,
  },
  returnfile: {
    route: 'POST /api/v1/ledger/returnfile',
    task: 'read return file',
    allow: settlesPayouts,
    body: returnFileBody,
    reply: returnFile,
    slow: true,
  },
  ledger: {
    route: 'GET /api/v1/ledger',
    task: 'get payments',
    allow: everyone,
    query: {
      ...listQuery,
      properties: {
        ...listQuery.properties,
        /** Leaves out the payments of other months. */
        month: { type: 'string', pattern: month.pattern },
      },
    },
    reply: objectOf({ data: arrayOf(ledgerRow), total_length: integer }),
  },
} as const satisfies Record<string, Endpoint>
