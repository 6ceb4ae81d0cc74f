import { equipment as it } from '../../schemas/entities/equipment.ts'
import { any, anybody, never, type Oracle } from './oracle.ts'

const manages = any('manage_equipment')

/** Rights of equipment (equipment 2, 6): the paid status is read-only. */
export const equipment: Oracle = {
  it,
  menu: anybody,
  list: anybody,
  create: manages,
  open: manages,
  save: manages,
  put: manages,
  remove: manages,
  removeButton: manages,
  fields: [
    {
      names: ['model', 'serialnumber', 'licensingkey', 'trackingnumber', 'paymentterms'],
      fresh: manages,
      stored: manages,
      change: () => 'changed',
    },
    {
      names: ['merchantid', 'masteragentid'],
      fresh: manages,
      stored: manages,
      change: () => 999_999,
      valid: 3,
    },
    { names: ['equipmentownertypeid'], fresh: manages, stored: manages, change: () => 2 },
    {
      names: ['requestedpaperworkdate', 'completedpaperworkdate'],
      fresh: manages,
      stored: manages,
      change: () => 86_400,
    },
    { names: ['cost', 'soldfor', 'paidsofar'], fresh: manages, stored: manages, change: () => 97.5 },
    { names: ['paidstatus'], fresh: never, stored: never, change: () => true },
    {
      names: ['shared'],
      fresh: never,
      stored: never,
      shown: { fresh: never, stored: never },
      change: () => true,
    },
  ],
  relevant: ['manage_equipment'],
  rows: [{ id: 1, version: 1, model: 'T', serialnumber: '1', paidstatus: false, shared: false }],
  draft: (count, masteragentid) => ({ model: 'T', serialnumber: `E${count}`, masteragentid }),
  edit: { trackingnumber: 'changed' },
}
