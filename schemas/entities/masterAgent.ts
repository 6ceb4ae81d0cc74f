import { decisionText, reasonText } from '../constants.ts'
import { dollars, flag, identity, month, name, paragraph, percent, reference, text } from '../fields.ts'
import {
  allOf,
  everyone,
  holds,
  seesAllAgents,
  forFields,
  reasonOf,
  needsPermission,
  ruleWithReason,
  unless,
  type Rule,
} from '../permissions.ts'
import { settlesPayouts } from '../screenRules.ts'
import { collectErrors, defineEntity, type Decision, type Notice } from './entity.ts'

const manage = holds('manage_master_agents')
const commission = holds('manage_master_agents', 'edit_commission')
/** The percentage needs edit_commission, and is closed where the contract fixes the rate (agents 4). */
const percentage: Rule = ruleWithReason(
  (viewer, agent) => viewer.permissions.edit_commission && !agent?.commissionnoteditable,
  (viewer) => `${needsPermission('edit_commission')(viewer)}, and an agent whose commission is not fixed`,
)

/** Tax type codes (constants 4). The IRS uses the opposite ones, 1 for EIN (imports 33). */
export const taxTypes = [
  { const: 1, title: 'SSN' },
  { const: 2, title: 'EIN' },
  { const: null, title: 'None' },
] as const

/** The pattern of an agent's display id, which the database derives from the id: 'MA0012'. */
export const displayIdPattern = String.raw`MA\d{4,9}`

/** What makes up the account an agent is paid to; a change of one waits for another person (agents 10). */
export const accountFields = [
  'payeeid',
  'routingnumber',
  'bankaccountnumber',
  'isbankaccounttypechecking',
  'isbankaccounttypebusiness',
] as const
export type AccountField = (typeof accountFields)[number]

/** The titles of the fields of an account. */
export const accountTitles: Record<AccountField, string> = {
  payeeid: 'Payee',
  routingnumber: 'Routing #',
  bankaccountnumber: 'Bank Account #',
  isbankaccounttypechecking: 'Account Type',
  isbankaccounttypebusiness: 'Business/Personal',
}
/** 'Routing #, Bank Account #'. */
export const titlesOfAccount = (fields: readonly AccountField[]): string =>
  fields.map((field) => accountTitles[field]).join(', ')

/**
 * A changed account that waits for a decision; `at` is epoch seconds, `fields` differ from the confirmed.
 * `source` says where it comes from, '' where a person typed it.
 */
export type BankPending = {
  by: string
  at: number
  fields: AccountField[]
  source: string
  /** True, or the reason why the caller may not confirm it. */
  canconfirm: true | string
}

/** Who holds the payments of an agent, since when in epoch seconds, and why (agents 14). */
type PayHold = { by: string; at: number; reason: string }

/** Who confirms and rejects changed accounts (agents 11). */
export const decidesAccounts: Rule = allOf(
  holds('lock_reports'),
  holds('manage_master_agents'),
  seesAllAgents,
)

/** The rates that are stored with the month from which they hold (agents 5). */
export const rateFields = [
  'percentagecommissionreceived',
  'amountcommissionreceived',
  'percentageequipmentcommissionreceived',
  'amountequipmentcommissionreceived',
] as const

/** What decides how much an agent is paid, and to whom (agents 13). */
const payFields: string[] = [
  ...rateFields,
  'ratesfrom',
  'collectionSubscriptions',
  'payoninactive',
  'payeeid',
  'parentid',
]
const ownPayReason = 'This is your own agent or one above it: somebody else must change it'

export const ownHoldReason = 'This is your own agent or one above it: somebody else must end its hold'

/** The rules of the fields, closed to those who are paid by them themselves (agents 13). */
const closedOnOwnPay = <F extends string>(fields: Record<F, Rule>): Record<F, Rule> =>
  Object.fromEntries(
    Object.entries<Rule>(fields).map(([field, rule]) => {
      if (field === 'isofficeaccount') return [field, unless((_, agent) => isOwn(agent), ownPayReason, rule)]
      const closed = payFields.includes(field)
      return [field, closed ? unless((_, agent) => isOwnPay(agent), ownPayReason, rule) : rule]
    }),
  ) as Record<F, Rule>
