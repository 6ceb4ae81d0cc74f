import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dateInput, InputError, integerInput } from '../../../server/reports/engine/inputs.ts'
import { answered, epoch, ledger, type Ledger } from '../reports/ledger.ts'

let portal: Ledger
beforeAll(async () => {
  portal = await ledger()
})
afterAll(() => portal.close())

const run = async (type: string, inputs: object, names: string[]) =>
  (await answered(portal.admin, type, inputs, names)).rows
const status = async (type: string, inputs: object) =>
  (await portal.admin.call('POST', `/api/v1/report/${type}`, inputs)).status
const days = (day: string, more: number) => epoch(day) + more * 86_400
const alder = '0012345678901'

describe('an input', () => {
  test.each<[string, object, number]>([
    ['non-processing-merchants', { days: 0 }, 422],
    ['non-processing-merchants', { days: 1 }, 200],
    ['non-processing-merchants', { days: 3650 }, 200],
    ['non-processing-merchants', { days: 3651 }, 422],
    ['agent-1099-totals', { year: 1999 }, 422],
    ['agent-1099-totals', { year: 2000 }, 200],
    ['agent-1099-totals', { year: 2100 }, 200],
    ['agent-1099-totals', { year: 2101 }, 422],
    ['portfolio-summary', { from: '09/02/2026', to: '09/01/2026' }, 422],
    ['portfolio-summary', { from: '09/01/2026', to: '09/01/2026' }, 200],
    ['portfolio-summary', { from: '02/29/2026', to: '03/01/2026' }, 422],
    ['portfolio-summary', { from: '02/29/2024', to: '03/01/2026' }, 200],
    ['portfolio-summary', { from: '12/31/2025', to: '01/01/2026' }, 200],
    ['merchant-by-month', { merchant: 'x'.repeat(200) }, 200],
    ['merchant-by-month', { merchant: 'x'.repeat(201) }, 422],
    ['residual-summary', { month: 'x'.repeat(200) }, 422],
    ['residual-summary', { month: 'x'.repeat(201) }, 422],
  ])('of %s as %j answers %i', async (type, inputs, code) => expect(await status(type, inputs)).toBe(code))
})

describe('what is typed into', () => {
  const valueOf = (parsed: unknown) => (parsed instanceof InputError ? null : parsed)
  test.each<[string, number | null]>([
    ['1', 1],
    ['30', 30],
    ['000000030', 30],
    ['0000000030', null],
    ['+30', null],
    ['-30', null],
    ['30.0', null],
    ['3e1', null],
    ['0x1e', null],
    ['30x', null],
    ['30\n', null],
    [' 30', null],
    ['', null],
    ['٣', null],
  ])('a whole number: %j is %j', (sent, value) =>
    expect(valueOf(integerInput('Days', 1, 3650).parse(sent))).toBe(value),
  )

  test.each<[string, string | null]>([
    ['10/31/2026', '2026-10-31'],
    ['1/2/2026', '2026-01-02'],
    ['01/02/2026', '2026-01-02'],
    ['12/31/1899', null],
    ['01/01/1900', '1900-01-01'],
    ['12/31/9999', '9999-12-31'],
    ['02/28/2026', '2026-02-28'],
    ['02/29/2026', null],
    ['02/29/2028', '2028-02-29'],
    ['00/10/2026', null],
    ['13/10/2026', null],
    ['10/00/2026', null],
    ['10/32/2026', null],
    ['010/31/2026', null],
    ['10/031/2026', null],
    ['10/31/02026', null],
    ['10/31/026', null],
    ['x10/31/2026', null],
    ['10/31/2026x', null],
    ['10/31/2026\n', null],
    ['110/31/2026', null],
    ['10/31/20260', null],
  ])('a day: %j is %j', (sent, value) => expect(valueOf(dateInput('From').parse(sent))).toBe(value))
})

