import type { ColumnChoice, Import, ImportColumn } from './importTypes.ts'
import { importKinds } from './kinds.ts'

/** Headings under which processors give their number of a merchant. */
export const idAliases = [
  'xmid',
  'mid',
  'merchant id',
  'merchant number',
  'merchant no',
  'mid number',
  'account number',
  'acct no',
  'existing mid',
]
export const mid: ImportColumn = {
  head: 'MID',
  field: 'xmid',
  kind: 'id',
  required: true,
  aliases: idAliases,
  maxLength: 32,
}
const dba: ImportColumn = {
  head: 'DBA',
  field: 'dba',
  kind: 'text',
  aliases: ['dba name', 'merchant', 'merchant name'],
}

const caseTypes: readonly ColumnChoice[] = [
  { value: 'retrieval', words: ['retrieval request', 'request for information', 'rfi', 'copy request'] },
  { value: 'chargeback', words: ['cb', 'first chargeback', '1st chargeback', 'dispute'] },
  { value: 'pre-arbitration', words: ['prearb', 'second chargeback', '2nd chargeback'] },
  { value: 'representment', words: ['second presentment', '2nd presentment', 'reversal', 'rebuttal'] },
]
const sides: readonly ColumnChoice[] = [
  { value: 'Debit', words: ['d', 'dr'] },
  { value: 'Credit', words: ['c', 'cr'] },
]

/** Two processors may use the same case number, so the key holds the merchant too. */
export const chargeback: Import = {
  ...importKinds.chargeback,
  table: 'chargeback',
  key: ['xmid', 'casenumber'],
  blankKeepsStored: true,
  totals: { amount: 'amount' },
  columns: [
    mid,
    {
      head: 'Case Number',
      field: 'casenumber',
      kind: 'id',
      required: true,
      aliases: ['case', 'case id', 'case no', 'case ref'],
      maxLength: 40,
    },
    dba,
    {
      head: 'Case Type',
      field: 'casetype',
      kind: 'choice',
      choices: caseTypes,
      defaultValue: 'chargeback',
      aliases: ['type', 'dispute type', 'stage'],
    },
    {
      head: 'Card Brand',
      field: 'cardbrand',
      kind: 'text',
      aliases: ['card type', 'brand', 'network'],
      maxLength: 40,
    },
    {
      head: 'Card Last4',
      field: 'cardlast4',
      kind: 'cardlast4',
      aliases: ['last4', 'last 4', 'last four', 'card number', 'account last 4', 'card'],
    },
    {
      head: 'ARN',
      field: 'arn',
      kind: 'id',
      aliases: ['acquirer reference number', 'reference number'],
      maxLength: 40,
    },
    {
      head: 'Auth Code',
      field: 'authcode',
      kind: 'id',
      aliases: ['authorization code', 'approval code'],
      maxLength: 20,
    },
    { head: 'Transaction Date', field: 'transactiondate', kind: 'date', aliases: ['sale date', 'tran date'] },
    {
      head: 'Transaction Amount',
      field: 'transactionamount',
      kind: 'money',
      aliases: ['sale amount', 'tran amount'],
    },
    {
      head: 'File Date',
      field: 'filedate',
      kind: 'date',
      required: true,
      aliases: [
        'chargeback date',
        'chargeback file date',
        'case date',
        'date filed',
        'date received',
        'received date',
      ],
    },
    {
      head: 'Amount',
      field: 'amount',
      kind: 'money',
      required: true,
      isCost: true,
      aliases: ['chargeback amount', 'case amount', 'dispute amount', 'disputed amount'],
    },
    { head: 'Reason Code', field: 'reasoncode', kind: 'id', maxLength: 20 },
    { head: 'Reason Description', field: 'reasondescription', kind: 'text' },
    { head: 'Status', field: 'status', kind: 'text', aliases: ['case status'], maxLength: 60 },
    {
      head: 'Resolution To',
      field: 'resolutionto',
      kind: 'text',
      aliases: ['resolved to', 'resolution'],
      maxLength: 60,
    },
    {
      head: 'Debit/Credit',
      field: 'debitcredit',
      kind: 'choice',
      choices: sides,
      aliases: ['dr cr', 'debit or credit'],
    },
    {
      head: 'Due Date',
      field: 'duedate',
      kind: 'date',
      mayBeLater: true,
      aliases: ['response due', 'respond by'],
    },
    { head: 'Resolved Date', field: 'resolveddate', kind: 'date', aliases: ['date resolved', 'closed date'] },
  ],
}

const levels = ['1', '2', '3', '4'].map((value): ColumnChoice => ({ value, words: [`level ${value}`] }))

