import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { addBankDays, dayInZone, nextBankDay } from '../../../server/money/bankDays.ts'
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
  // The clocks go back on 2026-11-01 and forward on 2027-03-14, both at 2 o'clock.
  ['2026-11-01T05:59:59Z', '2026-11-01'],
  ['2026-11-01T06:00:00Z', '2026-11-01'],
  ['2026-11-02T04:59:59Z', '2026-11-01'],
  ['2026-11-02T05:00:00Z', '2026-11-02'],
  ['2027-03-14T04:59:59Z', '2027-03-13'],
  ['2027-03-14T05:00:00Z', '2027-03-14'],
  ['2027-03-14T07:00:00Z', '2027-03-14'],
  ['2027-03-15T03:59:59Z', '2027-03-14'],
  ['2027-03-15T04:00:00Z', '2027-03-15'],
])('%s is on %s in New York', (instant, day) =>
  expect(dayInZone('America/New_York', new Date(instant))).toBe(day),
)

test.each([
  ['2026-11-01T03:30:00Z', false],
  ['2026-11-01T04:00:00Z', true],
])('a report as of today, run at %s, includes what happened on November 1: %s', async (instant, isKnown) => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(instant) })
  const { rows } = await answered(portal.admin, 'equipment-outstanding', {}, ['serialnumber', 'age'])
  expect(rows.find(([serial]) => serial === 'SN-3')).toEqual(isKnown ? ['SN-3', 0] : undefined)
})

test.each([
  ['GET', 'merchant/export?format=csv'],
  ['GET', 'audit/export?format=csv'],
  ['POST', 'report/user-access/export?format=csv'],
] as const)('the file of %s %s bears the day of the portal', async (method, path) => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-01T03:30:00Z') })
  const { headers } = await portal.admin.call(method, `/api/v1/${path}`, method === 'POST' ? {} : undefined)
  expect(headers['content-disposition']).toMatch(/ 2026-10-31\.csv"$/)
})

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

test.each([
  ['2026-10-30', '2026-11-02', '2026-11-06'],
  ['2026-10-31', '2026-11-02', '2026-11-06'],
  ['2026-11-01', '2026-11-02', '2026-11-06'],
  // Veterans Day is a Wednesday.
  ['2026-11-05', '2026-11-06', '2026-11-13'],
  ['2027-03-12', '2027-03-15', '2027-03-19'],
  ['2027-03-13', '2027-03-15', '2027-03-19'],
  ['2027-03-14', '2027-03-15', '2027-03-19'],
])('after %s, beside a change of clocks, banks settle on %s, and the fifth time on %s', (day, next, fifth) =>
  expect([nextBankDay(day), addBankDays(day, 5)]).toEqual([next, fifth]),
)

/** The clocks of New York were set back on 2025-11-02 and forward on 2026-03-08. */
async function fillChanges({ db }: Ledger) {
  for (const [at, day] of ['2025-10-31', '2025-11-01', '2025-11-30', '2025-12-01', '2026-03-08'].entries()) {
    await db.query(
      `insert into chargeback (xmid, casenumber, dba, casetype, filedate, amount, batchid)
        values ('0012345678901', $1, '', 'chargeback', $2, 5, 1)`,
      [`C${at}`, epoch(day)],
    )
    await db.query(
      `insert into daily_volume (volumedate, xmid, salescount, salesamount, netamount, batchid)
        values ($1, '0012345678901', 1, $2, $2, 1)`,
      [day, 10 + at],
    )
  }
  await db.query(
    `insert into pci_compliance (xmid, compliancestatus, enrolleddate, scanrequired, lastscandate, batchid)
      values ('0012345678901', 'Failed', $1, false, null, 1), ('40123456789', 'Pass', null, true, $1, 1)`,
    [epoch('2025-12-08')],
  )
  await db.query(
    `insert into tin_validation (xmid, code, tinstatus, notice, noticedate, batchid)
      values ('0012345678901', 3, 'Mismatch', 1, $1, 1)`,
    [epoch('2025-10-24')],
  )
  await db.query(`update equipment set requestedpaperworkdate = $1, completedpaperworkdate = null`, [
    epoch('2026-03-07'),
  ])
  await db.query(
    `update merchant set date_added = $1, date_closed = $2, accountstatus = 3 where xmid = '40123456789'`,
    [epoch('2025-11-02'), epoch('2026-03-08')],
  )
}

