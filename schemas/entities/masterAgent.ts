import { dollars, flag, identity, name, paragraph, percent, reference, text } from '../fields.ts'
import { everyone, holds, nobody, forFields, ruleWithReason, type Rule } from '../permissions.ts'
import { defineEntity, collectErrors } from './entity.ts'

const manage = holds('manage_master_agents')
const commission = holds('manage_master_agents', 'edit_commission')
/** The percentage needs edit_commission, and is closed where the contract fixes the rate (agents 4). */
const percentage: Rule = ruleWithReason(
  (viewer, agent) => viewer.permissions.edit_commission && !agent?.commissionnoteditable,
  'Needs the permission edit_commission, and an agent whose commission is not fixed',
)

/** Tax type codes (constants 4). The IRS uses the opposite ones, 1 for EIN (imports 33). */
export const taxTypes = [
  { const: 1, title: 'SSN' },
  { const: 2, title: 'EIN' },
  { const: null, title: 'None' },
] as const

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

/** 3(d1+d4+d7) + 7(d2+d5+d8) + (d3+d6+d9) is divisible by 10 (ABA routing numbers). */
export const passesAbaChecksum = (digits: string): boolean =>
  /^\d{9}$/.test(digits) &&
  [...digits].reduce((sum, digit, at) => sum + Number(digit) * [3, 7, 1][at % 3]!, 0) % 10 === 0

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
      payeeid: { ...reference('masteragent'), title: 'Payee' },
      percentagecommissionreceived: { ...percent, title: 'Percentage Commission Received' },
      amountcommissionreceived: { ...amount, title: 'Amount Commission Received' },
      percentageequipmentcommissionreceived: {
        ...percent,
        title: 'Percentage Equipment Commission Received',
      },
      amountequipmentcommissionreceived: { ...amount, title: 'Amount Equipment Commission Received' },
      routingnumber: { ...text, title: 'Routing #', maxLength: 9 },
      bankaccountnumber: { ...text, title: 'Bank Account #', maxLength: 20, secret: true },
      isbankaccounttypechecking: { ...yesNo('Checking', 'Savings'), title: 'Account Type', default: true },
      isbankaccounttypebusiness: {
        ...yesNo('Business', 'Personal'),
        title: 'Business/Personal',
        default: true,
      },
      isofficeaccount: { ...flag, title: 'Office Account' },
      payoninactive: { ...flag, title: 'Pay on Inactive' },
      businessname: { ...text, title: 'Business Name' },
      taxid: { ...text, title: 'Tax Id', maxLength: 20, secret: true },
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
            id: { type: 'integer', readOnly: true, minimum: 1, maximum: 2_147_483_647 },
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
    delete: manage,
    reveal: manage,
    fields: {
      ...forFields(
        manage,
        'name',
        'parentid',
        'payeeid',
        'routingnumber',
        'bankaccountnumber',
        'isbankaccounttypechecking',
        'isbankaccounttypebusiness',
      ),
      ...forFields(
        manage,
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
      ),
      percentagecommissionreceived: percentage,
      ...forFields(
        nobody,
        'id',
        'version',
        'activemerchantcount',
        'inactivemerchantcount',
        'commissionnoteditable',
      ),
    },
  },
  scope: 'id',
  list: {
    search: ['name', 'businessname'],
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
        fields: [
          'percentagecommissionreceived',
          'amountcommissionreceived',
          'percentageequipmentcommissionreceived',
          'amountequipmentcommissionreceived',
        ],
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
    hidden: ['commissionnoteditable'],
    onlyExisting: ['activemerchantcount', 'inactivemerchantcount'],
  },
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
