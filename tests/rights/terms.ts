import { terms as it } from '../../schemas/entities/terms.ts'
import { administrators, never, type Oracle } from './oracle.ts'

/** Sections 2 and 4, and decisions, section 2: administrators alone, create-only. */
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
}
