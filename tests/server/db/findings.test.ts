import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Finding } from '../../../schemas/api/months/months.ts'
import { monthFindingGroups, monthFindings } from '../../../server/money/checklist/checklist.ts'
import { formerDatabase, type FormerDatabase } from './formerDatabase.ts'

let former: FormerDatabase
beforeAll(async () => {
  former = await formerDatabase('018')
})
afterAll(() => former.close())

test('findings of older locks are given a kind and a key of their own, in their order', async () => {
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

describe('the findings of a lock', () => {
  let before: FormerDatabase
  const finding = (kind: string, n: number, given: Partial<Finding> = {}): Finding => ({
    key: `${kind}:${n}`,
    kind,
    severity: 'warning',
    what: 'Looked at',
    where: `Row ${n}`,
    amount: n + 0.5,
    link: '/month',
    waiver: null,
    ...given,
  })
  const waiver = { username: 'ann', at: 1_790_000_000, reason: 'Looked at it' }
  const kept = (['hold', 'unknown-mid', 'circle', 'merchant-loss', 'stated-total'] as const).flatMap(
    (kind, at) =>
      Array.from({ length: [49, 50, 51, 2, 51][at]! }, (_, n) =>
        finding(kind, n, {
          ...(kind === 'circle' && { severity: 'stop' }),
          ...(kind === 'merchant-loss' && { severity: 'note', amount: null, link: null }),
          ...((kind === 'unknown-mid' || kind === 'stated-total') && n < 3 && { waiver }),
        }),
      ),
  )
  const many = Array.from({ length: 60 }, (_, n) => finding('hold', n, n < 20 ? { waiver } : {}))
  beforeAll(async () => {
    before = await formerDatabase('032')
    for (const [month, findings] of [
      ['2026-05-01', kept],
      ['2026-06-01', many],
    ])
      await before.db.query(
        `insert into month_lock (month, version, hash, username, findings) values ($1, 1, '', 'ann', $2::jsonb)`,
        [month, JSON.stringify(findings)],
      )
    await before.update()
  })
  afterAll(() => before.close())

  test('stay as they were when they become rows, in their order', async () => {
    expect(await monthFindings(before.db, '2026-05-01')).toEqual(kept)
    expect(await monthFindings(before.db, '2026-05-01', 'hold')).toEqual(kept.slice(0, 49))
  })
  test('are answered by kind up to 50, and stated totals all, with count and sums of all', async () => {
    const { kinds, findings } = await monthFindingGroups(before.db, '2026-05-01')
    expect(kinds.map((it) => [it.kind, it.severity, it.count, it.sum])).toEqual([
      ['hold', 'warning', 49, 1200.5],
      ['unknown-mid', 'warning', 50, 1250],
      ['circle', 'stop', 51, 1300.5],
      ['merchant-loss', 'note', 2, null],
      ['stated-total', 'warning', 51, 1300.5],
    ])
    expect(kinds.map((it) => [it.waived, it.waivedsum, it.waivedby])).toEqual([
      [0, 0, []],
      [3, 4.5, ['ann']],
      [0, 0, []],
      [0, 0, []],
      [3, 4.5, ['ann']],
    ])
    expect(findings).toEqual(kept.filter(({ key }) => key !== 'circle:50'))
  })
  test('that nobody waived come first where not all are answered', async () => {
    const { findings } = await monthFindingGroups(before.db, '2026-06-01')
    expect(findings).toEqual([...many.slice(0, 10), ...many.slice(20)])
  })
  test.each([
    'delete from locked_finding',
    'truncate locked_finding',
    `update locked_finding set amount = 1 where waiver is null`,
    `update locked_finding set waiver = '{}' where waiver is not null`,
  ])('cannot be changed: %s', async (statement) => {
    await expect(before.db.query(statement)).rejects.toThrow('what a lock froze cannot be changed')
  })
  test.each<[string, string, number | null]>([
    ['The MID is not in the portfolio', 'Aurora 1', 12.5],
    ['', '', null],
    ['a "quoted" \\ / text', 'tab\t line\n \u0001 \u007f', -0.1],
    ['é € 😀 \u2028', "it's", 0],
    ['x', 'y', 999_999_999_999.99],
    ['x', 'y', -1200],
  ])('have the fingerprint that their waivers were stored with: %j %j %j', async (...said) => {
    const [row] = await before.db.query('select finding_fingerprint($1, $2, $3) as print', said)
    expect(row!.print).toBe(createHash('sha256').update(JSON.stringify(said)).digest('hex'))
  })
})
