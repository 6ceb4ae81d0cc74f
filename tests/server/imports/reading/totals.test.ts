import { describe, expect, test } from 'vitest'
import { imports, type Import, type ImportName } from '../../../../schemas/imports/imports.ts'
import { read } from '../../../files/read.ts'
import { csvOf, rawXlsx, rowXml, workbookOf, type Rows } from '../../../files/workbooks.ts'

const compensation = (...rows: Rows) => read('x.csv', csvOf(rows), { kind: 'compdata' })
const heads: Rows[number] = ['MID', 'Income', 'Expenses']
const faultsAndWarnings = async (...rows: Rows) => {
  const { faults, warnings } = await compensation(heads, ...rows)
  return { faults: faults?.map(({ row, column, message }) => [row, column, message]), warnings }
}
const leftOut = (...rows: number[]) =>
  rows.length === 1
    ? `A row with totals was left out (row ${rows[0]})`
    : `${rows.length} rows with totals were left out (row ${rows.join(', ')})`
const right = (...rows: number[]) => ({ faults: [], warnings: [leftOut(...rows)] })

/** Each column of which a kind has a control total, with what a row of it needs beside. */
const needed: Partial<Record<ImportName, Record<string, string>>> = {
  pcicompliance: { 'Compliance Status': 'Compliant' },
  chargeback: { 'Case Number': 'C', 'File Date': '5/1/2025' },
  dailyvolume: { 'Sales Amount': '0' },
  compdata: { Income: '0' },
}
const totalled = Object.values(imports).flatMap(({ name, totals = {}, columns }: Import) =>
  Object.values(totals).map(
    (field) => [name as ImportName, columns.find((it) => it.field === field)!.head] as const,
  ),
)

