import type { Entity } from '../../schemas/entity.ts'
import { dollars, flag, identity, name, paragraph, percent, reference, requiredReference, seconds, text } from '../../schemas/fields.ts'
import { everyone, holds, nobody } from '../../schemas/permissions.ts'

/** An entity that has every kind of field, as none of the portal's own does. */
const sample: Entity = {
  name: 'sample',
  noun: 'sample',
  title: 'Samples',
  at: '/samples',
  table: 'sample',
  schema: {
    $id: 'sample',
    type: 'object',
    required: ['name', 'agent'],
    additionalProperties: false,
    properties: {
      ...identity,
      name: { ...name, title: 'Name' },
      model: { ...text, title: 'Model' },
      notes: { ...paragraph, title: 'Notes' },
      quantity: { kind: 'number', type: ['integer', 'null'], title: 'Quantity', minimum: 0, default: null },
      cost: { ...dollars, title: 'Cost' },
      share: { ...percent, title: 'Share' },
      owner: {
        kind: 'choice',
        type: ['integer', 'null'],
        title: 'Owner',
        oneOf: [
          { const: 1, title: 'PPS' },
          { const: 2, title: 'Master Agent' },
          { const: null, title: 'None' },
        ],
        default: null,
      },
      agent: { ...requiredReference('masteragent'), title: 'Agent' },
      merchant: { ...reference('merchant'), title: 'Merchant' },
      paid: { ...flag, title: 'Paid' },
      day: { ...seconds, title: 'Day' },
      secret: { kind: 'password', type: 'string', title: 'Secret', default: '' },
      email: { kind: 'text', type: 'string', title: 'Email', default: '', maxLength: 60 },
      lines: {
        type: 'array',
        title: 'Lines',
        default: [],
        items: {
          type: 'object',
          required: ['amount', 'remark'],
          properties: { id: { type: 'integer', readOnly: true }, amount: { ...dollars, title: 'Amount' }, remark: { ...name, title: 'Remark' } },
        },
      } as never,
    },
  },
  access: {
    list: everyone,
    create: everyone,
    update: everyone,
    delete: everyone,
    fields: { model: nobody, email: holds('manage_users', 'create_users'), secret: holds('manage_users', 'create_users') },
  },
  scope: null,
  list: { search: [], columns: [] },
  form: {
    title: 'Create or Edit Sample',
    size: 'large',
    groups: [
      { fields: ['name', 'model', 'quantity', 'cost', 'share', 'owner', 'agent', 'merchant', 'paid', 'day'] },
      { title: 'Account', fields: ['email', 'secret'] },
      { fields: ['notes'] },
      { fields: ['lines'] },
    ],
  },
}

export const entities = { sample }
