import { decisionText, reasonText } from '../constants.ts'
import { adjustment, decidesProposals } from '../entities/adjustment.ts'
import { decidesAccounts, masterAgent } from '../entities/masterAgent.ts'
import { settlesPayouts } from '../screenRules.ts'
import { describes } from '../shapes.ts'
import type { Endpoint } from './endpoint.ts'
import { rowReply } from './replies.ts'

const text = (title: string, { min, max } = decisionText) =>
  ({
    type: 'string',
    title,
    minLength: min,
    maxLength: max,
    pattern: '\\S',
  }) as const

/** How another person made sure of an account: called back, document seen (agents 11). */
export const confirmation = {
  $id: 'decision.confirm',
  type: 'object',
  required: ['how'],
  additionalProperties: false,
  properties: {
    how: text('How it was confirmed'),
    version: { type: 'integer', title: 'Version', minimum: 1 },
  },
} as const
/** Why a decision is against what somebody entered. */
export const refusal = {
  $id: 'decision.refuse',
  type: 'object',
  required: ['reason'],
  additionalProperties: false,
  properties: { reason: text('Reason') },
} as const

/** Why the payments of an agent are held, or are held no longer (agents 14). */
export const holdReason = {
  $id: 'decision.hold',
  type: 'object',
  required: ['reason'],
  additionalProperties: false,
  properties: { reason: text('Reason', reasonText) },
} as const

/** `version` is that of the proposal which was seen, if the caller names one (money 20). */
export const acceptance = {
  $id: 'decision.accept',
  type: 'object',
  additionalProperties: false,
  properties: { version: { type: 'integer', title: 'Version', minimum: 1 } },
} as const

/** Which decision is sent is known at run time, so the type of a body names no field. */
const sent = describes<Record<string, unknown>>()
const proposal = { allow: decidesProposals, bodyAfterState: true, reply: rowReply(adjustment) } as const
// These wait while a run is approved or released.
const agent = { bodyAfterState: true, reply: rowReply(masterAgent), slow: true } as const
const account = { ...agent, allow: decidesAccounts } as const
const payments = { ...agent, allow: settlesPayouts } as const

/** What is decided about a record, by entity; each answers the record (agents 11, agents 14, money 20). */
export const decisionCalls = {
  masteragent: {
    confirm: {
      route: 'POST /api/v1/masteragent/:id/bank/confirm',
      done: { text: 'Confirmed.', view: '/manage/agents?open=:id' },
      task: 'confirm bank account',
      body: sent.by(confirmation),
      ...account,
    },
    reject: {
      route: 'POST /api/v1/masteragent/:id/bank/reject',
      done: { text: 'Rejected.', view: '/manage/agents?open=:id' },
      task: 'reject bank account',
      body: sent.by(refusal),
      ...account,
    },
    hold: {
      route: 'POST /api/v1/masteragent/:id/hold',
      done: { text: 'Held.', view: '/manage/agents?open=:id' },
      task: 'hold master agent',
      body: sent.by(holdReason),
      ...payments,
    },
    unhold: {
      route: 'POST /api/v1/masteragent/:id/unhold',
      done: { text: 'The hold is ended.', view: '/manage/agents?open=:id' },
      task: 'end hold of master agent',
      body: sent.by({ ...holdReason, $id: 'decision.unhold' }),
      ...payments,
    },
  },
  adjustment: {
    accept: {
      route: 'POST /api/v1/adjustment/:id/accept',
      done: { text: 'Accepted.', view: '/manage/adjustments?open=:id' },
      task: 'accept adjustment',
      body: sent.by(acceptance),
      ...proposal,
    },
    refuse: {
      route: 'POST /api/v1/adjustment/:id/refuse',
      done: { text: 'Refused.', view: '/manage/adjustments?open=:id' },
      task: 'refuse adjustment',
      body: sent.by(refusal),
      ...proposal,
    },
  },
} as const satisfies Record<string, Record<string, Endpoint>>
type Calls = typeof decisionCalls
/** Any of the decisions about a record. */
export type DecisionCall = { [K in keyof Calls]: Calls[K][keyof Calls[K]] }[keyof Calls]
