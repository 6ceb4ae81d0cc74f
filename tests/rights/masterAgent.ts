import { masterAgent as it } from '../../schemas/entities/masterAgent.ts'
import { any, anybody, never, type Oracle, type Says } from './oracle.ts'

const manages = any('manage_master_agents')
const pays = any('manage_master_agents', 'edit_commission')
const fixes: Says = (person, row) => any('edit_commission')(person) && row?.['commissionnoteditable'] !== true
const holds: Says = (person) => pays(person) || any('lock_reports')(person)
const row = { id: 1, version: 1, name: 'North', parentid: 0, commissionnoteditable: false }

/** Rights of master agents (agents 2, 4): edit_commission alone opens the four commission fields,
 * and the percentage always needs it. Who settles months opens the dialog to hold payments (agents 14). */
export const masterAgent: Oracle = {
  it,
  menu: anybody,
  list: anybody,
  create: manages,
  open: holds,
  save: pays,
  put: pays,
  remove: manages,
  removeButton: manages,
  fields: [
    { names: ['name', 'businessname', 'notes'], fresh: manages, stored: manages, change: () => 'changed' },
    { names: ['routingnumber'], fresh: manages, stored: manages, change: () => '011401533' },
    { names: ['bankaccountnumber', 'taxid'], fresh: manages, stored: manages, change: () => '987654321' },
    { names: ['parentid', 'payeeid'], fresh: manages, stored: manages, change: () => 999_999, valid: 3 },
    { names: ['isofficeaccount', 'payoninactive'], fresh: manages, stored: manages, change: () => true },
    {
      names: ['isbankaccounttypechecking', 'isbankaccounttypebusiness'],
      fresh: manages,
      stored: manages,
      change: () => false,
    },
    { names: ['taxtypeid'], fresh: manages, stored: manages, change: () => 1 },
    {
      names: ['collectionSubscriptions'],
      fresh: manages,
      stored: manages,
      change: () => [{ amount: 1, notes: 'changed' }],
    },
    { names: ['percentagecommissionreceived'], fresh: fixes, stored: fixes, change: () => 98.5 },
    {
      names: [
        'amountcommissionreceived',
        'percentageequipmentcommissionreceived',
        'amountequipmentcommissionreceived',
      ],
      fresh: pays,
      stored: pays,
      change: () => 97.5,
    },
    {
      // Its control appears once a rate is changed.
      names: ['ratesfrom'],
      fresh: pays,
      stored: pays,
      shown: { fresh: never, stored: never },
      change: () => '2090-02',
      valid: new Date().toISOString().slice(0, 7),
    },
    {
      names: ['activemerchantcount', 'inactivemerchantcount'],
      fresh: never,
      stored: never,
      shown: { fresh: never, stored: anybody },
      change: () => 4711,
    },
    {
      names: ['bankpending'],
      fresh: never,
      stored: never,
      shown: { fresh: never, stored: never },
      change: () => ({ by: 'x', at: 1, fields: [], source: '', canconfirm: true }),
    },
    {
      names: ['payhold'],
      fresh: never,
      stored: never,
      shown: { fresh: never, stored: never },
      change: () => ({ by: 'x', at: 1, reason: 'x' }),
    },
    {
      names: ['displayid'],
      fresh: never,
      stored: never,
      shown: { fresh: never, stored: never },
      change: () => 'MA4711',
    },
    {
      names: ['ownchain'],
      fresh: never,
      stored: never,
      shown: { fresh: never, stored: never },
      change: (row) => row?.['ownchain'] !== true,
    },
    {
      names: ['commissionnoteditable'],
      fresh: never,
      stored: never,
      shown: { fresh: never, stored: never },
      change: (row) => row?.['commissionnoteditable'] !== true,
    },
  ],
  relevant: ['manage_master_agents', 'edit_commission', 'lock_reports'],
  rows: [row, { ...row, commissionnoteditable: true }],
  draft: (count, parentid) => ({ name: `Agent ${count}`, parentid }),
  edit: { notes: 'changed' },
}
