import { processorStatement as it } from '../../schemas/entities/processorStatement.ts'
import { any, anybody, never, throughout, type Oracle } from './oracle.ts'

const locks = any('lock_reports')

/** Whoever locks the months types what the processors state of them. */
export const processorStatement: Oracle = {
  it,
  ...throughout(locks),
  fields: [
    { names: ['processor', 'note'], fresh: locks, stored: locks, change: () => 'changed' },
    { names: ['month'], fresh: locks, stored: locks, change: () => '2090-02' },
    { names: ['statednet'], fresh: locks, stored: locks, change: () => -97.5 },
    {
      names: ['filenet'],
      fresh: never,
      stored: never,
      shown: { fresh: never, stored: anybody },
      change: () => 7,
    },
    { names: ['nofile'], fresh: locks, stored: locks, change: () => true, valid: false },
  ],
  relevant: ['lock_reports'],
  rows: [{ id: 1, version: 1, processor: 'P', month: '2090-01', statednet: 5, nofile: false, note: '' }],
  draft: (count) => ({ processor: `P${count}`, month: '2090-01', statednet: 5 }),
  edit: { note: 'changed' },
}