describe('the dispute ratio', () => {
  beforeEach(() => portal.db.query('truncate chargeback cascade'))
  /** Cases filed in September, transactions of September and of August. */
  test.each<[number, number, number, string | null]>([
    [3, 401, 1, null],
    [3, 400, 1, 'Watch'],
    // 0.7453 %: what is rounded up for the eye is not over the threshold.
    [12, 1_610, 1, null],
    [4, 401, 1, 'Watch'],
    [4, 400, 1, 'Over 1 %'],
    [99, 100_000, 6_600, null],
    [100, 100_000, 6_667, null],
    [100, 100_000, 6_668, null],
    [100, 100_000, 6_666, 'Mastercard ECM'],
    [150, 100_000, 10_000, 'Mastercard ECM'],
    [299, 100_000, 9_900, 'Mastercard ECM'],
    [300, 100_000, 10_001, 'Mastercard ECM'],
    [300, 100_000, 10_000, 'Mastercard HECM'],
    [300, 100_000, 0, null],
    [1, 0, 0, null],
  ])('of %i cases, %i sales and %i the month before is flagged %s', async (cases, now, before, flag) => {
    for (const [month, count] of [
      ['2026-09-01', now],
      ['2026-08-01', before],
    ])
      await portal.db.query(`update residual set txncount = $3 where xmid = $1 and month = $2`, [
        alder,
        month,
        count,
      ])
    await portal.db.query(
      `insert into chargeback (xmid, casenumber, dba, casetype, filedate, amount, batchid)
        select $1, 'C' || n, '', 'chargeback', $2, 1, 1 from generate_series(1, $3::int) n`,
      [alder, epoch('2026-09-15'), cases],
    )
    expect(await run('dispute-ratio', { month: '2026-09' }, ['xmid', 'cases', 'flag'])).toEqual([
      [alder, cases, flag],
    ])
  })

  test('has zeros and no ratio for a merchant of whom neither file nor day tells anything', async () => {
    await portal.db.query(
      `insert into chargeback (xmid, casenumber, dba, casetype, filedate, amount, batchid)
        values ('unseen', 'C1', 'Unseen', 'chargeback', $1, 1, 1)`,
      [epoch('2026-09-15')],
    )
    const figures = ['txncount', 'sales', 'countratio', 'amountratio', 'before', 'beforeratio', 'flag']
    expect(await run('dispute-ratio', { month: '2026-09' }, ['xmid', ...figures])).toEqual([
      ['unseen', 0, 0, null, null, 0, null, null],
    ])
  })

  test('is in the order of ratio, cases and MID, without a ratio last; without a file it counts the days of each month', async () => {
    const volume: [xmid: string, day: string, count: number][] = [
      ['V-4', '2026-07-31', 100],
      ['V-4', '2026-08-01', 3],
      ['V-4', '2026-08-31', 5],
      ['V-4', '2026-09-01', 2],
      ['V-4', '2026-09-30', 3],
      ['V-4', '2026-10-01', 100],
      ['V-5', '2026-09-15', 20],
      ['V-2', '2026-09-15', 10],
      ['V-3', '2026-09-15', 10],
    ]
    for (const [xmid, day, count] of volume)
      await portal.db.query(
        `insert into daily_volume (volumedate, xmid, salescount, salesamount, netamount, batchid)
          values ($1, $2, $3, 1, 1, 1)`,
        [day, xmid, count],
      )
    const cases = { 'V-3': 1, 'V-0': 1, 'V-2': 1, 'V-4': 1, 'V-5': 2 }
    for (const [xmid, count] of Object.entries(cases))
      await portal.db.query(
        `insert into chargeback (xmid, casenumber, casetype, filedate, amount, batchid)
          select $1, 'C' || n, 'chargeback', $2, 1, 1 from generate_series(1, $3::int) n`,
        [xmid, epoch('2026-09-15'), count],
      )
    const names = ['xmid', 'cases', 'txncount', 'countratio', 'before']
    expect(await run('dispute-ratio', { month: '2026-09' }, names)).toEqual([
      ['V-4', 1, 5, 20, 8],
      ['V-5', 2, 20, 10, 0],
      ['V-2', 1, 10, 10, 0],
      ['V-3', 1, 10, 10, 0],
      ['V-0', 1, 0, null, 0],
    ])
  })

  test.each<[string, number]>([
    ['2026-08-31', 0],
    ['2026-09-01', 1],
    ['2026-09-30', 1],
    ['2026-10-01', 0],
  ])('counts a case filed on %s in September %i times', async (day, count) => {
    await portal.db.query(
      `insert into chargeback (xmid, casenumber, dba, casetype, filedate, amount, batchid)
        values ($1, 'C1', '', 'chargeback', $2, 1, 1)`,
      [alder, epoch(day)],
    )
    expect(await run('dispute-ratio', { month: '2026-09' }, ['cases'])).toHaveLength(count)
  })
})

