import { identity } from '../fields.ts'
import { admins, nobody, forFields, onlyNew } from '../permissions.ts'
import { defineEntity } from './entity.ts'

/** Create-only: a version is never changed or deleted (terms 2). */
export const terms = defineEntity({
  name: 'tc',
  noun: 'terms and conditions',
  title: 'Terms and Conditions',
  menu: { at: 'side', text: 'Terms & Conditions' },
  path: '/terms',
  table: 'terms',
  schema: {
    $id: 'tc',
    type: 'object',
    required: ['tctext'],
    additionalProperties: false,
    properties: {
      ...identity,
      tctext: {
        kind: 'textarea',
        type: 'string',
        minLength: 1,
        maxLength: 200_000,
        pattern: '\\S',
        title: 'Text',
        rows: 10,
      },
    },
  },
  access: {
    list: admins,
    create: admins,
    open: admins,
    update: admins,
    delete: admins,
    fields: { ...forFields(onlyNew(admins), 'tctext'), ...forFields(nobody, 'id', 'version') },
  },
  scope: null,
  list: {
    search: [],
    columns: [
      { head: 'ID', field: 'id' },
      { head: 'Text', field: 'tctext' },
    ],
  },
  form: { title: 'Terms and Conditions', size: 'large', groups: [{ fields: ['tctext'] }] },
})

/**
 * GET /api/v1/tc/acceptance/{id}: who accepted this version, when (epoch seconds UTC) and from where
 * (terms 5).
 */
export type Acceptance = { userid: number; username: string; acceptancedate: number; ipaddress: string }
/** `pending` are the users who have not accepted it. */
export type Acceptances = { data: Acceptance[]; pending: { userid: number; username: string }[] }
const person = { userid: { type: 'integer' }, username: { type: 'string' } } as const
export const acceptancesReply = {
  type: 'object',
  required: ['data', 'pending'],
  properties: {
    data: {
      type: 'array',
      items: {
        type: 'object',
        properties: { ...person, acceptancedate: { type: 'integer' }, ipaddress: { type: 'string' } },
      },
    },
    pending: { type: 'array', items: { type: 'object', properties: person } },
  },
} as const
