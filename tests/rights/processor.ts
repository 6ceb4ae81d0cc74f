import { processor as it } from '../../schemas/entities/processor.ts'
import { any, throughout, type Oracle } from './oracle.ts'

const locks = any('lock_reports')

/** Users who lock the months keep the processors whose files make them. */
export const processor: Oracle = {
  it,
  ...throughout(locks),
  fields: [
    { names: ['name'], fresh: locks, stored: locks, change: () => 'changed' },
    { names: ['othernames'], fresh: locks, stored: locks, change: () => 'another name' },
    { names: ['expected'], fresh: locks, stored: locks, change: () => 3 },
    { names: ['since'], fresh: locks, stored: locks, change: (row) => (row ? '2090-02' : '2090-13') },
  ],
  relevant: ['lock_reports'],
  rows: [{ id: 1, version: 1, name: 'P', othernames: '', expected: 1, since: null }],
  draft: (count) => ({ name: `Unused ${count}` }),
  edit: { expected: 2 },
}