describe('PCI Non-Compliance as of a day', () => {
  const asof = '2026-10-01'
  beforeEach(() => portal.db.query('truncate pci_compliance cascade'))
  const state = async (record: Record<string, unknown>) => {
    const held = { xmid: alder, compliancestatus: 'Compliant', batchid: 1, scanrequired: true, ...record }
    await portal.db.query(
      `insert into pci_compliance (${Object.keys(held).join()}) select ${Object.keys(held).join()}
        from jsonb_populate_record(null::pci_compliance, $1)`,
      [JSON.stringify({ noncompliancefee: 0, ...held })],
    )
    const rows = await run('pci-non-compliance', { asof: '10/01/2026' }, [
      'xmid',
      'why',
      'daystofee',
      'feestate',
    ])
    return rows.find(([xmid]) => xmid === alder)?.slice(1) ?? null
  }
  test.each<[number, string | null]>([
    [-89, null],
    [-90, null],
    [-91, 'Scan lapsed'],
  ])('a scan is good for 90 days: of one %i days away it says %s', async (day, why) => {
    const row = await state({ lastscandate: days(asof, day), expirationdate: 0 })
    expect(row?.[0] ?? null).toBe(why)
  })
  test.each<[number | null, boolean, string | null]>([
    [null, true, 'Scan lapsed'],
    [0, true, 'Scan lapsed'],
    [null, false, null],
    [0, false, null],
  ])('a last scan of %s, where scans are required: %s, says %s', async (lastscandate, scanrequired, why) => {
    const row = await state({ lastscandate, scanrequired, expirationdate: 0 })
    expect(row?.[0] ?? null).toBe(why)
  })
  test.each<[number, string | null]>([
    [-1, 'Expired'],
    [0, 'Expired'],
    [1, null],
  ])('an attestation that ends %i days after it: %s', async (day, why) => {
    const row = await state({ scanrequired: false, expirationdate: days(asof, day) })
    expect(row?.[0] ?? null).toBe(why)
  })
  test.each<[number, number, string]>([
    [-89, 1, 'Not yet due'],
    [-90, 0, 'Due and not charged'],
    [-91, -1, 'Due and not charged'],
  ])('a merchant that enrolled %i days away has %i days to the fee: %s', async (day, left, fee) =>
    expect(await state({ compliancestatus: 'Failed', enrolleddate: days(asof, day) })).toEqual([
      'Not compliant',
      left,
      fee,
    ]),
  )

  test('has a MID of no merchant without an agent, and is in the order of days to the fee, reason and MID', async () => {
    await state({ compliancestatus: 'Failed', enrolleddate: days(asof, 0) })
    await state({ xmid: '4012345678902345', expirationdate: days(asof, 0), enrolleddate: days(asof, 0) })
    await state({ xmid: 'Z-2', dba: 'Stranger', compliancestatus: 'Failed' })
    const names = ['xmid', 'dba', 'agent', 'why', 'daystofee']
    expect(await run('pci-non-compliance', { asof: '10/01/2026' }, names)).toEqual([
      ['4012345678902345', '=Briar & Sons, "Inc."', 'MA0003 - East', 'Expired', 90],
      [alder, 'Alder Bakery', 'MA0003 - East', 'Not compliant', 90],
      ['40123456789', 'Dapple Garage', 'MA0004 - Wést & Co', 'Never enrolled', null],
      ['401234567890', 'Cinder Diner', 'MA0002 - North', 'Never enrolled', null],
      ['401234567895555', 'Ember Café', 'MA0005 - South', 'Never enrolled', null],
      ['401234567897777', 'Gable Books', 'MA0002 - North', 'Never enrolled', null],
      ['Z-2', 'Stranger', null, 'Not compliant', null],
    ])
  })
})

