import { idFault, identity, name, paragraph, requiredReference, seconds, text } from '../fields.ts'
import { everyone, holds, forFields, onlyNew } from '../permissions.ts'
import { collectErrors, defineEntity } from './entity.ts'

const manage = holds('manage_merchants')
const reassign = holds('manage_merchants', 'edit_maid_salesrep')

/** Account status codes (merchants 3). */
export const accountStatuses = [
  { const: 1, title: 'Unknown' },
  { const: 2, title: 'Active' },
  { const: 3, title: 'Inactive' },
] as const

/** The account status that closes a merchant (merchants 8). */
export const inactiveStatus = 3

/** The pattern of a merchant's number at a processor; a shorter number may be a part of one. */
export const midPattern = String.raw`\d{11,16}`

/** The address of Merchant by Month (reports 45). */
export const merchantMonthsPath = (xmid: unknown): string =>
  `/reporting?report=merchant-by-month&merchant=${encodeURIComponent(String(xmid))}&run=1`

export const merchant = defineEntity({
  name: 'merchant',
  noun: 'merchant',
  title: 'Merchants',
  path: '/manage/merchants',
  table: 'merchant',
  schema: {
    $id: 'merchant',
    type: 'object',
    required: ['xmid', 'dba', 'masteragentid'],
    additionalProperties: false,
    properties: {
      ...identity,
      xmid: { ...name, title: 'XMID', maxLength: 32 },
      dba: { ...name, title: 'DBA' },
      businesstype: { ...text, title: 'Business Type' },
      product: { ...text, title: 'Product' },
      dbaaddress: { ...text, title: 'DBA Address' },
      dbacity: { ...text, title: 'DBA City' },
      dbastate: { ...text, title: 'DBA State' },
      dbazip: { ...text, title: 'DBA Zip', maxLength: 20 },
      legaladdress: { ...text, title: 'Legal Address' },
      legalcity: { ...text, title: 'Legal City' },
      legalstate: { ...text, title: 'Legal State' },
      legalzip: { ...text, title: 'Legal Zip', maxLength: 20 },
      status: { ...text, title: 'Status' },
      sales_rep: { ...text, title: 'Sales Rep' },
      masteragentid: { ...requiredReference('masteragent'), title: 'Master Agent' },
      accountstatus: {
        kind: 'choice',
        type: 'integer',
        title: 'Account Status',
        oneOf: accountStatuses,
        default: 1,
      },
      date_added: { ...seconds, title: 'Date Added' },
      date_approved: { ...seconds, title: 'Date Approved' },
      date_submitted: { ...seconds, title: 'Date Submitted' },
      date_closed: { ...seconds, title: 'Date Closed' },
      date_received: { ...seconds, title: 'Date Received' },
      notes: { ...paragraph, title: 'Notes' },
      tinstatus: { ...text, title: 'TIN Status' },
      tinstatusdescription: { ...text, title: 'TIN Status Description' },
      latemonths: {
        kind: 'number',
        type: 'integer',
        title: 'Late Months',
        readOnly: true,
        virtual: true,
      },
    },
  },
  access: {
    list: everyone,
    create: manage,
    update: reassign,
    delete: holds('delete_merchants'),
    fields: {
      ...forFields(manage, 'businesstype', 'product', 'notes'),
      ...forFields(
        manage,
        'dbaaddress',
        'dbacity',
        'dbastate',
        'dbazip',
        'legaladdress',
        'legalcity',
        'legalstate',
        'legalzip',
      ),
      ...forFields(manage, 'date_added', 'date_approved', 'date_submitted', 'date_closed', 'date_received'),
      ...forFields(reassign, 'sales_rep', 'masteragentid', 'status', 'tinstatus', 'tinstatusdescription'),
      ...forFields(onlyNew(manage), 'xmid', 'dba', 'accountstatus'),
    },
  },
  scope: 'masteragentid',
  list: {
    columns: [
      { head: 'XMID', field: 'xmid' },
      { head: 'DBA', field: 'dba' },
      { head: 'Business Type', field: 'businesstype' },
      { head: 'Product', field: 'product' },
      { head: 'Status', field: 'status' },
      { head: 'Sales Rep', field: 'sales_rep' },
      { head: 'Master Agent', field: 'masteragentid', as: 'label' },
      { head: 'Date Added', field: 'date_added', as: 'date' },
      { head: 'Date Approved', field: 'date_approved', as: 'date' },
      { head: 'Date Submitted', field: 'date_submitted', as: 'date' },
      { head: 'Date Closed', field: 'date_closed', as: 'date' },
      { head: 'Date Received', field: 'date_received', as: 'date' },
      { head: 'Account Status', field: 'accountstatus', as: 'choice' },
      { head: 'TIN Status', field: 'tinstatus' },
      { head: 'Notes', field: 'notes' },
    ],
    elsewhere: ({ xmid }) => ({ to: merchantMonthsPath(xmid) }),
  },
  form: {
    title: 'Create or Edit Merchant',
    size: 'extra large',
    searchedNumber: 'xmid',
    searchedName: 'dba',
    groups: [
      {
        fields: [
          'xmid',
          'dba',
          'businesstype',
          'product',
          'status',
          'accountstatus',
          'sales_rep',
          'masteragentid',
        ],
      },
      { title: 'DBA address', fields: ['dbaaddress', 'dbacity', 'dbastate', 'dbazip'] },
      { title: 'Legal address', fields: ['legaladdress', 'legalcity', 'legalstate', 'legalzip'] },
      {
        title: 'Dates',
        fields: ['date_added', 'date_approved', 'date_submitted', 'date_closed', 'date_received'],
      },
      { title: 'Tax identification', fields: ['tinstatus', 'tinstatusdescription'] },
      { fields: ['notes'] },
    ],
    hidden: ['latemonths'],
  },
  bulk: {
    fields: [
      'masteragentid',
      'sales_rep',
      'status',
      'businesstype',
      'product',
      'tinstatus',
      'tinstatusdescription',
      'date_added',
      'date_approved',
      'date_submitted',
      'date_closed',
      'date_received',
      'notes',
    ],
    reassign: 'masteragentid',
    delete: true,
  },
  messages: { 'masteragentid required': 'Master Agent ID is required' },
  check: ({ xmid }) => {
    const fault = idFault(String(xmid ?? ''))
    return collectErrors([[fault, 'xmid', `XMID ${fault}`]])
  },
})