describe.each(['UTC', 'America/New_York', 'Pacific/Kiritimati'])('reports in %s', (timeZone) => {
  let there: Ledger
  beforeAll(async () => {
    there = await ledger({ timeZone })
    await fillChanges(there)
  })
  afterAll(() => there.close())
  const run = async (type: string, inputs: object, names: string[]) =>
    (await answered(there.admin, type, inputs, names)).rows
  const first = (rows: unknown[][], xmid = '0012345678901') => rows.find(([id]) => id === xmid)?.slice(1)

  test.each([
    ['2025-10', 1, 10],
    ['2025-11', 2, 23],
    ['2025-12', 1, 13],
    ['2026-03', 1, 14],
  ])('the cases and the volume of %s are of its days', async (month, cases, sales) => {
    expect(first(await run('dispute-ratio', { month }, ['xmid', 'cases', 'sales']))).toEqual([cases, sales])
  })

  test.each([
    ['03/07/2026', 1, undefined],
    ['03/08/2026', 0, undefined],
    ['03/09/2026', -1, ['Scan lapsed']],
  ])('as of %s 90 days have %d left, and a scan of that day is %j', async (asof, left, lapsed) => {
    await there.db.query(`update merchant set accountstatus = 2 where xmid = '40123456789'`)
    expect(first(await run('pci-non-compliance', { asof }, ['xmid', 'daystofee']))).toEqual([left])
    expect(first(await run('pci-non-compliance', { asof }, ['xmid', 'why']), '40123456789')).toEqual(lapsed)
    await there.db.query(`update merchant set accountstatus = 3 where xmid = '40123456789'`)
  })

  test('who signed in and what was taken as a file are of the days of UTC', async () => {
    const days = ['2019-12-31 23:59Z', '2020-01-01 00:00Z', '2020-01-01 23:59Z', '2020-01-02 00:00Z']
    await there.db.query(
      `insert into report_export (at, username, address, report, inputs, format)
        select at::timestamptz, at, '', 'R', '{}', 'csv' from unnest($1::text[]) at`,
      [days],
    )
    await there.db.query(
      `insert into audit (at, username, address, action, entity, entityid)
        select at::timestamptz, 'north', '', 'login', 'user', '' from unnest($1::text[]) at`,
      [days.slice(0, 3)],
    )
    const span = { from: '01/01/2020', to: '01/01/2020' }
    const taken = await run('export-log', span, ['username', 'at'])
    expect(taken).toEqual([
      [days[2], '2020-01-01 23:59:00'],
      [days[1], '2020-01-01 00:00:00'],
    ])
    const users = await run('user-access', {}, ['username', 'lastsignin'])
    expect(first(users, 'north')).toEqual([epoch('2020-01-01')])
  })

  test('30 business days after October 24 are over on December 9', async () => {
    const rows = await run('tin-mismatch', { asof: '11/02/2025' }, ['xmid', 'deadline', 'daysleft'])
    expect(first(rows)).toEqual([epoch('2025-12-09'), 37])
  })

  test('the age of a terminal counts days of the calendar', async () => {
    for (const [asof, age] of [
      ['03/07/2026', 0],
      ['03/08/2026', 1],
      ['03/09/2026', 2],
    ] as const) {
      const rows = await run('equipment-outstanding', { asof }, ['serialnumber', 'age'])
      expect(new Set(rows.map(([, days]) => days))).toEqual(new Set([age]))
    }
  })

  test.each([
    ['11/01/2025', '11/01/2025', [0, 0]],
    ['11/02/2025', '11/02/2025', [1, 0]],
    ['11/03/2025', '03/07/2026', [0, 0]],
    ['03/08/2026', '03/08/2026', [0, 1]],
    ['03/09/2026', '03/31/2026', [0, 0]],
  ])('from %s to %s merchants were added and closed: %j', async (from, to, counts) => {
    const others = await there.db.query<{ at: number }>(
      `select date_added as at from merchant where date_added between $1 and $2 and xmid <> '40123456789'`,
      [epoch(iso(from)), epoch(iso(to))],
    )
    const rows = await run('portfolio-summary', { from, to }, ['fresh', 'closed'])
    const sum = (at: number) => rows.reduce((total, row) => total + Number(row[at]), 0)
    expect([sum(0) - others.length, sum(1)]).toEqual(counts)
  })
})
/** '2025-11-02' of '11/02/2025'. */
const iso = (day: string) => day.replace(/(\d+)\/(\d+)\/(\d+)/, '$3-$1-$2')