describe('TIN Mismatch as of a day', () => {
  beforeEach(() => portal.db.query('truncate tin_validation cascade'))
  const cinder = '401234567890'
  const names = ['xmid', 'volume', 'deadline']
  const listed = async (asof: string) => run('tin-mismatch', { asof }, names)
  const notice = (xmid: string, noticedate: number | null, checkeddate: number | null = null) =>
    portal.db.query(
      `insert into tin_validation (xmid, code, tinstatus, noticedate, checkeddate, batchid)
        values ($1, 3, 'Mismatch', $2, $3, 1)`,
      [xmid, noticedate, checkeddate],
    )

  test.each<[string, number]>([
    ['07/31/2026', 0],
    ['08/01/2026', 400],
    ['08/31/2026', 400],
    ['09/01/2026', 900],
    ['07/31/2027', 900],
    ['08/01/2027', 500],
    ['08/31/2027', 500],
    ['09/01/2027', 0],
  ])('counts the volume of 12 months: on %s of those of August and September %d', async (asof, volume) =>
    expect((await listed(asof)).map((row) => row.slice(0, 2))).toEqual([[cinder, volume]]),
  )

  test.each<[number | null, boolean]>([
    [null, true],
    [-1, true],
    [0, true],
    [1, false],
  ])('a check %s days after it is known then: %s', async (day, isKnown) => {
    await notice(alder, null, day === null ? null : days('2026-10-01', day))
    expect((await listed('10/01/2026')).some(([xmid]) => xmid === alder)).toBe(isKnown)
  })

  test.each([
    [null, 24, 960],
    [0, 0, 0],
    [31, 31, 1240],
  ])('with a rate of %j withholds %d %: %d of 4,000.00', async (rate, percent, exposed) => {
    const ember = '401234567895555'
    await portal.db.query(
      `insert into tin_validation (xmid, code, tinstatus, withholdingpercent, batchid)
        values ($1, 3, 'Mismatch', $2, 1)`,
      [ember, rate],
    )
    const rows = await run('tin-mismatch', { asof: '09/30/2026' }, ['xmid', 'rate', 'exposed'])
    expect(rows).toContainEqual([ember, percent, exposed])
  })

  /** 25 December, 1 January and 18 January are holidays. */
  test.each<[string, string]>([
    ['2026-12-10', '2027-01-26'],
    ['2026-12-31', '2027-02-16'],
  ])('30 business days after a notice of %s go on in the next year, to %s', async (day, deadline) => {
    await notice(alder, epoch(day))
    const rows = await listed('12/31/2026')
    expect(rows.find(([xmid]) => xmid === alder)?.[2]).toBe(epoch(deadline))
  })

  test.each(['01/01/2015', '12/31/2026', '01/01/2040'])(
    'the holidays are those after the notice, whatever day is asked for: %s',
    async (asof) => {
      await notice(alder, epoch('2026-12-31'))
      await notice('4012345678902345', epoch('2019-12-31'))
      const rows = await listed(asof)
      const deadlineOf = (mid: string) => rows.find(([xmid]) => xmid === mid)?.[2]
      expect([deadlineOf(alder), deadlineOf('4012345678902345')]).toEqual([
        epoch('2027-02-16'),
        epoch('2020-02-13'),
      ])
    },
  )

  test('is in the order of deadline, amount at stake and MID, without a notice last', async () => {
    for (const xmid of ['401234567896666', '401234567895555', '40123456789'])
      await notice(xmid, epoch('2026-08-28'))
    await notice('4012345678902345', epoch('2026-08-27'))
    await portal.db.query(
      `update residual set sales = 300 where month = '2026-09-01' and xmid = '40123456789'`,
    )
    const rows = await listed('10/01/2026')
    expect(rows.map(([xmid]) => xmid)).toEqual([
      '4012345678902345',
      '401234567895555',
      '40123456789',
      '401234567896666',
      cinder,
    ])
  })
})

