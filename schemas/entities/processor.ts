import { hasUnseen, identity, name, paragraph, optionalMonth, unseen } from '../fields.ts'
import { allOf, forFields, holds, seesAllAgents } from '../permissions.ts'
import { collectErrors, defineEntity } from './entity.ts'

/** A processor's files speak of all branches at once, as its statements do (processors 4). */
const locks = allOf(holds('lock_reports'), seesAllAgents)

/** When a file of a processor is expected (processors 3). */
const expectedFiles = [
  { const: 1, title: 'By its merchants' },
  { const: 2, title: 'Every month' },
  { const: 3, title: 'Not expected' },
] as const

/** Whose files bring the months' income, and by which names files call it (processors 2). */
export const processor = defineEntity({
  name: 'processor',
  noun: 'processor',
  title: 'Processors',
  path: '/manage/processors',
  table: 'processor',
  schema: {
    $id: 'processor',
    type: 'object',
    required: ['name'],
    additionalProperties: false,
    properties: {
      ...identity,
      name: { ...name, title: 'Name', maxLength: 60 },
      othernames: {
        ...paragraph,
        title: 'Other Names',
        maxLength: 2000,
      },
      expected: {
        kind: 'choice',
        title: 'File Expected',
        type: 'integer',
        oneOf: expectedFiles,
        default: 1,
      },
      since: { ...optionalMonth, title: 'Expected Since' },
    },
  },
  access: {
    list: locks,
    create: locks,
    update: locks,
    delete: locks,
    fields: forFields(locks, 'name', 'othernames', 'expected', 'since'),
  },
  scope: null,
  list: {
    columns: [
      { head: 'Name', field: 'name' },
      { head: 'Other Names', field: 'othernames' },
      { head: 'File Expected', field: 'expected', as: 'choice' },
      { head: 'Expected Since', field: 'since', as: 'month' },
    ],
  },
  form: {
    title: 'Create or Edit Processor',
    size: 'large',
    groups: [
      { fields: ['name', 'expected', 'since'] },
      { title: 'How files and headings call it, one name a line', fields: ['othernames'] },
    ],
  },
  bulk: { fields: ['expected', 'since'] },
  check: ({ name }) => collectErrors([[hasUnseen(String(name ?? '')), 'name', `Name ${unseen}`]]),
})
