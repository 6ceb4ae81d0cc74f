import { identity, month, name, reference, seconds, text } from '../fields.ts'
import { holds, nobody, forFields } from '../permissions.ts'
import { defineEntity, collectErrors } from './entity.ts'

const locks = holds('lock_reports')

/** A signed line of a month's statement; that of a merchant counts for its master agent (money 14). */
export const adjustment = defineEntity({
  name: 'adjustment',
  noun: 'adjustment',
  title: 'Adjustments',
  path: '/manage/adjustments',
  table: 'adjustment',
  schema: {
    $id: 'adjustment',
    type: 'object',
    required: ['month', 'amount', 'reason'],
    additionalProperties: false,
    properties: {
      ...identity,
      month: { ...month, title: 'Month' },
      masteragentid: { ...reference('masteragent'), title: 'Master Agent' },
      merchantid: { ...reference('merchant'), title: 'Merchant' },
      amount: {
        kind: 'dollars',
        type: 'number',
        minimum: -999_999_999,
        maximum: 999_999_999,
        multipleOf: 0.01,
        title: 'Amount',
      },
      reason: { ...name, title: 'Reason' },
      author: { ...text, title: 'Author', readOnly: true },
      recorded: { ...seconds, title: 'Recorded', readOnly: true, virtual: true },
    },
  },
  access: {
    list: locks,
    create: locks,
    update: locks,
    delete: locks,
    fields: forFields(nobody, 'id', 'version', 'author', 'recorded'),
  },
  scope: 'masteragentid',
  list: {
    search: ['reason', 'author'],
    columns: [
      { head: 'Month', field: 'month', as: 'month' },
      { head: 'Master Agent', field: 'masteragentid', as: 'label' },
      { head: 'Merchant ID', field: 'merchantid', as: 'label' },
      { head: 'Amount', field: 'amount', as: 'dollars' },
      { head: 'Reason', field: 'reason' },
      { head: 'Author', field: 'author' },
      { head: 'Recorded', field: 'recorded', as: 'date' },
    ],
  },
  form: {
    title: 'Create or Edit Adjustment',
    size: 'large',
    groups: [
      { fields: ['month', 'amount'] },
      { title: 'Whose statement', fields: ['masteragentid', 'merchantid'] },
      { fields: ['reason'] },
      { fields: ['author', 'recorded'] },
    ],
    onlyExisting: ['author', 'recorded'],
  },
  check: ({ masteragentid, merchantid, amount }) =>
    collectErrors([
      [!masteragentid && !merchantid, 'masteragentid', 'Choose a master agent or a merchant'],
      [masteragentid && merchantid, 'merchantid', 'Choose a master agent or a merchant, not both'],
      [amount === 0, 'amount', 'Amount may not be 0'],
    ]),
})