describe('Non-processing Merchants', () => {
  /** The day of the portal, whose time zone is UTC. */
  const today = new Date().toISOString().slice(0, 10)
  const silent = async (ago: number, asked: number) => {
    await portal.db.query('truncate daily_volume cascade')
    await portal.db.query(
      `insert into daily_volume (volumedate, xmid, salescount, salesamount, netamount, batchid) values ($1::date - $2::int, $3, 1, 5, 5, 1)`,
      [today, ago, alder],
    )
    const rows = await run('non-processing-merchants', { days: asked }, ['xmid', 'silent', 'volume'])
    return rows.find(([xmid]) => xmid === alder)?.slice(1) ?? null
  }
  test.each<[number, number, (number | null)[] | null]>([
    [29, 30, null],
    [30, 30, [30, 5]],
    [31, 30, [31, 5]],
    [0, 1, null],
    [1, 1, [1, 5]],
    [89, 30, [89, 5]],
    [90, 30, [90, 0]],
    [91, 30, [91, 0]],
  ])(
    'a last batch %i days ago, asked with %i days: days and volume of 90 days are %j',
    async (ago, asked, row) => expect(await silent(ago, asked)).toEqual(row),
  )

  test('have a usual gap between days, however many batches a day has; of one day there is none', async () => {
    await portal.db.query('truncate daily_volume cascade')
    const batches: [xmid: string, ago: number][] = [
      [alder, 50],
      [alder, 50],
      [alder, 50],
      [alder, 40],
      [alder, 35],
      ['401234567890', 60],
      ['401234567890', 60],
    ]
    for (const [at, [xmid, ago]] of batches.entries())
      await portal.db.query(
        `insert into daily_volume (volumedate, xmid, batchnumber, salescount, salesamount, netamount, batchid)
          values ($1::date - $2::int, $3, $4, 1, 1, 1, 1)`,
        [today, ago, xmid, String(at)],
      )
    const rows = await run('non-processing-merchants', { days: 30 }, ['xmid', 'silent', 'usual'])
    expect(rows.slice(0, 2)).toEqual([
      [alder, 35, 7.5],
      ['401234567890', 60, null],
    ])
  })
})

describe('a span of days', () => {
  const span = { from: '09/01/2026', to: '09/30/2026' }
  test.each<[string, number, fresh: number, closed: number]>([
    ['2026-08-31', 3, 0, 0],
    ['2026-09-01', 3, 1, 1],
    ['2026-09-30', 3, 1, 1],
    ['2026-10-01', 3, 0, 0],
    ['2026-09-30', 2, 1, 0],
    ['2026-09-30', 1, 1, 0],
  ])(
    'a merchant added and closed on %s, of state %i, is new in it %i times and closed %i times',
    async (day, state, fresh, closed) => {
      await portal.db.query(
        'update merchant set date_added = $2, date_closed = $2, accountstatus = $3 where xmid = $1',
        ['40123456789', epoch(day), state],
      )
      await portal.db.query(
        `update merchant set date_added = $1, date_closed = null where masteragentid = 4 and xmid <> '40123456789'`,
        [epoch('2020-01-01')],
      )
      const rows = await run('portfolio-summary', span, ['displayid', 'fresh', 'closed'])
      expect(rows.find(([agent]) => agent === 'MA0004')).toEqual(['MA0004', fresh, closed])
    },
  )

  /** Added, closed, state; is the merchant among those at the start, and among those lost? */
  test.each<[string, string | null, number, number, number]>([
    ['2026-08-31', null, 2, 1, 0],
    ['2026-09-01', null, 2, 0, 0],
    ['2026-01-01', '2026-08-31', 3, 0, 0],
    ['2026-01-01', '2026-09-01', 3, 1, 1],
    ['2026-01-01', '2026-09-30', 3, 1, 1],
    ['2026-01-01', '2026-10-01', 3, 1, 0],
    // Active again, with the date of former.
    ['2026-01-01', '2026-08-31', 2, 1, 0],
    ['2026-01-01', '2026-09-01', 2, 1, 0],
    ['2026-01-01', '2026-09-30', 1, 1, 0],
  ])(
    'of a merchant added on %s and closed on %s, of state %i, %i was there and %i was lost',
    async (added, closed, state, base, lost) => {
      await portal.db.query(`delete from merchant where masteragentid = 4 and xmid <> '40123456789'`)
      await portal.db.query(
        'update merchant set date_added = $2, date_closed = $3, accountstatus = $4 where xmid = $1',
        ['40123456789', epoch(added), closed && epoch(closed), state],
      )
      const rows = await run('attrition', span, ['displayid', 'base', 'lost'])
      expect(rows.find(([agent]) => agent === 'MA0004') ?? ['MA0004', 0, 0]).toEqual(['MA0004', base, lost])
    },
  )

  test.each<[number, string | null, number]>([
    [1, '2026-01-01', 1],
    [2, '2026-01-01', 1],
    [3, '2026-01-01', 0],
    [2, '1970-01-01', 0],
    [2, null, 0],
  ])(
    'of a merchant of state %i without a closing date, added on %s, %i was there at the start',
    async (state, added, base) => {
      await portal.db.query(
        'update merchant set accountstatus = $2, date_added = $3, date_closed = null where xmid = $1',
        ['40123456789', state, added && epoch(added)],
      )
      const rows = await run('attrition', span, ['displayid', 'base'])
      expect(rows.find(([agent]) => agent === 'MA0004') ?? ['MA0004', 0]).toEqual(['MA0004', base])
    },
  )
})