describe('the totals that a file states', () => {
  test('are compared in nine columns', () => expect(totalled).toHaveLength(9))

  describe.each(totalled)('of %s, %s', (kind, head) => {
    const { [head]: _, ...others } = needed[kind] ?? {}
    // The net of a row follows from what stands beside it.
    const zeros = Object.fromEntries(Object.keys(others).map((key) => [key, others[key]!]))
    const isNet = head.startsWith('Net')
    const beside = isNet && kind === 'compdata' ? {} : zeros
    const row = (mid: string, amount: string): Rows[number] => [
      mid,
      ...Object.entries(beside).map(([column, value]) =>
        isNet && column === 'Sales Amount' ? amount : value,
      ),
      amount,
    ]
    const file = (total: string): Rows => [
      ['MID', ...Object.keys(beside), head],
      row('1', '10.10'),
      row('2', '20.05'),
      ['Total', ...Object.keys(beside).map(() => ''), total],
    ]
    const label = `The total of ${head} is`
    test.each<[string, string | null]>([
      ['30.14', `${label} 30.14, but the rows above add up to 30.15`],
      ['30.15', null],
      ['$30.15', null],
      ['30.16', `${label} 30.16, but the rows above add up to 30.15`],
      ['', null],
    ])('a total of %s is compared with two rows of 10.10 and 20.05', async (total, fault) => {
      const { faults, warnings } = await read('x.csv', csvOf(file(total)), { kind })
      expect(faults).toEqual(fault === null ? [] : [{ row: 4, column: head, value: total, message: fault }])
      expect(warnings).toEqual([leftOut(4)])
    })
  })

  test('of a column without a control total are not compared', async () =>
    expect(
      await compensation(['MID', 'Income', 'Agent Net'], ['1', '5', '1'], ['Total', '5', '99']),
    ).toMatchObject({ faults: [], warnings: [leftOut(3)] }))

  test.each<[string, Rows[number]]>([
    ['Total', ['Total', '3', '0']],
    ['no word', ['', '3', '']],
    ['Subtotal', ['Subtotal', '3', '']],
  ])('may stand above all rows, with %s', async (_, line) => {
    expect(await faultsAndWarnings(line, ['1', '1', ''], ['2', '2', ''], ['Grand Total', '3', ''])).toEqual(
      right(2, 5),
    )
    expect(await faultsAndWarnings(line, ['1', '1', ''], ['2', '3', ''])).toEqual({
      faults: [[2, 'Income', 'The total of Income is 3.00, but the rows below add up to 4.00']],
      warnings: [leftOut(2)],
    })
  })

  test('may stand beside a percentage, without a word', async () =>
    expect(await compensation(['MID', 'Income', '%'], ['1', '5', '50%'], ['', '5', '50%'])).toMatchObject({
      faults: [],
      warnings: [leftOut(3)],
    }))

  test.each(['12 Total', 'Totality', 'Total1'])('are not those of the merchant %s', async (mid) =>
    expect(await faultsAndWarnings([mid, '1', ''], ['2', '2', ''])).toEqual({ faults: [], warnings: [] }),
  )

  test('are compared in every column', async () =>
    expect(await faultsAndWarnings(['1', '5', '1'], ['Total', '6', '2'])).toEqual({
      faults: [
        [3, 'Income', 'The total of Income is 6.00, but the rows above add up to 5.00'],
        [3, 'Expenses', 'The total of Expenses is 2.00, but the rows above add up to 1.00'],
      ],
      warnings: [leftOut(3)],
    }))

  test.each<[string, Rows[number]]>([
    ['Total', ['Total', '3', '']],
    ['a blank id and nothing but amounts', ['', '3', '']],
    ['a blank id and Total elsewhere', ['', '3', 'Total']],
    ['a dash for an id and nothing but amounts', ['-', '3', '']],
    ['Grand Total', ['Grand Total', '3', '']],
    ['Subtotal', ['Subtotal', '3', '']],
    ['TOTALS:', ['TOTALS:', '3', '']],
    ['Report Total', ['Report Total', '3', '']],
    ['Page totals:', ['Page totals:', '3', '']],
    ['Iris Subtotal', ['Iris Subtotal', '3', '']],
    ['a blank id and Report Total elsewhere', ['', '3', 'Report Total']],
  ])('stand in a row with %s', async (_, line) => {
    expect(await faultsAndWarnings(['1', '1', ''], ['2', '2', ''], line)).toEqual(right(4))
    const wrong = await faultsAndWarnings(['1', '1', ''], ['2', '3', ''], line)
    expect(wrong.faults).toEqual([
      [
        4,
        'Income',
        expect.stringMatching(/^The (sub)?total of Income is 3.00, but the rows above add up to 4.00$/),
      ],
    ])
  })

  test.each<[string, Rows, number[]]>([
    [
      'subtotals of their own rows and a grand total of all',
      [
        ['1', '1', ''],
        ['Subtotal', '1', ''],
        ['2', '2', ''],
        ['3', '3', ''],
        ['Sub-total', '5', ''],
        ['Grand Total', '6', ''],
      ],
      [3, 6, 7],
    ],
    [
      'totals of their own rows',
      [
        ['1', '1', ''],
        ['Total', '1', ''],
        ['2', '2', ''],
        ['Total', '2', ''],
      ],
      [3, 5],
    ],
    [
      'running totals',
      [
        ['1', '1', ''],
        ['Total', '1', ''],
        ['2', '2', ''],
        ['Total', '3', ''],
      ],
      [3, 5],
    ],
    [
      'a grand total of all before a total',
      [
        ['1', '1', ''],
        ['Grand total', '1', ''],
        ['Total', '1', ''],
      ],
      [3, 4],
    ],
  ])('may be %s', async (_, rows, at) => expect(await faultsAndWarnings(...rows)).toEqual(right(...at)))

  test.each<[string, Rows, [number, string]]>([
    [
      'a subtotal of all rows',
      [
        ['1', '1', ''],
        ['Subtotal', '1', ''],
        ['2', '2', ''],
        ['Subtotal', '3', ''],
      ],
      [5, 'The subtotal of Income is 3.00, but the rows since row 3 add up to 2.00'],
    ],
    [
      'a grand total of the last rows',
      [
        ['1', '1', ''],
        ['Subtotal', '1', ''],
        ['2', '2', ''],
        ['Grand total', '2', ''],
      ],
      [5, 'The total of Income is 2.00, but the rows above add up to 3.00'],
    ],
    [
      'a total of neither',
      [
        ['1', '1', ''],
        ['Total', '1', ''],
        ['2', '2', ''],
        ['Total', '4', ''],
      ],
      [5, 'The total of Income is 4.00, but the rows above add up to 3.00'],
    ],
    [
      'a wrong total below a right subtotal',
      [
        ['1', '1', ''],
        ['Subtotal', '1', ''],
        ['Total', '2', ''],
      ],
      [4, 'The total of Income is 2.00, but the rows above add up to 1.00'],
    ],
  ])('may not be %s', async (_, rows, [row, message]) =>
    expect((await faultsAndWarnings(...rows)).faults).toEqual([[row, 'Income', message]]),
  )

  test.each([
    [
      'with a part of the rows is named and not compared',
      '2.5',
      ['The subtotal of Income in row 6 is of other rows, and was not compared'],
    ],
    ['of all groups is compared with all rows, and nothing is said where they agree', '3', []],
  ])('below those of one group a subtotal %s', async (_, subtotal, warnings) =>
    expect(
      await faultsAndWarnings(
        ['1', '1', ''],
        ['Subtotal', '1', ''],
        ['2', '2', ''],
        ['Subtotal', '2', ''],
        ['Subtotal', subtotal, ''],
      ),
    ).toEqual({ faults: [], warnings: [leftOut(3, 5, 6), ...warnings] }),
  )

  test('are compared with rows that have faults elsewhere', async () =>
    expect((await faultsAndWarnings(['1', '5', 'x'], ['Total', '6', ''])).faults).toEqual([
      [2, 'Expenses', 'Expenses is not an amount; write it like 1,234.56'],
      [3, 'Income', 'The total of Income is 6.00, but the rows above add up to 5.00'],
    ]))

  test.each<[string, Rows[number]]>([
    ['an amount that cannot be read', ['1', '5x', '']],
    ['a cell too few', ['1', '5']],
  ])('are not compared where a row has %s', async (_, row) => {
    const { faults } = await faultsAndWarnings(row, ['Total', '6', ''])
    expect(faults?.map(([at]) => at)).toEqual([2])
  })

  test('that cannot be read are named and stop nothing', async () =>
    expect(await faultsAndWarnings(['1', '5', ''], ['Total', '5 dollars', ''])).toEqual({
      faults: [],
      warnings: [
        leftOut(3),
        'The total of Income in row 3 is not an amount; write it like 1,234.56, so it was not compared',
      ],
    }))

  test('that cannot be read are named five times', async () => {
    const rows: Rows = [['1', '5', ''], ...Array.from({ length: 7 }, () => ['Total', '?', ''])]
    const { warnings } = await faultsAndWarnings(...rows)
    expect(warnings).toHaveLength(7)
    expect(warnings?.at(-1)).toBe('and 2 more totals alike')
  })

  test.each<[string, string, boolean]>([
    ['the sum of the amounts as they are', '1.01', true],
    ['the sum of the amounts to the cent', '1.02', true],
    ['neither', '1.03', false],
    ['less than either', '1.00', false],
  ])('of amounts with more than two decimals may be %s', async (_, total, agrees) => {
    const { faults } = await faultsAndWarnings(
      ['1', '0.335', ''],
      ['2', '0.335', ''],
      ['3', '0.335', ''],
      ['Total', total, ''],
    )
    expect(faults).toHaveLength(agrees ? 0 : 1)
  })

  test('are exact beyond what a floating number holds', async () => {
    const rows: Rows = Array.from({ length: 100 }, (_, at) => [String(at), '999999999999.99', ''])
    // 100 times the most an amount may be, which no single cell can state: two halves that cancel each other.
    const minus: Rows = Array.from({ length: 100 }, (_, at) => [`m${at}`, '-999999999999.99', ''])
    expect(await faultsAndWarnings(...rows, ['x', '0.01', ''], ...minus, ['Total', '0.01', ''])).toEqual(
      right(203),
    )
    expect(
      (await faultsAndWarnings(...rows, ['x', '0.01', ''], ...minus, ['Total', '0.02', ''])).faults,
    ).toHaveLength(1)
  })

  test.each(['xlsx', 'biff8'] as const)(
    'may be formulas of a workbook (%s) whose results are stored',
    async (type) => {
      const book = (total: number) =>
        workbookOf(type, { S: [heads, ['1', 5, 1], ['2', 6, 1], ['Total', 0, 2]] }, ({ Sheets }) => {
          Sheets['S']!['B4'] = { t: 'n', f: 'SUM(B2:B3)', v: total }
        })
      const name = type === 'xlsx' ? 'x.xlsx' : 'x.xls'
      expect(await read(name, book(11), { kind: 'compdata' })).toMatchObject({
        faults: [],
        warnings: [leftOut(4)],
      })
      expect((await read(name, book(12), { kind: 'compdata' })).faults).toEqual([
        {
          row: 4,
          column: 'Income',
          value: '12',
          message: 'The total of Income is 12.00, but the rows above add up to 11.00',
        },
      ])
    },
  )

  test('that are formulas without a result are named and stop nothing', async () => {
    const sheet =
      rowXml(1, 'MID', 'Income') +
      rowXml(2, '1', '<c r="B2"><v>5</v></c>') +
      rowXml(3, 'Total', '<c r="B3"><f>SUM(B2:B2)</f></c>')
    expect(await read('x.xlsx', rawXlsx({ sheet }), { kind: 'compdata' })).toMatchObject({
      faults: [],
      warnings: [
        leftOut(3),
        expect.stringMatching(/^The total of Income in row 3 holds .*, so it was not compared$/),
      ],
    })
  })

  test('count debits and credits as the rows do', async () =>
    expect(
      await faultsAndWarnings(['1', '5 CR', '2 DR'], ['2', '1 DR', '1 CR'], ['Total', '4 CR', '1 DR']),
    ).toEqual(right(4)))
})

describe('what rounding to the cent changes', () => {
  test('is summed up by column', async () => {
    const { rows, warnings } = await compensation(
      ['MID', 'Income', 'Expenses', 'Agent Net'],
      ['1', '1.005', '0.5', '0.1234'],
      ['2', '-2.005', '1.004', ''],
      ['3', '7', '0.30000000000000004', ''],
      ['4', '1.005', '0', ''],
    )
    const [, , , , , , , income] = rows![0]!
    expect(income).toBe('1.01')
    expect(warnings).toEqual([
      '3 amounts of Income have more than two decimals and are rounded to the cent; that changes their sum by +0.005',
      '1 amount of Expenses has more than two decimals and is rounded to the cent; that changes their sum by -0.004',
      '1 amount of Agent Net has more than two decimals and is rounded to the cent; that changes their sum by -0.0034',
    ])
  })
  test('is reported as 0.00 where the changes cancel out', async () =>
    expect((await compensation(['MID', 'Income'], ['1', '1.005'], ['2', '-1.005'])).warnings).toEqual([
      '2 amounts of Income have more than two decimals and are rounded to the cent; that changes their sum by 0.00',
    ]))
})
