import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answered, ledger, type Ledger } from './ledger.ts'

let portal: Ledger
beforeAll(async () => {
  portal = await ledger()
})
afterAll(() => portal.close())

const run = (type: string, inputs: object, names: string[]) => answered(portal.admin, type, inputs, names)

describe('figures, reckoned by hand', () => {
  /*
   * September: net = income - expense. East has 50 %, North above it 60 %, so an override of 10 % of East's
   * merchants.
   * Alder: 150.00 - 50.00 = 100.00: East 50.00, North 10.00, house 40.00
   * Briar: 0 - 20.05 = -20.05: East -10.025 = -10.03, North -2.005 = -2.01, house -8.01
   * Cinder: 40.00 - 6.67 = 33.33: North 60 % = 19.998 = 20.00, house 13.33
   * Dapple: 12.00 - 2.00 = 10.00: West 40 % = 4.00 and 1.00 flat, house 5.00
   * Ember: 260.00 - 60.00 = 200.00: South 30 % = 60.00, house 140.00
   * Fennel, inactive: 60.00 - 10.00 = 50.00: West's 20.00 are withheld, house 50.00
   * X-900, of nobody: 10.00 - 2.23 = 7.77, house 7.77
   * Terminal: 160.00 - 100.00 = 60.00: East 50 % = 30.00, North 70 - 50 = 20 % = 12.00
   * August: East 50 % of 80.00 = 40.00, North 10 % of 80.00 = 8.00 and 60 % of 30.00 + 10.00 = 24.00.
   */
  test('Residual Summary by Agent ties to the net', async () => {
    const names = [
      'displayid',
      'merchants',
      'net',
      'own',
      'override',
      'house',
      'withheld',
      'equipment',
      'adjustments',
      'subscriptions',
      'carryin',
      'due',
      'payable',
      'carryout',
      'hold',
    ]
    const { rows, totals } = await run('residual-summary', { month: '2026-09' }, names)
    expect(rows).toEqual([
      ['MA0001', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 'Office account'],
      // 20.00 + (10.00 - 2.01) + 12.00 = 39.99; what August carries is not known while it is open
      ['MA0002', 1, 33.33, 20, 7.99, 13.33, 0, 12, 0, 0, 0, 39.99, 39.99, 0, null],
      // 39.97 + 30.00 - 15.50 = 54.47
      ['MA0003', 2, 79.95, 39.97, 0, 31.99, 0, 30, 0, 15.5, 0, 54.47, 0, 54.47, 'No bank data'],
      // 4.00 + 1.00 + 40 % of 50.00 + 1.00: Fennel was closed in the month, so it is not yet inactive
      ['MA0004', 2, 60, 26, 0, 34, 0, 0, 25, 0, 0, 51, 51, 0, null],
      ['MA0005', 1, 200, 60, 0, 140, 0, 0, 0, 0, 0, 60, 60, 0, null],
      ['', 1, 7.77, 0, 0, 7.77, 0, 0, 0, 0, 0, 0, 0, 0, null],
    ])
    expect(totals).toEqual([
      'Total',
      7,
      381.05,
      145.97,
      7.99,
      227.09,
      0,
      42,
      25,
      15.5,
      0,
      205.46,
      150.99,
      54.47,
      null,
    ])
    expect(145.97 + 7.99 + 227.09).toBeCloseTo(381.05, 10)
  })

  test('Agent Residual Statement adds up to what is due', async () => {
    const names = [
      'section',
      'through',
      'xmid',
      'description',
      'sales',
      'net',
      'percent',
      'flat',
      'withheld',
      'amount',
    ]
    const east = await run('agent-residual-statement', { month: '2026-09', agent: '3' }, names)
    expect(east.rows).toEqual([
      ['Merchant', null, '4012345678902345', '=Briar & Sons, "Inc."', 0, -20.05, 50, 0, 0, -10.03],
      ['Merchant', null, '0012345678901', 'Alder Bakery', 1000, 100, 50, 0, 0, 50],
      ['Equipment', null, null, 'T1 SN-1', null, null, null, null, null, 30],
      ['Subscription', null, null, 'Portal access', null, null, null, null, null, -15.5],
    ])
    expect(east.totals).toEqual(['Due', null, null, null, null, null, null, null, 0, 54.47])
    expect(east.body.notes).toEqual([
      expect.stringMatching(/^September 2026 is open: these are the figures of /),
      '$0.00 is payable. $54.47 is carried forward. Held: No bank data.',
      'What is carried forward is not known until August 2026 is locked.',
    ])
    const north = await run('agent-residual-statement', { month: '2026-09', agent: 2 }, names)
    expect(north.rows).toEqual([
      ['Merchant', null, '401234567890', 'Cinder Diner', 500, 33.33, 60, 0, 0, 20],
      ['Override', 'MA0003 - East', null, 'East', 1000, 79.95, 10, 0, 0, 7.99],
      ['Equipment', null, null, 'T1 SN-1 through East', null, null, null, null, null, 12],
    ])
    expect(north.totals!.at(-1)).toBe(39.99)
    const west = await run('agent-residual-statement', { month: '2026-09', agent: '4' }, names)
    expect(west.rows).toEqual([
      ['Merchant', null, '40123456789', 'Dapple Garage', 100, 10, 40, 1, 0, 5],
      ['Merchant', null, '401234567896666', 'Fennel Motel', 300, 50, 40, 1, 0, 21],
      ['Adjustment', null, null, 'Missed in July', null, null, null, null, null, 25],
    ])
    expect(west.totals!.slice(-2)).toEqual([0, 51])
  })

  test('Processor Control Totals', async () => {
    const names = [
      'processor',
      'files',
      'lines',
      'txncount',
      'sales',
      'income',
      'expense',
      'net',
      'statednet',
      'difference',
      'note',
    ]
    const { rows, totals } = await run('processor-control-totals', { month: '2026-09' }, names)
    expect(rows).toEqual([
      // 100.00 - 20.05 + 33.33 + 200.00 + 50.00 = 363.28, stated 363.29
      ['Aurora', 'Aurora_Sep2026.csv', 5, 38, 5800, 510, 146.72, 363.28, 363.29, -0.01, ''],
      ['Borealis', 'Aurora_Sep2026.csv', 2, 3, 177, 22, 4.23, 17.77, null, null, ''],
      ['Corona', null, 0, 0, 0, 0, 0, 0, null, null, 'No file this month'],
    ])
    expect(totals).toEqual(['Total', null, 7, 41, 5977, 532, 150.95, 381.05, 363.29, -0.01, null])
    const note = (text: string) =>
      portal.db.query(`update processor_statement set note = $1 where processor = 'Corona'`, [text])
    await note('Sold in August')
    const noted = await run('processor-control-totals', { month: '2026-09' }, ['note'])
    expect(noted.rows.at(-1)).toEqual(['No file this month; Sold in August'])
    await note('')
  })

  test('Merchant Profitability', async () => {
    const names = ['xmid', 'agent', 'sales', 'income', 'expense', 'net', 'bps', 'ytd', 'lifetime']
    const { rows, totals } = await run('merchant-profitability', { month: '2026-09' }, names)
    expect(rows.slice(0, 2)).toEqual([
      // 200 / 4000 x 10,000 = 500
      ['401234567895555', 'MA0005 - South', 4000, 260, 60, 200, 500, 200, 200],
      ['0012345678901', 'MA0003 - East', 1000, 150, 50, 100, 1000, 180, 180],
    ])
    expect(rows.at(-1)).toEqual([
      '4012345678902345',
      'MA0003 - East',
      0,
      0,
      20.05,
      -20.05,
      null,
      -20.05,
      -20.05,
    ])
    // 381.05 / 5977 x 10,000; 381.05 and of August 80.00 + 30.00, Gable is in no file of September
    expect(totals).toEqual(['Total', null, 5977, 532, 150.95, 381.05, 637.53, 491.05, 491.05])
    const one = await run('merchant-profitability', { month: '2026-09', agent: 4 }, ['xmid'])
    expect(one.rows).toEqual([['401234567896666'], ['40123456789']])
  })

  test('Merchant by Month', async () => {
    const names = ['month', 'state', 'dba', 'agent', 'processor', 'txncount', 'sales', 'net', 'bps']
    const history = async (merchant: string) => await run('merchant-by-month', { merchant }, names)
    expect(await history(' 0012345678901 ')).toMatchObject({
      rows: [
        ['2026-09', 'Open', 'Alder Bakery', 'MA0003 - East', 'Aurora', 10, 1000, 100, 1000],
        // 80 / 900 x 10,000 = 888.89
        ['2026-08', 'Open', 'Alder Bakery', 'MA0003 - East', 'Aurora', 8, 900, 80, 888.89],
      ],
      // 180 / 1900 x 10,000 = 947.37
      totals: ['Total', null, null, null, null, 18, 1900, 180, 947.37],
    })
    expect((await history('4012345678902345')).rows).toEqual([
      ['2026-09', 'Open', '=Briar & Sons, "Inc."', 'MA0003 - East', 'Aurora', 0, 0, -20.05, null],
    ])
    // Of a MID that is in no portfolio the file's own words, and no agent.
    expect((await history('X-900')).rows).toEqual([
      ['2026-09', 'Open', 'in the file', null, 'Borealis', 2, 77, 7.77, 1009.09],
    ])
    expect((await history('0012345678900')).rows).toEqual([])
  })

  test('Attrition leaves new business out', async () => {
    const names = [
      'displayid',
      'base',
      'lost',
      'accounts',
      'sales0',
      'sales1',
      'volume',
      'txns0',
      'txns1',
      'net0',
      'net1',
      'residual',
    ]
    const { rows, totals } = await run('attrition', { from: '08/01/2026', to: '09/30/2026' }, names)
    expect(rows).toEqual([
      // Cinder 400 and Gable 100 in August, Cinder 500 in September; (40.00 - 33.33) / 40.00 = 16.675 %
      ['MA0002', 2, 0, 0, 500, 500, 0, 6, 5, 40, 33.33, 16.68],
      // Briar has no line in August: (80.00 - 79.95) / 80.00 = 0.0625 %
      ['MA0003', 2, 0, 0, 900, 1000, -11.11, 8, 10, 80, 79.95, 0.06],
      ['MA0004', 2, 1, 50, 0, 400, null, 0, 4, 0, 60, null],
    ])
    // 1 of 6; (1400 - 1900) / 1400; (120.00 - 173.28) / 120.00
    expect(totals).toEqual(['Total', 6, 1, 16.67, 1400, 1900, -35.71, 14, 19, 120, 173.28, -44.4])
  })

  test.each([
    ['the end', { from: '08/01/2026', to: '10/31/2026' }, 'October', [900, null, null, 80, null, null], 1400],
    ['the start', { from: '07/01/2026', to: '08/31/2026' }, 'July', [null, 900, null, null, 80, null], null],
  ])(
    'Attrition loses nothing where no file of the month of %s has come',
    async (_, span, month, east, start) => {
      const names = ['sales0', 'sales1', 'volume', 'net0', 'net1', 'residual']
      const { rows, totals, body } = await run('attrition', span, ['displayid', ...names])
      expect(rows.find(([id]) => id === 'MA0003')!.slice(1)).toEqual(east)
      expect(totals!.slice(1, 4)).toEqual([start, start === null ? 1400 : null, null])
      expect(body.notes).toContain(`There are no residual figures of ${month} 2026: they are blank.`)
    },
  )

  test('Portfolio Summary', async () => {
    const names = ['displayid', 'active', 'fresh', 'closed', 'income', 'net', 'bps']
    const { rows, totals } = await run('portfolio-summary', { from: '08/01/2026', to: '09/30/2026' }, names)
    expect(rows).toEqual([
      ['MA0002', 2, 0, 0, 92, 73.33, 733.3],
      ['MA0003', 2, 0, 0, 280, 159.95, 841.84],
      ['MA0004', 1, 0, 1, 72, 60, 1500],
      ['MA0005', 1, 1, 0, 260, 200, 500],
    ])
    // 493.28 / 7300 x 10,000
    expect(totals).toEqual(['Total', 6, 1, 1, 704, 493.28, 675.73])
  })

  // Of July 2026 and before, and of October and after, no file has come.
  test.each([
    ['07/01/2026', '07/31/2026', 'July 2026: they are blank'],
    ['06/15/2026', '07/15/2026', 'June 2026 and July 2026: they are blank'],
    ['05/01/2026', '07/31/2026', 'May 2026, June 2026 and July 2026: they are blank'],
    ['04/30/2026', '07/31/2026', '4 months between April 2026 and July 2026: they are blank'],
    ['11/01/2025', '02/28/2026', '4 months between November 2025 and February 2026: they are blank'],
    ['07/31/2026', '08/01/2026', 'July 2026: the sums are of the other months'],
    ['08/01/2026', '10/31/2026', 'October 2026: the sums are of the other months'],
    ['08/01/2026', '09/30/2026', null],
  ])(
    'Portfolio Summary from %s to %s says of which months no figures have come: %s',
    async (from, to, said) => {
      const names = ['displayid', 'income', 'net', 'sales', 'bps', 'active']
      const { rows, totals, body } = await run('portfolio-summary', { from, to }, names)
      const notes = body.notes.filter((note: string) => note.startsWith('There are no residual figures'))
      expect(notes).toEqual(said === null ? [] : [`There are no residual figures of ${said}.`])
      const isBlank = said?.endsWith('blank') ?? false
      for (const row of [...rows, totals!])
        expect([row[0], ...row.slice(1, 4).map((it) => it === null)]).toEqual([
          row[0],
          isBlank,
          isBlank,
          isBlank,
        ])
      expect(totals![5]).toBe(6)
    },
  )

  test('Missing and Unmatched MIDs', async () => {
    const { rows } = await run('missing-unmatched-mids', { month: '2026-09' }, [
      'finding',
      'processor',
      'xmid',
      'sales',
      'net',
      'missing',
      'last',
      'link',
    ])
    const search = '/manage/merchants?search=X-900&named=X-900%20in%20the%20file'
    expect(rows).toEqual([
      ['In a file, not in the portfolio', 'Borealis', 'X-900', 77, 7.77, null, null, search],
      [
        'In the file of the month before, not in this one',
        'Aurora',
        '401234567897777',
        0,
        null,
        1,
        '2026-08',
        null,
      ],
    ])
  })

  test('Equipment Outstanding', async () => {
    const names = [
      'serialnumber',
      'xmid',
      'agent',
      'owner',
      'soldfor',
      'paidsofar',
      'balance',
      'age',
      'paperwork',
    ]
    const { rows, totals } = await run('equipment-outstanding', { asof: '10/01/2026' }, names)
    expect(rows).toEqual([
      ['SN-2', '40123456789', 'MA0004 - Wést & Co', 'Merchant', 80.5, 30.25, 50.25, 30, 'Completed'],
      ['SN-3', null, 'MA0002 - North', 'Master Agent', 0, 0, 0, 21, 'Not completed'],
    ])
    expect(totals).toEqual(['Total', null, null, null, 80.5, 30.25, 50.25, null, null])
    const before = await run('equipment-outstanding', { asof: '09/15/2026' }, names)
    expect(before.rows.map((row) => [row[0], row.at(-1)])).toEqual([
      ['SN-2', 'Not completed'],
      ['SN-3', 'Not completed'],
    ])
  })

  test('Agent Residual Statement has no percentage where an override is of several, and says what is owed', async () => {
    // Below East, which earns nothing of it: North has 60 - 55 = 5 % of 100.00, beside its 10 % of 79.95.
    await portal.db.query(
      `insert into master_agent (id, name, isofficeaccount, payoninactive, commissionnoteditable, businessname, notes,
          routingnumber, parentid, percentagecommissionreceived)
        values (6, 'Far East', false, false, false, '', '', '', 3, 55)`,
    )
    await portal.db.query(
      `insert into merchant (xmid, dba, masteragentid, accountstatus) values ('F-1', 'Far', 6, 2)`,
    )
    await portal.db.query(
      `insert into residual (month, processor, xmid, income, net, batchid)
        values ('2026-09-01', 'Aurora', 'F-1', 100, 100, 1)`,
    )
    await portal.db.query(
      `insert into adjustment (masteragentid, month, amount, reason, author)
        values (5, '2026-09-01', -1000, 'Loan', 'admin')`,
    )
    const names = ['section', 'through', 'merchants', 'net', 'percent', 'amount']
    const north = await run('agent-residual-statement', { month: '2026-09', agent: 2 }, names)
    expect(north.rows.filter(([section]) => section === 'Override')).toEqual([
      ['Override', 'MA0003 - East', 3, 179.95, null, 12.99],
    ])
    const south = await run('agent-residual-statement', { month: '2026-09', agent: 5 }, names)
    expect(south.body.notes[1]).toBe('$0.00 is payable. -$940.00 is carried forward.')
  })
})