describe('Equipment Outstanding', () => {
  /** Paid so far of 100; days of request and completion after As Of. */
  test.each<[number, number | null, number | null, string | null]>([
    [99.99, null, null, 'Not requested'],
    [100, null, null, null],
    [100.01, null, null, null],
    [100, 0, null, 'Not completed'],
    [100, 1, null, null],
    [100, -1, 1, 'Not completed'],
    [100, -1, 0, null],
    [99.99, -1, 0, 'Completed'],
  ])(
    'of a terminal with %d paid, requested %s and completed %s days after the day: %s',
    async (paid, asked, done, paper) => {
      await portal.db.query(
        `update equipment set soldfor = 100, paidsofar = $1, requestedpaperworkdate = $2, completedpaperworkdate = $3 where serialnumber = 'SN-2'`,
        [
          paid,
          asked === null ? null : days('2026-10-01', asked),
          done === null ? null : days('2026-10-01', done),
        ],
      )
      const rows = await run('equipment-outstanding', { asof: '10/01/2026' }, ['serialnumber', 'paperwork'])
      expect(rows.find(([serial]) => serial === 'SN-2')?.[1] ?? null).toBe(paper)
    },
  )

  test.each<[number, number, number, unknown[] | null]>([
    [99.99, 0, 0, [null, null, 'Not requested']],
    [100, 0, 0, null],
    [100, days('2026-10-01', -1), 0, [days('2026-10-01', -1), 1, 'Not completed']],
  ])(
    'has no date where it is 0: of a terminal with %d paid, requested at %i and completed at %i it says %j',
    async (paid, asked, done, row) => {
      await portal.db.query(
        `update equipment set soldfor = 100, paidsofar = $1, requestedpaperworkdate = $2, completedpaperworkdate = $3 where serialnumber = 'SN-2'`,
        [paid, asked, done],
      )
      const names = ['serialnumber', 'requested', 'age', 'paperwork']
      const rows = await run('equipment-outstanding', { asof: '10/01/2026' }, names)
      expect(rows.find(([serial]) => serial === 'SN-2')?.slice(1) ?? null).toEqual(row)
    },
  )

  test('names the master agent of a terminal, and that of its merchant where it has none of its own', async () => {
    await portal.db.query('delete from equipment')
    for (const [serial, agentid, mid] of [
      ['A', 2, null],
      ['B', 2, alder],
      ['C', null, alder],
    ])
      await portal.db.query(
        `insert into equipment (model, serialnumber, masteragentid, merchantid, soldfor, paidsofar)
          values ('T', $1, $2, (select id from merchant where xmid = $3), 100, 0)`,
        [serial, agentid, mid],
      )
    const names = ['serialnumber', 'agent', 'xmid']
    expect(await run('equipment-outstanding', { asof: '10/01/2026' }, names)).toEqual([
      ['A', 'MA0002 - North', null],
      ['B', 'MA0002 - North', alder],
      ['C', 'MA0003 - East', alder],
    ])
  })

  test('is in the order of balance, day of the request and entry, and nobody owes less than nothing', async () => {
    await portal.db.query('delete from equipment')
    const terminals: [serial: string, paid: number, asked: string | null][] = [
      ['A', 90, null],
      // 0 is no date.
      ['Z', 90, '1970-01-01'],
      ['B', 90, '2026-09-02'],
      ['C', 90, '2026-09-01'],
      ['D', 90, '2026-09-01'],
      ['E', 80, null],
      ['F', 100.01, '2026-08-01'],
      ['G', 100, '2026-08-02'],
    ]
    for (const [serial, paid, asked] of terminals)
      await portal.db.query(
        `insert into equipment (model, serialnumber, masteragentid, soldfor, paidsofar, requestedpaperworkdate)
          values ('T', $1, 2, 100, $2, $3)`,
        [serial, paid, asked && epoch(asked)],
      )
    const rows = await run('equipment-outstanding', { asof: '10/01/2026' }, ['serialnumber', 'balance'])
    expect(rows).toEqual([
      ['E', 20],
      ['C', 10],
      ['D', 10],
      ['B', 10],
      ['A', 10],
      ['Z', 10],
      ['F', 0],
      ['G', 0],
    ])
  })
})

