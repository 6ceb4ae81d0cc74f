import type { Entity } from '../../schemas/entities/entity.ts'
import { dollars, flag, identity, month, name, paragraph, percent, reference, requiredReference, seconds, text } from '../../schemas/fields.ts'
import { admins, everyone, holds, nobody, permissions } from '../../schemas/permissions.ts'

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
      above: { kind: 'reference', to: 'masteragent', none: '0 - None (top level)', type: 'integer', minimum: 0, title: 'Above', default: 0 },
      account: {
        kind: 'choice',
        type: 'boolean',
        title: 'Account',
        oneOf: [
          { const: true, title: 'Checking' },
          { const: false, title: 'Savings' },
        ],
        default: true,
      },
      paid: { ...flag, title: 'Paid' },
      day: { ...seconds, title: 'Day' },
      period: { ...month, minLength: 0, pattern: '^(|\\d{4}-\\d{2})$', title: 'Period', default: '' },
      secret: { kind: 'password', type: 'string', title: 'Secret', default: '' },
      email: { kind: 'text', type: 'string', title: 'Email', default: '', maxLength: 60 },
      rights: {
        kind: 'permissions',
        title: 'Rights',
        type: 'object',
        properties: Object.fromEntries(permissions.map((name) => [name, { type: 'boolean', title: name }])),
      },
      chief: { ...flag, title: 'Chief' },
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
    fields: { model: nobody, chief: admins, email: holds('manage_users', 'create_users'), secret: holds('manage_users', 'create_users') },
  },
  scope: null,
  list: { search: [], columns: [] },
  form: {
    title: 'Create or Edit Sample',
    size: 'large',
    groups: [
      { fields: ['name', 'model', 'quantity', 'cost', 'share', 'owner', 'agent', 'merchant', 'above', 'account', 'paid', 'chief', 'day', 'period'] },
      { title: 'Account', fields: ['email', 'secret'] },
      { fields: ['notes'] },
      { fields: ['rights'] },
      { fields: ['lines'] },
    ],
    onlyExisting: ['rights'],
    onlyFor: { chief: admins },
  },
  check: ({ cost, share, model }) => ({
    ...(Number(cost) > 100 && !share && { share: 'Share is required above $100' }),
    ...(model === 'wrong' && { model: 'Model is wrong' }),
  }),
}

export const entities = { sample }
