import { describe, expect, test, vi } from 'vitest'
import { addTwoMerchants, empty, sharedBench } from '../../files/bench.ts'
import { csvOf, type Rows } from '../../files/workbooks.ts'

vi.setConfig({ testTimeout: 60_000 })

const it = sharedBench(async (db) => {
  await empty(db)
  await addTwoMerchants(db)
})
const heads: Rows[number] = ['MID', 'Income', 'Expenses', 'Net']
const row: Rows[number] = ['1', '10', '4', '6']
const stored = () =>
  it.db.query('select month::text, processor, xmid, income, expense, net from residual order by xmid')
const aurora = 'Aurora_May2025.csv'

describe('the month and processor of compensation data', () => {
  test.each<[string, string, Rows]>([
    ['the file name', aurora, [heads, row]],
    ['a file name with more in it', 'Aurora Residuals Report 2025-05 v2.csv', [heads, row]],
    ['a line above the heading', 'x.csv', [['Aurora Residual Report'], ['May 2025'], heads, row]],
    [
      'a span of days above the heading',
      'x.csv',
      [['Processor: aurora'], ['05/01/2025 - 05/31/2025', 'printed 06/03/2025'], heads, row],
    ],
    [
      'their columns',
      'x.csv',
      [
        [...heads, 'Month', 'Processor'],
        [...row, '05/2025', 'AURORA'],
      ],
    ],
    [
      'columns and the file name alike',
      aurora,
      [
        [...heads, 'Month', 'Processor'],
        [...row, 'May 2025', 'Aurora'],
      ],
    ],
  ])('come from %s', async (_, name, rows) => {
    const reply = await it.imports('compdata', name, csvOf(rows))
    expect(reply.warnings).toEqual([])
    expect(await stored()).toEqual([
      { month: '2025-05-01', processor: 'Aurora', xmid: '1', income: 10, expense: 4, net: 6 },
    ])
    expect(await it.db.query('select fordate::text, part from import_batch')).toEqual([
      { fordate: '2025-05-01', part: 'Aurora' },
    ])
  })
  test.each<[string, string, Rows, string]>([
    ['no month', 'Aurora.csv', [heads, row], 'The file does not say of which month it is'],
    ['no processor', 'residuals_May2025.csv', [heads, row], 'The file does not say of which processor it is'],
    [
      'two months',
      aurora,
      [['June 2025'], heads, row],
      'names more than one month: June 2025 (a line above the heading) and May 2025 (the file name)',
    ],
    [
      'two months in the column',
      aurora,
      [
        [...heads, 'Month'],
        [...row, 'May 2025'],
        ['2', '1', '', '', '6/2025'],
      ],
      'May 2025 (Month column, row 2) and June 2025 (Month column, row 3)',
    ],
    [
      'two processors',
      aurora,
      [
        [...heads, 'Processor'],
        [...row, 'Borealis'],
      ],
      'names more than one processor: Borealis (Processor column, row 2) and Aurora (the file name)',
    ],
    [
      'a processor that is nearly known',
      'Auora_May2025.csv',
      [heads, row],
      'The processor Auora (the file name) is not known; the nearest is Aurora',
    ],
  ])('%s is one sentence', async (_, name, rows, why) => {
    expect((await it.refuses('compdata', name, csvOf(rows))).refused).toContain(why)
    expect(await stored()).toEqual([])
  })
  test.each([
    ['Aurora Eas', 'Aurora East'],
    ['Aurora Wes', 'Aurora West'],
  ])('of several processors that %s is nearly, the nearest is named: %s', async (given, nearest) => {
    await it.db.query(
      `insert into merchant (xmid, dba, masteragentid, processor)
        values ('3', 'Three', 2, 'Aurora East'), ('4', 'Four', 2, 'Aurora West')`,
    )
    const { refused } = await it.refuses('compdata', `${given}_May2025.csv`, csvOf([heads, row]))
    expect(refused).toContain(`is not known; the nearest is ${nearest}. Write it the same way`)
  })
  test('a new processor is taken with a warning', async () =>
    expect((await it.imports('compdata', 'Zenith_052025.csv', csvOf([heads, row]))).warnings).toEqual([
      'The processor Zenith (the file name) is new: the portal has nothing of it yet',
    ]))
})

