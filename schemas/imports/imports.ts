import { chargeback, idAliases, mid, pcicompliance, tinvalidation } from './compliance.ts'
import type { Import } from './importTypes.ts'
import { importKinds, type ImportName } from './kinds.ts'

export type * from './importReplies.ts'
export type * from './importTypes.ts'
export type * from './kinds.ts'

const agentAliases = ['agent', 'master agent id', 'partner name', 'partner branch number']

const merchant: Import = {
  ...importKinds.merchant,
  table: 'merchant',
  key: ['xmid'],
  blankKeepsStored: true,
  columns: [
    { head: 'XMID', field: 'xmid', kind: 'id', required: true, aliases: idAliases, maxLength: 32 },
    {
      head: 'DBA',
      field: 'dba',
      kind: 'text',
      required: true,
      aliases: ['dba name', 'merchant', 'merchant name'],
    },
    { head: 'Legal Name', field: 'legalname', kind: 'text' },
    { head: 'Business Type', field: 'businesstype', kind: 'text' },
    { head: 'Product', field: 'product', kind: 'text' },
    { head: 'DBA Address', field: 'dbaaddress', kind: 'text' },
    { head: 'DBA City', field: 'dbacity', kind: 'text' },
    { head: 'DBA State', field: 'dbastate', kind: 'text' },
    { head: 'DBA Zip', field: 'dbazip', kind: 'text', maxLength: 20 },
    { head: 'Legal Address', field: 'legaladdress', kind: 'text' },
    { head: 'Legal City', field: 'legalcity', kind: 'text' },
    { head: 'Legal State', field: 'legalstate', kind: 'text' },
    { head: 'Legal Zip', field: 'legalzip', kind: 'text', maxLength: 20 },
    { head: 'Status', field: 'status', kind: 'text' },
    { head: 'Sales Rep', field: 'sales_rep', kind: 'text', aliases: ['sales reps'] },
    { head: 'Master Agent', field: 'masteragentid', kind: 'agent', required: true, aliases: agentAliases },
    { head: 'Account Status', field: 'accountstatus', kind: 'accountstatus' },
    { head: 'Date Added', field: 'date_added', kind: 'date', aliases: ['created'] },
    { head: 'Date Approved', field: 'date_approved', kind: 'date' },
    { head: 'Date Submitted', field: 'date_submitted', kind: 'date' },
    { head: 'Date Closed', field: 'date_closed', kind: 'date', mayBeLater: true },
    { head: 'Date Received', field: 'date_received', kind: 'date' },
    { head: 'Notes', field: 'notes', kind: 'text', maxLength: 4000 },
    { head: 'Processor', field: 'processor', kind: 'text', aliases: ['current processor'] },
    { head: 'MCC', field: 'mcc', kind: 'text', maxLength: 8 },
    { head: 'Group', field: 'groupname', kind: 'text' },
  ],
}

const dailyvolume: Import = {
  ...importKinds.dailyvolume,
  table: 'daily_volume',
  key: ['xmid', 'batchnumber'],
  totals: { sales: 'salesamount', refunds: 'refundamount', net: 'netamount' },
  dated: true,
  columns: [
    mid,
    { head: 'DBA', field: 'dba', kind: 'text', aliases: ['merchant', 'merchant name'] },
    { head: 'Batch Date', field: 'batchdate', kind: 'date', mayBeLater: true, aliases: ['date'] },
    {
      head: 'Batch Number',
      field: 'batchnumber',
      kind: 'id',
      aliases: ['reference number', 'batch'],
      maxLength: 40,
    },
    { head: 'Sales Count', field: 'salescount', kind: 'count', aliases: ['count', 'transactions'] },
    {
      head: 'Sales Amount',
      field: 'salesamount',
      kind: 'money',
      required: true,
      aliases: ['amount', 'sales'],
    },
    { head: 'Refund Count', field: 'refundcount', kind: 'count' },
    { head: 'Refund Amount', field: 'refundamount', kind: 'money', isCost: true, aliases: ['refunds'] },
    { head: 'Net Amount', field: 'netamount', kind: 'money', aliases: ['net'] },
    { head: 'Currency', field: 'currency', kind: 'text', defaultValue: 'USD', maxLength: 3 },
    { head: 'Terminal Number', field: 'terminalnumber', kind: 'id', maxLength: 40 },
    { head: 'Status', field: 'status', kind: 'text', maxLength: 40 },
  ],
}

/**
 * Further columns of the processors' files (interchange, fees, BPS, approval dates) are stored unread
 * (imports 8).
 */
const compdata: Import = {
  ...importKinds.compdata,
  table: 'residual',
  key: ['xmid'],
  oneOf: [['income', 'net']],
  totals: { sales: 'sales', income: 'income', expense: 'expense', net: 'net' },
  columns: [
    mid,
    { head: 'DBA', field: 'dba', kind: 'text', aliases: ['dba name', 'merchant', 'merchant name'] },
    {
      head: 'Month',
      field: 'month',
      kind: 'month',
      aliases: ['processing month', 'period', 'statement month', 'residual month'],
      sameInEveryRow: true,
    },
    {
      head: 'Processor',
      field: 'processor',
      kind: 'text',
      aliases: ['platform'],
      maxLength: 60,
      sameInEveryRow: true,
    },
    {
      head: 'Transactions',
      field: 'txncount',
      kind: 'count',
      aliases: ['transaction count', 'txn count', 'number of sales', 'number of transactions', 'sales count'],
    },
    {
      head: 'Sales Amount',
      field: 'sales',
      kind: 'money',
      aliases: ['sales', '$ sales', 'sales volume', 'volume'],
    },
    {
      head: 'Income',
      field: 'income',
      kind: 'money',
      aliases: ['$ income', 'gross income', 'total income', 'revenue'],
    },
    {
      head: 'Expenses',
      field: 'expense',
      kind: 'money',
      isCost: true,
      aliases: ['expense', '$ expenses', 'total expense', 'total expenses'],
    },
    {
      head: 'Net',
      field: 'net',
      kind: 'money',
      aliases: ['net income', '$ net', 'net revenue', 'net profit', '$ partner net rev'],
    },
    { head: '%', field: 'sourcepercent', kind: 'percent', aliases: ['agent %', 'split %', 'agent percent'] },
    {
      head: 'Agent Net',
      field: 'sourceagentnet',
      kind: 'money',
      aliases: ['$ residual', 'agent residual'],
      nullWhenBlank: true,
    },
  ],
}

/**
 * The kinds of import with what their files hold, in the order of the menu. Endpoint, parser and template are
 * made from them.
 */
export const imports = {
  merchant,
  pcicompliance,
  chargeback,
  tinvalidation,
  compdata,
  dailyvolume,
} as const satisfies Record<ImportName, Import>
