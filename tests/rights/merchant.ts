import { merchant as it } from '../../schemas/entities/merchant.ts'
import { any, anybody, never, type Oracle } from './oracle.ts'

const manages = any('manage_merchants')
const sells = any('manage_merchants', 'edit_maid_salesrep')
const text = () => 'changed'
const day = () => 86_400

/** Rights of merchants (merchants 4): edit_maid_salesrep alone opens sales rep, master agent, statuses. */
export const merchant: Oracle = {
  it,
  menu: anybody,
  list: anybody,
  create: manages,
  open: sells,
  save: sells,
  put: sells,
  remove: any('delete_merchants'),
  removeButton: any('delete_merchants'),
  fields: [
    { names: ['businesstype', 'product', 'notes'], fresh: manages, stored: manages, change: text },
    {
      names: [
        'dbaaddress',
        'dbacity',
        'dbastate',
        'dbazip',
        'legaladdress',
        'legalcity',
        'legalstate',
        'legalzip',
      ],
      fresh: manages,
      stored: manages,
      change: text,
    },
    {
      names: ['date_added', 'date_approved', 'date_submitted', 'date_closed', 'date_received'],
      fresh: manages,
      stored: manages,
      change: day,
    },
    {
      names: ['sales_rep', 'status', 'tinstatus', 'tinstatusdescription'],
      fresh: sells,
      stored: sells,
      change: text,
    },
    { names: ['masteragentid'], fresh: sells, stored: sells, change: () => 999_999, valid: 3 },
    { names: ['xmid', 'dba'], fresh: manages, stored: never, change: text },
    {
      names: ['latemonths'],
      fresh: never,
      stored: never,
      shown: { fresh: never, stored: never },
      change: () => 3,
    },
    { names: ['accountstatus'], fresh: manages, stored: never, change: () => 3 },
  ],
  relevant: ['manage_merchants', 'edit_maid_salesrep', 'delete_merchants'],
  rows: [{ id: 1, version: 1, xmid: '1', dba: 'A', accountstatus: 1 }],
  draft: (count, masteragentid) => ({ xmid: `E${count}`, dba: 'Diner', masteragentid }),
  edit: { notes: 'changed' },
}
