import { afterAll, beforeAll, expect, test } from 'vitest'
import { monthFindings } from '../../../server/money/checklist/checklist.ts'
import { formerDatabase, type FormerDatabase } from './formerDatabase.ts'

let former: FormerDatabase
beforeAll(async () => {
  former = await formerDatabase('018')
})
afterAll(() => former.close())

test('findings of locks of before are given a kind and a key of their own, in their order', async () => {
  const { db } = former
  const findings = [
    ['warning', 'The stated total differs from the file', 'Aurora'],
    ['warning', 'No bank data', 'MA0003'],
    ['warning', 'No bank data', 'MA0004'],
    ['note', 'The month is not over', 'May 2026'],
  ].map(([severity, what, where]) => ({ severity, what, where }))
  for (const [month, stored] of [
    ['2026-05-01', findings],
    ['2026-04-01', []],
  ])
    await db.query(
      `insert into month_lock (month, version, hash, username, findings) values ($1, 1, '', 'ann', $2::jsonb)`,
      [month, JSON.stringify(stored)],
    )
  await former.update()
  const none = { amount: null, link: null, waiver: null }
  expect(await monthFindings(db, '2026-05-01')).toEqual([
    { ...findings[0], key: 'stated-total:1', kind: 'stated-total', ...none },
    { ...findings[1], key: 'hold:2', kind: 'hold', ...none },
    { ...findings[2], key: 'hold:3', kind: 'hold', ...none },
    { ...findings[3], key: 'month-not-over:4', kind: 'month-not-over', ...none },
  ])
  expect(await monthFindings(db, '2026-04-01')).toEqual([])
})
