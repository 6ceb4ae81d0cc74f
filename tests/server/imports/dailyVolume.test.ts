import { describe, expect, test, vi } from 'vitest'
import { empty, sharedImportDatabase } from '../../files/importDatabase.ts'
import { csvOf, type Rows } from '../../files/workbooks.ts'

vi.setConfig({ testTimeout: 30_000 })

const it = sharedImportDatabase(empty)

describe('daily volume', () => {
  const head = ['MID', 'Batch Number', 'Batch Date', 'Sales Count', 'Sales Amount', 'Refund Amount', 'Net']
  const volume = (...rows: Rows) => csvOf([head, ...rows])
  const all =
    'select volumedate::text, xmid, batchnumber, salesamount, netamount from daily_volume order by volumedate, xmid, batchnumber'
  const kept = async () => (await it.db.query(all)).map((row) => Object.values(row))
  const day = '2025-01-05'

  test('is identified by date, merchant and batch number; sums come back in dollars', async () => {
    const reply = await it.imports(
      'dailyvolume',
      'v.csv',
      volume(
        ['1', 'B1', '', '3', '$1,000.10', '0.10', ''],
        ['1', 'B2', '', '', '5', '', '5'],
        ['2', '', '', '', '(7.00)', '', ''],
      ),
    )
    expect(reply.totals).toEqual({ rows: 3, sales: 998.1, refunds: 0.1, net: 998 })
    expect(await kept()).toEqual([
      [day, '1', 'B1', 1000.1, 1000],
      [day, '1', 'B2', 5, 5],
      [day, '2', null, -7, -7],
    ])
  })
  test('a preview of rows that are all rejected adds up to nothing', async () => {
    const faulty = volume(['1', 'B1', '', '', 'x', '', ''], ['2', '', '', '', '', '', 'y'])
    expect(await it.imports('dailyvolume', 'v.csv', faulty, { dryrun: true })).toMatchObject({
      rejected: 2,
      totals: { rows: 0, sales: 0, refunds: 0, net: 0 },
    })
  })
  test('of the same file again changes nothing', async () => {
    const again = volume(['1', 'B1', '', '', '10', '', ''], ['2', '', '', '', '20', '', ''])
    await it.imports('dailyvolume', 'v.csv', again)
    const refusal = await it.refuses('dailyvolume', 'v.csv', again)
    expect(refusal).toMatchObject({
      status: 409,
      code: 'repeated',
      username: 'ann',
      refused: expect.stringContaining('was imported before, by ann on'),
    })
    const reply = await it.imports('dailyvolume', 'v.csv', again, { again: true })
    expect(reply).toMatchObject({ inserted: 0, updated: 0, unchanged: 2 })
    expect(reply.warnings.join()).toContain('The same file was imported before, by ann')
  })
  test.each<[string, Rows, Rows, unknown[]]>([
    [
      'a row without a batch number replaces the day of its merchant',
      [
        ['1', 'B1', '', '', '10', '', ''],
        ['1', 'B2', '', '', '20', '', ''],
      ],
      [['1', '', '', '', '30', '', '']],
      [[day, '1', null, 30, 30]],
    ],
    [
      'batches replace a row without one, so that no day counts twice',
      [['1', '', '', '', '30', '', '']],
      [
        ['1', 'B1', '', '', '10', '', ''],
        ['1', 'B2', '', '', '20', '', ''],
      ],
      [
        [day, '1', 'B1', 10, 10],
        [day, '1', 'B2', 20, 20],
      ],
    ],
    [
      'other merchants keep their day',
      [
        ['1', '', '', '', '30', '', ''],
        ['2', '', '', '', '5', '', ''],
      ],
      [['1', '', '', '', '31', '', '']],
      [
        [day, '1', null, 31, 31],
        [day, '2', null, 5, 5],
      ],
    ],
    [
      'other batches stay',
      [['1', 'B1', '', '', '10', '', '']],
      [['1', 'B2', '', '', '20', '', '']],
      [
        [day, '1', 'B1', 10, 10],
        [day, '1', 'B2', 20, 20],
      ],
    ],
  ])('%s', async (_, first, second, expected) => {
    await it.imports('dailyvolume', 'v.csv', volume(...first))
    const dry = await it.imports('dailyvolume', 'v.csv', volume(...second), { dryrun: true })
    const { batch: __, ...reply } = await it.imports('dailyvolume', 'v.csv', volume(...second))
    expect(await kept()).toEqual(expected)
    expect(dry).toMatchObject({ ...reply, batch: null })
  })
  test('other days are left alone', async () => {
    await it.imports('dailyvolume', 'v.csv', volume(['1', '', '', '', '30', '', '']), { date: '2025-01-04' })
    await it.imports('dailyvolume', 'v.csv', volume(['1', '', '', '', '31', '', '']))
    expect(await kept()).toEqual([
      ['2025-01-04', '1', null, 30, 30],
      [day, '1', null, 31, 31],
    ])
  })
  test('the chosen date wins, with a warning when the file has another', async () => {
    const reply = await it.imports(
      'dailyvolume',
      'v.csv',
      volume(['1', '', '1/6/2025', '', '30', '', ''], ['2', '', '1/5/2025', '', '30', '', '']),
    )
    expect(reply.warnings).toContain(
      '1 row has another date in the file, first row 2; all are stored for 01/05/2025',
    )
    expect((await kept()).map(([date]) => date)).toEqual([day, day])
  })
  test.each([5, 6])(
    '%i merchants that are not in the portfolio are taken with one warning',
    async (length) => {
      const rows = Array.from({ length }, (_, index): Rows[number] => [
        `u${9 - index}`,
        '',
        '',
        '',
        '1',
        '',
        '',
      ])
      expect((await it.imports('dailyvolume', 'v.csv', volume(...rows))).warnings).toEqual([
        `${length} merchants are not in the portfolio: u9, u8, u7, u6, u5${length > 5 ? ' …' : ''}`,
      ])
    },
  )
  test.each<[string, Rows, object[]]>([
    [
      'a merchant twice without batch numbers',
      [
        ['1', '', '', '', '1', '', ''],
        ['1', '', '', '', '2', '', ''],
      ],
      [{ row: 3, message: 'MID 1 is already in row 2; give each batch its Batch Number' }],
    ],
    [
      'the whole day of a merchant beside batches of it',
      [
        ['1', 'B1', '', '', '1', '', ''],
        ['1', '', '', '', '2', '', ''],
        ['2', '', '', '', '3', '', ''],
        ['1', 'B2', '', '', '4', '', ''],
      ],
      [
        {
          row: 3,
          column: 'Batch Number',
          value: '',
          message:
            'Batch Number is blank, which means the whole day of MID 1, but row 2 is a batch of it; give each batch its Batch Number',
        },
      ],
    ],
  ])('%s is a row error', async (_, rows, faults) => {
    expect((await it.refuses('dailyvolume', 'v.csv', volume(...rows))).rows).toMatchObject(faults)
  })
})
