import { decisionText } from '../constants.ts'
import { identity, moment, month, name, reference, text } from '../fields.ts'
import { allOf, holds, seesAllAgents, forFields, reasonOf, unless, type Viewer } from '../permissions.ts'
import { defineEntity, collectErrors } from './entity.ts'

const locks = holds('lock_reports')
/** Who accepts and refuses what a branch proposes (money 20). */
export const decidesProposals = allOf(locks, seesAllAgents)
/** A refused proposal is kept as it is; an accepted one is no matter of a branch any more (money 20). */
export const changesAdjustments = unless(
  (_, row) => row.state === 'refused',
  'A refused adjustment stays as it is',
  unless(
    (_, row) => Boolean(row.latemid),
    'That of a late MID stays as it is',
    unless(
      (viewer, row) => row.state === 'accepted' && !viewer.seesall,
      'An accepted adjustment needs the sight of all master agents',
      locks,
    ),
  ),
)
/** Why people may not decide about what pays their own agent or one above it (money 20). */
export const paysOwnReason = 'It pays your own branch: another person must decide'

const states = [
  { const: 'accepted', title: 'Accepted' },
  { const: 'proposed', title: 'Proposed' },
  { const: 'refused', title: 'Refused' },
] as const
const mayDecide = (viewer: Viewer, row: Record<string, unknown>): true | string => {
  if (!decidesProposals(viewer)) return reasonOf(decidesProposals, viewer)
  return row.paysown === true ? paysOwnReason : true
}

/** A signed line of a month's statement; that of a merchant counts for its master agent (money 14). */
export const adjustment = defineEntity({
  name: 'adjustment',
  noun: 'adjustment',
  title: 'Adjustments',
  path: '/manage/adjustments',
  table: 'adjustment',
  schema: {
    $id: 'adjustment',
    type: 'object',
    required: ['month', 'amount', 'reason'],
    additionalProperties: false,
    properties: {
      ...identity,
      month: { ...month, title: 'Month' },
      masteragentid: { ...reference('masteragent'), title: 'Master Agent' },
      merchantid: { ...reference('merchant'), title: 'Merchant' },
      amount: {
        kind: 'dollars',
        type: 'number',
        minimum: -999_999_999,
        maximum: 999_999_999,
        multipleOf: 0.01,
        title: 'Amount',
      },
      reason: { ...name, title: 'Reason' },
      author: { ...text, title: 'Author', readOnly: true },
      recorded: { ...moment, title: 'Recorded', readOnly: true, virtual: true },
      state: { kind: 'choice', type: 'string', oneOf: states, title: 'State', readOnly: true },
      decidedby: { ...text, title: 'Decided By', readOnly: true },
      decisionreason: { ...text, title: 'Why Refused', maxLength: decisionText.max, readOnly: true },
      latemid: { ...text, title: 'Late MID', readOnly: true, virtual: true },
      paysown: { type: 'boolean', title: 'Pays Own Branch', readOnly: true, virtual: true },
    },
  },
  access: {
    list: locks,
    create: locks,
    update: changesAdjustments,
    delete: changesAdjustments,
    fields: forFields(changesAdjustments, 'month', 'masteragentid', 'merchantid', 'amount', 'reason'),
  },
  scope: 'masteragentid',
  list: {
    columns: [
      { head: 'Month', field: 'month', as: 'month' },
      // A phone shows the first columns alone.
      { head: 'Amount', field: 'amount', as: 'dollars' },
      { head: 'Master Agent', field: 'masteragentid', as: 'label' },
      { head: 'Merchant ID', field: 'merchantid', as: 'label' },
      { head: 'State', field: 'state', as: 'choice' },
      { head: 'Reason', field: 'reason' },
      { head: 'Late MID', field: 'latemid' },
      { head: 'Author', field: 'author' },
      { head: 'Recorded', field: 'recorded', as: 'moment' },
      { head: 'Decided By', field: 'decidedby' },
      { head: 'Why Refused', field: 'decisionreason' },
    ],
  },
  form: {
    title: 'Create or Edit Adjustment',
    size: 'large',
    groups: [
      { fields: ['month', 'amount'] },
      { title: 'Whose statement', fields: ['masteragentid', 'merchantid'] },
      { fields: ['reason'] },
      { fields: ['author', 'recorded', 'latemid'] },
      { fields: ['state', 'decidedby', 'decisionreason'] },
    ],
    hidden: ['paysown'],
    onlyExisting: ['author', 'recorded', 'latemid', 'state', 'decidedby', 'decisionreason'],
  },
  bulk: { fields: ['month', 'masteragentid', 'reason'], reassign: 'masteragentid', delete: true },
  review: {
    aboveField: 'state',
    notices: [
      {
        title: 'Pending',
        verb: 'entered',
        intent: 'warning',
        describe: ({ state, author, recorded }) =>
          state === 'proposed'
            ? {
                by: String(author),
                at: Number(recorded),
                what: 'It is part of no statement until it is accepted.',
              }
            : null,
        decisions: {
          accept: {
            text: 'Accept',
            title: 'Accept this adjustment',
            intent: 'success',
            namesVersion: true,
            may: mayDecide,
          },
          refuse: {
            text: 'Refuse',
            title: 'Refuse the adjustment',
            intent: 'danger',
            asks: { field: 'reason', title: 'Reason', minLength: decisionText.min },
            may: mayDecide,
          },
        },
      },
    ],
  },
  check: ({ masteragentid, merchantid, amount }) =>
    collectErrors([
      [!masteragentid && !merchantid, 'masteragentid', 'Choose a master agent or a merchant'],
      [masteragentid && merchantid, 'merchantid', 'Choose a master agent or a merchant, not both'],
      // 1e-9 is stored as 0.00, which the database refuses.
      [typeof amount === 'number' && Math.abs(amount) < 0.005, 'amount', 'Amount may not be 0'],
    ]),
})