const isOwn = (agent: Record<string, unknown>) => agent.ownchain === true
/** Whether the agent is in the caller's chain, and paid. */
export const isOwnPay = (agent: Record<string, unknown>) => isOwn(agent) && agent.isofficeaccount !== true

const amount = { ...dollars, type: ['number', 'null'], default: null } as const
const yesNo = (yes: string, no: string) =>
  ({
    kind: 'choice',
    type: 'boolean',
    oneOf: [
      { const: true, title: yes },
      { const: false, title: no },
    ],
  }) as const

/**
 * 3(d1+d4+d7) + 7(d2+d5+d8) + (d3+d6+d9) is divisible by 10 (ABA routing numbers). Nine zeros are nobody's.
 */
export const passesAbaChecksum = (digits: string): boolean =>
  /^\d{9}$/.test(digits) &&
  digits !== '000000000' &&
  [...digits].reduce((sum, digit, at) => sum + Number(digit) * [3, 7, 1][at % 3]!, 0) % 10 === 0

/** Returns true for viewers whom the rule allows, else the reason; the record makes no difference. */
const mayBy =
  (rule: Rule): Decision['may'] =>
  (viewer) =>
    rule(viewer) || reasonOf(rule, viewer)

const pendingAccount: Notice = {
  title: 'Pending',
  verb: 'entered',
  intent: 'warning',
  describe(row) {
    const pending = row.bankpending as BankPending | null | undefined
    if (!pending) return null
    const { by, at, fields, source } = pending
    const changed = `${titlesOfAccount(fields)}${source === '' ? '' : `, by ${source}`}`
    return { by, at, what: `Changed: ${changed}. Nothing is paid until another person has decided.` }
  },
  decisions: {
    confirm: {
      text: 'Confirm',
      title: 'Confirm the bank account',
      intent: 'success',
      asks: { field: 'how', title: 'How it was confirmed', minLength: decisionText.min },
      namesVersion: true,
      may: (viewer, row) =>
        decidesAccounts(viewer)
          ? ((row.bankpending as BankPending | null)?.canconfirm ?? true)
          : reasonOf(decidesAccounts, viewer),
    },
    reject: {
      text: 'Reject',
      title: 'Reject the bank account',
      intent: 'danger',
      asks: { field: 'reason', title: 'Reason', minLength: decisionText.min },
      may: mayBy(decidesAccounts),
    },
  },
}

/** Asked before the payments of an agent are held, and before a hold is ended. */
const holdReason = { field: 'reason', title: 'Reason', minLength: reasonText.min }
const mayHold = mayBy(settlesPayouts)

/** The hold that a person or a returned payment put on the payments of an agent (agents 14). */
const heldPayments: Notice = {
  title: 'Held',
  verb: 'set',
  intent: 'warning',
  describe(row) {
    const hold = row.payhold as PayHold | null | undefined
    // What the agent earns goes to its payee all the same, where it has one.
    const until = 'Nothing is paid to this agent itself until the hold is ended.'
    return hold ? { by: hold.by, at: hold.at, what: `Reason: ${hold.reason}. ${until}` } : null
  },
  decisions: {
    unhold: {
      text: 'End Hold',
      title: 'End the hold',
      intent: 'none',
      asks: holdReason,
      may: (viewer, row) => (settlesPayouts(viewer) && isOwnPay(row) ? ownHoldReason : mayHold(viewer, row)),
    },
  },
}
const freePayments: Notice = {
  title: 'Payments',
  describe: (row, viewer) =>
    row.payhold || row.isofficeaccount === true || !settlesPayouts(viewer)
      ? null
      : { what: 'Nobody holds them.' },
  decisions: {
    hold: { text: 'Hold', title: 'Hold the payments', intent: 'warning', asks: holdReason, may: mayHold },
  },
}