export const pcicompliance: Import = {
  ...importKinds.pcicompliance,
  table: 'pci_compliance',
  key: ['xmid'],
  blankKeepsStored: true,
  totals: { fees: 'noncompliancefee' },
  columns: [
    mid,
    dba,
    {
      head: 'PCI Level',
      field: 'pcilevel',
      kind: 'code',
      choices: levels,
      aliases: ['level', 'merchant level'],
    },
    { head: 'SAQ Type', field: 'saqtype', kind: 'text', aliases: ['saq'], maxLength: 40 },
    { head: 'SAQ Status', field: 'saqstatus', kind: 'text', maxLength: 60 },
    {
      head: 'SAQ Received',
      field: 'saqreceived',
      kind: 'date',
      aliases: ['saq date', 'saq completed', 'saq received date'],
    },
    { head: 'Scan Required', field: 'scanrequired', kind: 'flag', aliases: ['requires scan'] },
    { head: 'Scan Status', field: 'scanstatus', kind: 'text', maxLength: 60 },
    { head: 'Last Scan Date', field: 'lastscandate', kind: 'date', aliases: ['last scan', 'scan date'] },
    {
      head: 'Compliance Status',
      field: 'compliancestatus',
      kind: 'text',
      required: true,
      aliases: ['pci status', 'pci compliance status', 'compliant', 'pci compliant', 'status'],
      maxLength: 60,
    },
    {
      head: 'Expiration Date',
      field: 'expirationdate',
      kind: 'date',
      mayBeLater: true,
      aliases: [
        'compliance expiration date',
        'compliance date',
        'pci expiration date',
        'expires',
        'expiry date',
        'compliant until',
      ],
    },
    {
      head: 'Enrolled Date',
      field: 'enrolleddate',
      kind: 'date',
      aliases: ['enrollment date', 'date enrolled'],
    },
    { head: 'Vendor', field: 'vendor', kind: 'text', aliases: ['pci vendor'], maxLength: 60 },
    {
      head: 'Non-Compliance Fee',
      field: 'noncompliancefee',
      kind: 'money',
      isCost: true,
      aliases: ['pci fee', 'non compliance fee amount'],
    },
  ],
}

const tinStatuses: readonly ColumnChoice[] = [
  { value: 'Match', words: ['matched', 'matches', 'valid', 'verified', '0', '6', '7', '8'] },
  { value: 'Missing', words: ['1', 'not provided', 'none'] },
  { value: 'Mismatch', words: ['mismatched', 'no match', 'not matched', 'does not match', '2', '3'] },
  { value: 'Error', words: ['4', '5', 'invalid request', 'duplicate request'] },
]
const code: ImportColumn = {
  head: 'TIN Code',
  field: 'code',
  kind: 'code',
  choices: Array.from({ length: 9 }, (_, value) => ({ value: String(value), words: [] })),
  aliases: ['code', 'irs code', 'result code', 'match code', 'tin match code', 'validation code', 'result'],
}
const tin: ImportColumn = {
  head: 'TIN',
  field: 'tinlast4',
  kind: 'taxidlast4',
  aliases: [
    'tax id',
    'tin masked',
    'masked tin',
    'tin last 4',
    'tin last4',
    'ein',
    'ssn',
    'fein',
    'tin number',
    'taxpayer id',
  ],
}
const legal: ImportColumn = {
  head: 'Legal Name',
  field: 'legalname',
  kind: 'text',
  aliases: ['name', 'legal business name', 'irs name'],
}
const swappedCodes =
  'is one thing to the IRS (1 = EIN, 2 = SSN) and the other to this portal (1 = SSN, 2 = EIN); ' +
  'write EIN or SSN'

export const tinvalidation: Import = {
  ...importKinds.tinvalidation,
  table: 'tin_validation',
  key: ['xmid'],
  blankKeepsStored: true,
  oneOf: [['tinstatus', 'code']],
  hidesTaxIds: true,
  // A line of the IRS bulk result: TIN type (1 = EIN, 2 = SSN, 3 = unknown), TIN, name, account, code.
  withoutHeading: {
    cellPatterns: [/^[123]?$/, /^[\dXx*-]{0,11}$/, /./, /^\S+$/, /^[0-8]$/],
    columns: [
      {
        head: 'TIN Type',
        field: 'tintype',
        kind: 'code',
        choices: [
          { value: '2', words: ['1'] },
          { value: '1', words: ['2'] },
          { value: '', words: ['3'] },
        ],
        wordsOnly: true,
      },
      tin,
      { ...legal, maxLength: 40 },
      { ...mid, head: 'Account' },
      { ...code, required: true },
    ],
  },
  columns: [
    mid,
    dba,
    legal,
    tin,
    {
      head: 'TIN Type',
      field: 'tintype',
      kind: 'code',
      choices: [
        { value: '1', words: ['SSN', 'social security number', 'individual'] },
        { value: '2', words: ['EIN', 'FEIN', 'employer identification number', 'business'] },
      ],
      wordsOnly: true,
      ambiguous: { pattern: /^\d$/, reason: swappedCodes },
    },
    {
      head: 'TIN Status',
      field: 'tinstatus',
      kind: 'choice',
      choices: tinStatuses,
      aliases: ['tin match', 'tin match status', 'tin validation status', 'match status', 'status'],
    },
    code,
    {
      head: 'Status Description',
      field: 'description',
      kind: 'text',
      aliases: ['tin status description', 'description', 'result description'],
    },
    {
      head: 'Checked Date',
      field: 'checkeddate',
      kind: 'date',
      aliases: ['date checked', 'validated date', 'validation date'],
    },
    {
      head: 'B-Notice',
      field: 'notice',
      kind: 'code',
      choices: [
        { value: '1', words: ['1st', 'first', '1st notice', 'first notice', 'b1'] },
        { value: '2', words: ['2nd', 'second', '2nd notice', 'second notice', 'b2'] },
      ],
      aliases: ['b notice number', 'notice'],
    },
    {
      head: 'Notice Date',
      field: 'noticedate',
      kind: 'date',
      mayBeLater: true,
      aliases: ['b notice date'],
    },
    { head: 'Withholding', field: 'withholding', kind: 'flag', aliases: ['backup withholding'] },
    {
      head: 'Withholding %',
      field: 'withholdingpercent',
      kind: 'percent',
      aliases: ['withholding percent', 'withholding rate'],
    },
  ],
}
