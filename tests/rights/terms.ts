import { terms as it } from '../../schemas/entities/terms.ts'
import { administrators, never, type Oracle } from './oracle.ts'

/** Rights of terms (terms 1, 2): administrators alone, create-only. */
export const terms: Oracle = {
  it,
  menu: administrators,
  list: administrators,
  create: administrators,
  open: administrators,
  save: never,
  put: administrators,
  remove: administrators,
  removeButton: never,
  fields: [
    { names: ['tctext'], fresh: administrators, stored: never, change: (row) => (row ? 'changed' : '') },
  ],
  relevant: [],
  rows: [{ id: 1, version: 1, tctext: 'Be good.' }],
  draft: (count) => ({ tctext: `Text ${count}` }),
  edit: {},
}