export const masterAgent = defineEntity({
  name: 'masteragent',
  noun: 'master agent',
  title: 'Master Agents',
  path: '/manage/agents',
  table: 'master_agent',
  schema: {
    $id: 'masteragent',
    type: 'object',
    required: ['name', 'parentid'],
    additionalProperties: false,
    properties: {
      ...identity,
      displayid: { kind: 'text', type: 'string', minLength: 1, title: 'Number', readOnly: true },
      name: { ...name, title: 'Name' },
      parentid: {
        kind: 'reference',
        to: 'masteragent',
        none: '0 - None (top level)',
        type: 'integer',
        minimum: 0,
        maximum: 2_147_483_647,
        title: 'Parent',
      },
      payeeid: { ...reference('masteragent'), title: accountTitles.payeeid },
      percentagecommissionreceived: { ...percent, title: 'Percentage Commission Received' },
      amountcommissionreceived: { ...amount, title: 'Amount Commission Received' },
      percentageequipmentcommissionreceived: {
        ...percent,
        title: 'Percentage Equipment Commission Received',
      },
      amountequipmentcommissionreceived: { ...amount, title: 'Amount Equipment Commission Received' },
      ratesfrom: { ...month, title: 'From Month', virtual: true, writeOnly: true, sentWith: rateFields },
      routingnumber: { ...text, title: accountTitles.routingnumber, maxLength: 9 },
      bankaccountnumber: { ...text, title: accountTitles.bankaccountnumber, maxLength: 20, secret: true },
      isbankaccounttypechecking: {
        ...yesNo('Checking', 'Savings'),
        title: accountTitles.isbankaccounttypechecking,
        default: true,
      },
      isbankaccounttypebusiness: {
        ...yesNo('Business', 'Personal'),
        title: accountTitles.isbankaccounttypebusiness,
        default: true,
      },
      isofficeaccount: { ...flag, title: 'Office Account' },
      payoninactive: { ...flag, title: 'Pay on Inactive' },
      businessname: { ...text, title: 'Business Name' },
      taxid: { ...text, title: 'Tax Id', maxLength: 20, secret: true },
      bankpending: {
        title: 'Pending',
        type: ['object', 'null'],
        default: null,
        readOnly: true,
        virtual: true,
        // `BankPending`, which is only answered: the validator of the form need not know its shape.
      },
      payhold: {
        title: 'Hold',
        type: ['object', 'null'],
        default: null,
        readOnly: true,
        virtual: true,
        // `PayHold`, which is only answered.
      },
      /** Whether this is the caller's own agent, or one above it. */
      ownchain: { title: 'Own Chain', type: 'boolean', readOnly: true, virtual: true },
      taxtypeid: {
        kind: 'choice',
        title: 'Tax Type',
        type: ['integer', 'null'],
        oneOf: taxTypes,
        default: null,
      },
      activemerchantcount: {
        kind: 'number',
        type: 'integer',
        title: 'Active Merchants',
        readOnly: true,
        virtual: true,
      },
      inactivemerchantcount: {
        kind: 'number',
        type: 'integer',
        title: 'Inactive Merchants',
        readOnly: true,
        virtual: true,
      },
      notes: { ...paragraph, title: 'Notes' },
      commissionnoteditable: { ...flag, title: 'Commission Not Editable', readOnly: true },
      collectionSubscriptions: {
        title: 'Collection Subscriptions',
        type: 'array',
        virtual: true,
        maxItems: 100,
        default: [],
        items: {
          type: 'object',
          required: ['amount', 'notes'],
          additionalProperties: false,
          properties: {
            id: { type: ['integer', 'null'], readOnly: true, minimum: 1, maximum: 2_147_483_647 },
            amount: {
              kind: 'dollars',
              type: 'number',
              minimum: -999_999_999,
              maximum: 999_999_999,
              multipleOf: 0.01,
              title: 'Amount',
            },
            notes: { ...name, title: 'Notes', maxLength: 1000 },
          },
        },
      },
    },
  },
  access: {
    list: everyone,
    create: manage,
    update: commission,
    open: (viewer) => commission(viewer) || settlesPayouts(viewer),
    delete: manage,
    reveal: manage,
    fields: closedOnOwnPay({
      ...forFields(
        manage,
        'name',
        'parentid',
        ...accountFields,
        'isofficeaccount',
        'payoninactive',
        'businessname',
        'taxid',
        'taxtypeid',
        'notes',
        'collectionSubscriptions',
      ),
      ...forFields(
        commission,
        'amountcommissionreceived',
        'percentageequipmentcommissionreceived',
        'amountequipmentcommissionreceived',
        'ratesfrom',
      ),
      percentagecommissionreceived: percentage,
    }),
  },
  scope: 'id',
  list: {
    columns: [
      { head: 'Name', field: 'name' },
      { head: 'Parent', field: 'parentid', as: 'label' },
      { head: 'Percentage Commission Received', field: 'percentagecommissionreceived', as: 'percent' },
      { head: 'Amount Commission Received', field: 'amountcommissionreceived', as: 'dollars' },
      {
        head: 'Percentage Equipment Commission Received',
        field: 'percentageequipmentcommissionreceived',
        as: 'percent',
      },
      {
        head: 'Amount Equipment Commission Received',
        field: 'amountequipmentcommissionreceived',
        as: 'dollars',
      },
      { head: 'Active Merchants', field: 'activemerchantcount', as: 'number' },
      { head: 'Inactive Merchants', field: 'inactivemerchantcount', as: 'number' },
      { head: 'Routing #', field: 'routingnumber' },
      { head: 'Bank Account #', field: 'bankaccountnumber' },
      {
        head: 'Account Type',
        field: 'isbankaccounttypechecking',
        as: 'flag',
        words: ['Checking', 'Savings'],
      },
      {
        head: 'Business/Personal',
        field: 'isbankaccounttypebusiness',
        as: 'flag',
        words: ['Business', 'Personal'],
      },
      { head: 'Office Account', field: 'isofficeaccount', as: 'flag', words: ['Office', ''] },
      { head: 'Business Name', field: 'businessname' },
      { head: 'Tax Id', field: 'taxid' },
      { head: 'Tax Type', field: 'taxtypeid', as: 'choice' },
      { head: 'Number', field: 'displayid', unshown: true },
    ],
  },
  form: {
    title: 'Create or Edit Master Agent',
    size: 'extra large',
    groups: [
      { fields: ['name', 'parentid', 'payeeid'] },
      { fields: ['isofficeaccount', 'payoninactive'] },
      {
        title: 'Commission',
        fields: [...rateFields, 'ratesfrom'],
      },
      {
        title: 'Bank account',
        fields: [
          'routingnumber',
          'bankaccountnumber',
          'isbankaccounttypechecking',
          'isbankaccounttypebusiness',
        ],
      },
      { title: 'Tax identification', fields: ['businessname', 'taxid', 'taxtypeid'] },
      { title: 'Merchants', fields: ['activemerchantcount', 'inactivemerchantcount'] },
      { fields: ['collectionSubscriptions'] },
      { fields: ['notes'] },
    ],
    hidden: ['displayid', 'commissionnoteditable', 'bankpending', 'payhold', 'ownchain'],
    onlyExisting: ['ratesfrom', 'activemerchantcount', 'inactivemerchantcount'],
  },
  // Accounts are left out: each is confirmed by itself (agents 11).
  bulk: { fields: ['parentid', ...rateFields, 'payoninactive', 'notes'], reassign: 'parentid' },
  review: { aboveField: 'routingnumber', notices: [pendingAccount, heldPayments, freePayments] },
  messages: { 'parentid required': 'Parent ID is required' },
  check: ({ routingnumber, bankaccountnumber, taxid }) =>
    collectErrors([
      [
        routingnumber && !passesAbaChecksum(String(routingnumber)),
        'routingnumber',
        'Routing # must be nine digits that pass the ABA checksum',
      ],
      [
        bankaccountnumber && !/^\d{4,17}$/.test(String(bankaccountnumber)),
        'bankaccountnumber',
        'Bank Account # must be 4 to 17 digits',
      ],
      [
        taxid && !/^(\d{9}|\d{3}-\d{2}-\d{4}|\d{2}-\d{7})$/.test(String(taxid)),
        'taxid',
        'Tax Id must be nine digits, as 123-45-6789 or 12-3456789',
      ],
    ]),
})
