import { identity } from '../fields.ts'
import { admins, adminsSee, onlyNew } from '../permissions.ts'
import { arrayOf, integer, objectOf, string, type ShapeOf } from '../shapes.ts'
import { defineEntity } from './entity.ts'

/** Create-only: a version is never changed or deleted (terms 2). */
export const terms = defineEntity({
  name: 'tc',
  noun: 'terms and conditions',
  oneNoun: 'version of the terms and conditions',
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
    list: adminsSee,
    create: admins,
    open: adminsSee,
    update: admins,
    delete: admins,
    fields: { tctext: onlyNew(admins) },
  },
  scope: null,
  list: {
    unsearched: true,
    columns: [
      { head: 'ID', field: 'id' },
      { head: 'Text', field: 'tctext', grows: true },
    ],
  },
  form: { title: 'Terms and Conditions', size: 'large', groups: [{ fields: ['tctext'] }] },
})

const person = { userid: integer, username: string }
const acceptance = objectOf({
  ...person,
  /** Epoch seconds UTC. */
  acceptancedate: integer,
  ipaddress: string,
})
/** GET /api/v1/tc/acceptance/{id}: who accepted this version, when and from where (terms 5). */
export const acceptancesReply = objectOf({
  data: arrayOf(acceptance),
  /** The users who have not accepted it. */
  pending: arrayOf(objectOf(person)),
})
export type Acceptance = ShapeOf<typeof acceptance>
export type Acceptances = ShapeOf<typeof acceptancesReply>
