import { adjustment as it } from '../../schemas/entities/adjustment.ts'
import { any, anybody, never, throughout, type Oracle } from './oracle.ts'

const locks = any('lock_reports')

/** Users who lock the months see and write what is adjusted in them. */
export const adjustment: Oracle = {
  it,
  ...throughout(locks),
  fields: [
    { names: ['month'], fresh: locks, stored: locks, change: () => '2090-02' },
    { names: ['masteragentid'], fresh: locks, stored: locks, change: () => 999_999, valid: 3 },
    { names: ['merchantid'], fresh: locks, stored: locks, change: () => 999_999, valid: null },
    { names: ['amount'], fresh: locks, stored: locks, change: () => -97.5 },
    { names: ['reason'], fresh: locks, stored: locks, change: () => 'changed' },
    {
      names: ['author'],
      fresh: never,
      stored: never,
      shown: { fresh: never, stored: anybody },
      change: () => 'somebody',
    },
    {
      names: ['state'],
      fresh: never,
      stored: never,
      shown: { fresh: never, stored: anybody },
      change: () => 'refused',
    },
    {
      names: ['decidedby', 'decisionreason'],
      fresh: never,
      stored: never,
      shown: { fresh: never, stored: anybody },
      change: () => 'somebody',
    },
    {
      names: ['latemid'],
      fresh: never,
      stored: never,
      shown: { fresh: never, stored: anybody },
      change: () => '123, Quartz, May 2090',
    },
    {
      names: ['paysown'],
      fresh: never,
      stored: never,
      shown: { fresh: never, stored: never },
      change: (row) => row?.['paysown'] !== true,
    },
    {
      names: ['recorded'],
      fresh: never,
      stored: never,
      shown: { fresh: never, stored: anybody },
      change: () => 86_400,
    },
  ],
  relevant: ['lock_reports'],
  rows: [
    {
      id: 1,
      version: 1,
      month: '2090-01',
      masteragentid: 2,
      merchantid: null,
      amount: 5,
      reason: 'R',
      author: 'a',
      state: 'accepted',
    },
  ],
  draft: (_, masteragentid) => ({ month: '2090-01', masteragentid, amount: 5, reason: 'R' }),
  edit: { reason: 'changed' },
}
