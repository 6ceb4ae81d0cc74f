import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { dayInZone } from '../../../server/money/bankDays.ts'
import { answered, epoch, ledger, type Ledger } from './ledger.ts'

let portal: Ledger
beforeAll(async () => {
  portal = await ledger({ timeZone: 'America/New_York' })
  await portal.db.query(
    `update equipment set requestedpaperworkdate = $1, completedpaperworkdate = null where serialnumber = 'SN-3'`,
    [epoch('2026-11-01')],
  )
})
afterEach(() => void vi.useRealTimers())
afterAll(() => portal.close())

/** An evening in New York is the next day in UTC. */
test.each([
  ['2026-11-01T03:30:00Z', '2026-10-31'],
  ['2026-11-01T03:59:59Z', '2026-10-31'],
  ['2026-11-01T04:00:00Z', '2026-11-01'],
  ['2026-01-01T04:59:59Z', '2025-12-31'],
  ['2026-01-01T05:00:00Z', '2026-01-01'],
  ['2028-02-29T23:30:00Z', '2028-02-29'],
  ['2028-03-01T04:30:00Z', '2028-02-29'],
])('in New York %s is a time of %s', (instant, day) =>
  expect(dayInZone('America/New_York', new Date(instant))).toBe(day),
)

test.each([
  ['2026-11-01T03:30:00Z', false],
  ['2026-11-01T04:00:00Z', true],
])('a report as of today, run at %s, knows of what happened on November 1: %s', async (instant, isKnown) => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(instant) })
  const { rows } = await answered(portal.admin, 'equipment-outstanding', {}, ['serialnumber', 'age'])
  expect(rows.find(([serial]) => serial === 'SN-3')).toEqual(isKnown ? ['SN-3', 0] : undefined)
})

test.each(['merchant/export?format=csv', 'audit/export?format=csv'])(
  'the file of %s bears the day of the portal',
  async (path) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-01T03:30:00Z') })
    const { headers } = await portal.admin.call('GET', `/api/v1/${path}`)
    expect(headers['content-disposition']).toMatch(/ 2026-10-31\.csv"$/)
  },
)

test('the database takes the current month of rates and terminals from the time zone of the portal', async () => {
  const month = (instant: string) =>
    portal.db.query(
      'select current_setting($1) as zone, date_trunc($2, $3::timestamptz)::date::text as month',
      ['timezone', 'month', instant],
    )
  const zone = 'America/New_York'
  expect(await month('2026-11-01T03:59:59Z')).toEqual([{ zone, month: '2026-10-01' }])
  expect(await month('2026-11-01T04:00:00Z')).toEqual([{ zone, month: '2026-11-01' }])
  const [{ now }] = (await portal.db.query<{ now: string }>(
    `select to_char(counting_month(), 'YYYY-MM') as now`,
  )) as [{ now: string }]
  expect(now).toBe(dayInZone(zone, new Date()).slice(0, 7))
})
