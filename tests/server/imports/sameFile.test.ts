import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { ImportName } from '../../../schemas/imports/imports.ts'
import { describeRepeatedImport, findEarlierImport } from '../../../server/imports/store/repeatedFile.ts'
import { openTestPortal, type TestPortal } from '../../testPortal.ts'

let portal: TestPortal
beforeAll(async () => {
  portal = await openTestPortal({ demo: false })
})
afterAll(() => portal.close())

/** A batch of pcicompliance of September 1 by ann, but for what is given. */
const batch = (given: Record<string, unknown> = {}) =>
  portal.db.query(
    `insert into import_batch (kind, filename, sha256, size, username, fordate, rows, inserted, updated, unchanged,
         undone_at, undone_by)
       select kind, 'a.csv', sha256, 1, username, fordate, 1, 1, 0, 0, undone_at, undone_by
       from jsonb_populate_record(null::import_batch, $1)`,
    [
      JSON.stringify({
        kind: 'pcicompliance',
        sha256: 'a1',
        username: 'ann',
        fordate: '2026-09-01',
        ...given,
      }),
    ],
  )
const earlier = async (date: string | null = '2026-09-01') =>
  (await findEarlierImport(portal.db, 'pcicompliance', 'a1', date))?.username ?? null
const subjectOf = async (kind: ImportName, date: string) =>
  (await findEarlierImport(portal.db, kind, 'a1', date))?.subject

describe('the same file', () => {
  test.each<[string, Record<string, unknown>, string | null, string | null]>([
    ['of the same kind for the same day', {}, '2026-09-01', 'ann'],
    ['of another kind', { kind: 'tinvalidation' }, '2026-09-01', null],
    ['with other bytes', { sha256: 'a2' }, '2026-09-01', null],
    ['for the day before', {}, '2026-08-31', 'ann'],
    ['for the day after', {}, '2026-09-02', 'ann'],
    ['for no day', {}, null, 'ann'],
    ['for a day, when that before was for none', { fordate: null }, '2026-09-01', 'ann'],
    ['for no day, as that before', { fordate: null }, null, 'ann'],
    ['that was undone', { undone_at: '2026-09-02', undone_by: 'bob' }, '2026-09-01', null],
  ])('%s was imported before, or was not', async (_, given, date, username) => {
    await portal.db.query('truncate import_batch cascade')
    await batch(given)
    expect(await earlier(date)).toBe(username)
  })

  test.each<[ImportName, string | null, string | null]>([
    ['compdata', '2026-08-01', 'September 2026'],
    ['compdata', '2026-09-01', null],
    ['dailyvolume', '2026-09-02', '09/01/2026'],
  ])('of %s for another date, here %s, names the month or day of the first: %s', async (kind, date, says) => {
    // On a server west of UTC midnight of a day is on the day before.
    vi.stubEnv('TZ', 'America/New_York')
    onTestFinished(() => void vi.unstubAllEnvs())
    await portal.db.query('truncate import_batch cascade')
    await batch({ kind })
    expect(await subjectOf(kind, date!)).toBe(says)
  })

  test.each([
    ['UTC', null, 'The same file was imported before, by ann on Mar 10, 2026, 1:30 AM'],
    ['America/New_York', null, 'The same file was imported before, by ann on Mar 9, 2026, 9:30 PM'],
    [
      'America/New_York',
      'March 2026',
      'This file was imported already, for March 2026, by ann on Mar 9, 2026, 9:30 PM',
    ],
  ])('is told in the time zone %s, for %s: %s', (timeZone, subject, sentence) => {
    const importedat = Date.parse('2026-03-10T01:30Z') / 1000
    const told = describeRepeatedImport({ username: 'ann', importedat, subject }, timeZone)
    expect(told.replace('\u202f', ' ')).toBe(sentence)
  })

  test('imported for two dates is reported of the one that is the same', async () => {
    await portal.db.query('truncate import_batch cascade')
    await batch({ fordate: '2026-08-01' })
    await batch({ username: 'bob' })
    expect(await earlier()).toBe('bob')
  })

  test('imported twice is reported with who was first, or second when the first was undone', async () => {
    await portal.db.query('truncate import_batch cascade')
    for (const username of ['ann', 'bob', 'cid']) await batch({ username })
    expect(await earlier()).toBe('ann')
    await portal.db.query(
      `update import_batch set undone_at = now(), undone_by = 'ann' where username = 'ann'`,
    )
    expect(await earlier()).toBe('bob')
  })
})
