import { dollars, flag, idFault, identity, name, reference, seconds, text } from '../fields.ts'
import { everyone, forFields, holds, unless } from '../permissions.ts'
import { collectErrors, defineEntity } from './entity.ts'

/** Of a terminal whose agent and merchant are of two branches, one of them changes nothing (equipment 7). */
const manage = unless(
  (_, row) => row.shared === true,
  'Another branch has a part in this terminal: somebody who sees both must change it',
  holds('manage_equipment'),
)

/** Owner types (equipment 4); null means none. */
const ownerTypes = [
  { const: 1, title: 'PPS' },
  { const: 2, title: 'Master Agent' },
  { const: 3, title: 'Merchant' },
  { const: null, title: 'None' },
] as const

export const equipment = defineEntity({
  name: 'equipment',
  noun: 'equipment',
  title: 'Equipment',
  path: '/manage/equipment',
  table: 'equipment',
  schema: {
    $id: 'equipment',
    type: 'object',
    required: ['model', 'serialnumber'],
    additionalProperties: false,
    properties: {
      ...identity,
      model: { ...name, title: 'Model' },
      serialnumber: { ...name, title: 'Serial Number', maxLength: 60 },
      licensingkey: { ...text, title: 'LK/DID' },
      merchantid: { ...reference('merchant'), title: 'Merchant' },
      masteragentid: { ...reference('masteragent'), title: 'Master Agent' },
      trackingnumber: { ...text, title: 'Tracking Number' },
      equipmentownertypeid: {
        kind: 'choice',
        title: 'Equipment Owner',
        type: ['integer', 'null'],
        oneOf: ownerTypes,
        default: null,
      },
      requestedpaperworkdate: { ...seconds, title: 'Requested Date' },
      completedpaperworkdate: { ...seconds, title: 'Completed Date' },
      cost: { ...dollars, title: 'Cost' },
      soldfor: { ...dollars, title: 'Sold For' },
      paidsofar: { ...dollars, title: 'Paid So Far' },
      paymentterms: { ...text, title: 'Payment Terms' },
      paidstatus: { ...flag, title: 'Paid Status', readOnly: true, virtual: true },
      /** Whether a branch that the viewer does not see has a part in it. */
      shared: { ...flag, title: 'Shared', readOnly: true, virtual: true },
    },
  },
  access: {
    list: everyone,
    create: manage,
    update: manage,
    delete: manage,
    fields: {
      ...forFields(manage, 'model', 'serialnumber', 'licensingkey', 'trackingnumber'),
      ...forFields(manage, 'merchantid', 'masteragentid', 'equipmentownertypeid'),
      ...forFields(manage, 'requestedpaperworkdate', 'completedpaperworkdate'),
      ...forFields(manage, 'cost', 'soldfor', 'paidsofar', 'paymentterms'),
    },
  },
  scope: 'masteragentid',
  list: {
    columns: [
      { head: 'Model', field: 'model' },
      { head: 'SN', field: 'serialnumber' },
      { head: 'LK/DID', field: 'licensingkey' },
      { head: 'Merchant ID', field: 'merchantid', as: 'label' },
      { head: 'Master Agent', field: 'masteragentid', as: 'label' },
      { head: 'Equipment Owner', field: 'equipmentownertypeid', as: 'choice' },
      { head: 'Requested Date', field: 'requestedpaperworkdate', as: 'date' },
      { head: 'Completed Date', field: 'completedpaperworkdate', as: 'date' },
    ],
  },
  form: {
    title: 'Create or Edit Equipment',
    size: 'large',
    groups: [
      { fields: ['model', 'serialnumber', 'licensingkey', 'trackingnumber'] },
      { title: 'Where it is', fields: ['merchantid', 'masteragentid', 'equipmentownertypeid'] },
      { title: 'Paperwork', fields: ['requestedpaperworkdate', 'completedpaperworkdate'] },
      { title: 'Sale', fields: ['cost', 'soldfor', 'paidsofar', 'paymentterms', 'paidstatus'] },
    ],
    hidden: ['shared'],
  },
  bulk: {
    fields: [
      'masteragentid',
      'merchantid',
      'equipmentownertypeid',
      'model',
      'requestedpaperworkdate',
      'completedpaperworkdate',
      'paymentterms',
    ],
    reassign: 'masteragentid',
    delete: true,
  },
  check: ({ serialnumber }) => {
    const fault = idFault(String(serialnumber ?? ''))
    return collectErrors([[fault, 'serialnumber', `Serial Number ${fault}`]])
  },
})
