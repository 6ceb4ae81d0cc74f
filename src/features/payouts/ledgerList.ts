import { opensRecords, type Entity } from '../../../schemas/entities/entity.ts'
import { masterAgent } from '../../../schemas/entities/masterAgent.ts'
import { everyone, nobody, type Viewer } from '../../../schemas/permissions.ts'

/**
 * The payout ledger, which has a call of its own. A row leads to the form of its payee. For who may not open
 * that, or sees a branch alone, whose payee may be of another one, it leads to the list.
 */
export const ledgerListFor = (viewer: Viewer): Entity => ({
  name: 'ledger',
  noun: 'payment',
  title: 'Payments',
  path: '/payouts',
  table: 'payout_payment',
  schema: {
    $id: 'ledger',
    type: 'object',
    required: [],
    additionalProperties: false,
    properties: {
      payee: { type: 'string', title: 'Payee' },
      month: { type: 'string', title: 'Month', kind: 'month' },
      amount: { type: 'number', title: 'Amount' },
      effective: { type: 'string', title: 'Effective' },
      account: { type: 'string', title: 'Account' },
      how: { type: 'string', title: 'Paid By' },
      trace: { type: 'string', title: 'Trace Number' },
      returned: { type: 'string', title: 'Returned' },
      statements: { type: 'string', title: 'Statements' },
    },
  },
  access: { list: everyone, create: nobody, update: nobody, delete: nobody, open: nobody, fields: {} },
  scope: null,
  list: {
    columns: [
      { head: 'Payee', field: 'payee' },
      { head: 'Month', field: 'month', as: 'month' },
      { head: 'Amount', field: 'amount', as: 'dollars' },
      { head: 'Effective', field: 'effective' },
      { head: 'Account', field: 'account' },
      { head: 'Paid By', field: 'how' },
      { head: 'Trace Number', field: 'trace' },
      { head: 'Returned', field: 'returned' },
      { head: 'Statements', field: 'statements' },
    ],
    whenEmpty: 'They appear here once the payouts of a month are released.',
    elsewhere: ({ masteragentid, displayid }) => {
      const opens = viewer.seesall && opensRecords(masterAgent)(viewer)
      return { to: `${masterAgent.path}?${opens ? `open=${masteragentid}` : `search=${displayid}`}` }
    },
  },
  form: { title: 'Payment', size: 'large', groups: [] },
})