describe('compensation data', () => {
  test('replaces the month of its processor, and nothing else', async () => {
    await it.imports('compdata', aurora, csvOf([heads, row, ['2', '5', '1', '4']]))
    await it.imports('compdata', 'Borealis_May2025.csv', csvOf([heads, ['2', '8', '1', '7']]))
    await it.imports('compdata', 'Aurora_June2025.csv', csvOf([heads, ['2', '9', '1', '8']]))
    const second = csvOf([heads, ['1', '11', '4', '7']])
    const dry = await it.imports('compdata', aurora, second, { dryrun: true })
    const reply = await it.imports('compdata', aurora, second)
    expect(reply).toMatchObject({
      inserted: 0,
      updated: 1,
      totals: { rows: 1, income: 11, expense: 4, net: 7 },
    })
    expect(reply.warnings).toEqual([
      '1 row that an earlier file of Aurora for May 2025 had is not in this one and goes',
    ])
    expect(dry).toMatchObject({
      ...reply,
      batch: null,
      differences: [{ row: 2, column: 'Income', before: '10.00', after: '11.00' }, { column: 'Net' }],
    })
    expect((await stored()).map(({ month, processor, xmid, net }) => [month, processor, xmid, net])).toEqual([
      ['2025-05-01', 'Aurora', '1', 7],
      ['2025-05-01', 'Borealis', '2', 7],
      ['2025-06-01', 'Aurora', '2', 8],
    ])
  })
  test.each<[string, Rows, unknown[]]>([
    [
      'net is worked out',
      [
        ['MID', 'Income', 'Expenses'],
        ['1', '$1,000.10', '(0.90)'],
      ],
      [1000.1, -0.9, 1001],
    ],
    [
      'expenses are worked out',
      [
        ['MID', 'Income', 'Net Income'],
        ['1', '10', '(2.50)'],
      ],
      [10, 12.5, -2.5],
    ],
    [
      'net alone is income',
      [
        ['MID', 'DBA', 'Net Income'],
        ['1', 'x', '7.25'],
      ],
      [7.25, 0, 7.25],
    ],
    ['net may be off by a cent', [heads, ['1', '10', '4', '6.01']], [10, 4, 6.01]],
  ])('%s', async (_, rows, expected) => {
    await it.imports('compdata', aurora, csvOf(rows))
    expect((await stored()).map(({ income, expense, net }) => [income, expense, net])).toEqual([expected])
  })
  test.each<[string, Rows, string]>([
    ['net that is off by more', [heads, ['1', '10', '4', '6.02']], 'Net is not Income less Expenses (6.00)'],
    ['negative expenses', [heads, ['1', '10', '-4', '6']], 'give expenses as positive amounts'],
    ['neither income nor net', [heads, ['1', '', '4', '']], 'Net is required where there is no Income'],
    ['one merchant twice', [heads, row, row], 'MID 1 is already in row 2'],
  ])('%s is a row error', async (_, rows, why) =>
    expect((await it.refuses('compdata', aurora, csvOf(rows))).rows[0]?.message).toContain(why),
  )

  test('of a locked month is refused, naming who locked it and when; so is its undo', async () => {
    const { batch } = await it.imports('compdata', aurora, csvOf([heads, row]))
    await it.db.query(
      `insert into month_lock (month, version, hash, username, locked_at) values ('2025-05-01', 1, 'x', 'lena', '2025-06-08 15:00Z')`,
    )
    const expected = {
      status: 409,
      code: 'locked',
      refused: 'May 2025 is locked: lena locked it on Jun 8, 2025, 3:00 PM',
    }
    const file = csvOf([heads, ['1', '11', '4', '7']])
    expect(await it.refuses('compdata', aurora, file)).toMatchObject(expected)
    expect(await it.refuses('compdata', aurora, file, { dryrun: true })).toMatchObject(expected)
    await expect(it.undoes('compdata', batch!)).rejects.toMatchObject({
      status: 409,
      message: expected.refused,
    })
    expect(await stored()).toMatchObject([{ net: 6 }])
  })
})