describe('merchants of the same name and net', () => {
  const briar = '4012345678902345'
  beforeAll(async () => {
    await portal.db.query(`update merchant set dba = 'Twin' where masteragentid = 3`)
    await portal.db.query(
      `insert into residual (month, processor, xmid, income, net, batchid) values
        ('2026-12-01', 'Aurora', $1, 3, 3, 1), ('2027-01-01', 'Aurora', $2, 5, 5, 1),
        ('2027-01-01', 'Borealis', $1, 5, 5, 1), ('2027-01-01', 'Aurora', $1, 5, 5, 1),
        ('2027-02-01', 'Aurora', $1, 7, 7, 1)`,
      [alder, briar],
    )
  })

  test('are in the order of MID and processor in Merchant Profitability, with sums up to the month from January on and of all', async () => {
    const names = ['xmid', 'processor', 'net', 'ytd', 'lifetime']
    // Of August and September Alder has 80.00 and 100.00, Briar -20.05.
    expect(await run('merchant-profitability', { month: '2027-01' }, names)).toEqual([
      [alder, 'Aurora', 5, 5, 188],
      [alder, 'Borealis', 5, 5, 5],
      [briar, 'Aurora', 5, 5, -15.05],
    ])
    expect(await run('merchant-profitability', { month: '2027-02' }, names)).toEqual([
      [alder, 'Aurora', 7, 12, 195],
    ])
  })

  test('are in the order of month and processor in Merchant by Month, the newest month first', async () => {
    expect(await run('merchant-by-month', { merchant: alder }, ['month', 'processor', 'net'])).toEqual([
      ['2027-02', 'Aurora', 7],
      ['2027-01', 'Aurora', 5],
      ['2027-01', 'Borealis', 5],
      ['2026-12', 'Aurora', 3],
      ['2026-09', 'Aurora', 100],
      ['2026-08', 'Aurora', 80],
    ])
  })

  test('are in the order of MID and processor in Agent Residual Statement', async () => {
    const rows = await run('agent-residual-statement', { month: '2027-01', agent: '3' }, [
      'xmid',
      'processor',
    ])
    expect(rows.filter(([xmid]) => xmid !== null)).toEqual([
      [alder, 'Aurora'],
      [alder, 'Borealis'],
      [briar, 'Aurora'],
    ])
  })
})
