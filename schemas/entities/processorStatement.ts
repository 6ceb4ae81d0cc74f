import { flag, identity, month, name, text } from '../fields.ts'
import { allOf, holds, seesAllAgents, forFields } from '../permissions.ts'
import { defineEntity, collectErrors } from './entity.ts'

/** A processor's statement speaks of all branches at once (months 11). */
const locks = allOf(holds('lock_reports'), seesAllAgents)

/** The net a processor states for a month, typed in to be compared with the imported file (months 11). */
export const processorStatement = defineEntity({
  name: 'processorstatement',
  noun: 'processor statement',
  title: 'Processor Statements',
  path: '/manage/statements',
  table: 'processor_statement',
  schema: {
    $id: 'processorstatement',
    type: 'object',
    required: ['processor', 'month'],
    additionalProperties: false,
    properties: {
      ...identity,
      processor: { ...name, title: 'Processor', maxLength: 60 },
      month: { ...month, title: 'Month' },
      statednet: {
        kind: 'dollars',
        type: ['number', 'null'],
        minimum: -999_999_999_999,
        maximum: 999_999_999_999,
        multipleOf: 0.01,
        title: 'Stated Net',
        default: null,
      },
      filenet: {
        kind: 'dollars',
        type: ['number', 'null'],
        title: 'Net in the File',
        readOnly: true,
        virtual: true,
      },
      nofile: { ...flag, title: 'No file this month' },
      note: { ...text, title: 'Note', maxLength: 1000 },
    },
  },
  access: {
    list: locks,
    create: locks,
    update: locks,
    delete: locks,
    fields: forFields(locks, 'processor', 'month', 'statednet', 'nofile', 'note'),
  },
  scope: null,
  list: {
    sort: '-month',
    columns: [
      { head: 'Processor', field: 'processor' },
      { head: 'Month', field: 'month', as: 'month' },
      { head: 'Stated Net', field: 'statednet', as: 'dollars' },
      { head: 'Net in the File', field: 'filenet', as: 'dollars' },
      { head: 'File', field: 'nofile', as: 'flag', words: ['No file this month', ''] },
      { head: 'Note', field: 'note' },
    ],
  },
  form: {
    title: 'Create or Edit Processor Statement',
    size: 'large',
    groups: [{ fields: ['processor', 'month', 'statednet', 'filenet', 'nofile'] }, { fields: ['note'] }],
    onlyExisting: ['filenet'],
  },
  bulk: { fields: ['note'], delete: true },
  check: ({ statednet, nofile }) =>
    collectErrors([
      [
        !nofile && (statednet === null || statednet === undefined),
        'statednet',
        'Stated Net is required, unless there is no file this month',
      ],
      [
        nofile && typeof statednet === 'number',
        'statednet',
        'Stated Net must be empty when there is no file this month',
      ],
    ]),
})
