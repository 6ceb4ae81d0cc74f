import { identity } from '../fields.ts'
import { admins, nobody, only, onlyNew } from '../permissions.ts'
import { entity } from './entity.ts'

/** Create-only: what somebody has accepted is never changed or deleted (decisions, section 2). */
export const terms = entity({
  name: 'tc',
  noun: 'terms and conditions',
  title: 'Terms and Conditions',
  menu: { at: 'side', text: 'Terms & Conditions' },
  at: '/terms',
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
    fields: { ...only(onlyNew(admins), 'tctext'), ...only(nobody, 'id', 'version') },
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

/** GET /api/v1/tc/acceptance/{id}: who accepted this version, when (epoch seconds) and from where; and who has not. */
export type Acceptance = { userid: number; username: string; acceptancedate: number; ipaddress: string }
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
