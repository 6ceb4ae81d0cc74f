import { describe, expect, test } from 'vitest'
import type { RowFault } from '../../../../schemas/imports/imports.ts'
import type { RejectedRowsOptions } from '../../../../server/imports/rows/rejectedWriter.ts'
import { read, rowsOf, type Outcome } from '../../../files/read.ts'
import { csvOf, rawXlsx, rowXml, workbookOf, type Rows } from '../../../files/workbooks.ts'

const heads = ['XMID', 'DBA', 'Master Agent']
const table: Rows = [heads, ['0012345', 'Café "Zoë", Ltd', 'MA0001'], ['4001', 'Bäckerei', '7']]
const good = [
  [2, '0012345', 'Café "Zoë", Ltd'],
  [3, '4001', 'Bäckerei'],
]
const headRow = rowXml(1, ...heads)
const sheetOf = (...cells: string[]) => headRow + rowXml(2, ...cells)

describe('headings, preambles and totals', () => {
  const lines = (...rows: Rows) => csvOf(rows)
  test('the heading is found in line 3, below a title', async () =>
    expect(rowsOf(await read('a.csv', lines(['Portfolio of May'], [], ...table)))).toEqual(
      good.map(([row, ...rest]) => [Number(row) + 2, ...rest]),
    ))
  test.each([
    'MID',
    'Merchant #',
    'XMID #',
    'Merchant ID',
    'merchant_number',
    '"Merchant No"',
    'ACCT-NO',
    'existing mid',
    'Account Number',
    'MID*',
  ])('%s is an id', async (head) =>
    expect(rowsOf(await read('a.csv', lines([head, 'DBA', 'Master Agent'], ['7', 'Shop', '1'])))).toEqual([
      [2, '7', 'Shop'],
    ]),
  )
  test('blank rows, rows with totals and repeated headings are left out', async () => {
    const outcome = await read(
      'a.csv',
      lines(
        heads,
        ['1', 'A', '7'],
        ['', '', ''],
        heads,
        ['2', 'B', '7'],
        ['Total', '', '2'],
        ['', '', '$1,234.00'],
      ),
    )
    expect(rowsOf(outcome)).toEqual([
      [2, '1', 'A'],
      [5, '2', 'B'],
    ])
    expect(outcome.warnings).toEqual(['2 rows with totals were left out (row 6, 7)'])
  })
  test('unknown columns are kept and listed as ignored', async () => {
    const outcome = await read('a.csv', lines([...heads, 'Colour', '__proto__'], ['1', 'A', '7', 'red', 'x']))
    expect(outcome.ignored).toEqual(['Colour', '__proto__'])
    expect(outcome.rows?.[0]?.at(-1)).toBe('{"Colour":"red","__proto__":"x"}')
  })
  test('a second table in the workbook is named', async () =>
    expect((await read('a.xlsx', workbookOf('xlsx', { May: table, June: table }))).warnings).toEqual([
      'The sheet May was read; June looks like another table and was not',
    ]))

  test.each([
    ['xlsx', 'May', [0, 0]],
    ['xlsx', 'June', [1, 0]],
    ['xlsx', 'June', [2, 0]],
    ['xlsx', 'May', [1, 2]],
    ['biff8', 'June', [1, 0]],
    ['biff8', 'June', [2, 0]],
  ] as const)(
    'of the sheets of an %s %s is read where May and June are hidden as %j',
    async (type, first, hidden) => {
      const content = workbookOf(
        type,
        { May: [heads, ['1', 'May', '7']], June: [heads, ['1', 'June', '7']] },
        (book) => {
          book.Workbook = { Sheets: hidden.map((Hidden) => ({ Hidden })) }
        },
      )
      expect(rowsOf(await read(type === 'xlsx' ? 'a.xlsx' : 'a.xls', content))).toEqual([[2, '1', first]])
    },
  )

  test.each<[string, string | Buffer, string, string]>([
    [
      'a missing column',
      lines(['XMID', 'Name', 'Master Agent'], ['1', 'A', '7']),
      'a.csv',
      'The required column DBA is missing. Row 1 has: XMID, Name, Master Agent',
    ],
    [
      'missing columns',
      lines(['XMID', 'Name'], ['1', 'A']),
      'a.csv',
      'The required columns DBA and Master Agent are missing. Row 1 has: XMID, Name',
    ],
    ['no heading', lines(['a', 'b'], ['c', 'd']), 'a.csv', 'No heading was found in the first 20 lines'],
    [
      'a heading in line 21',
      lines(...Array.from({ length: 20 }, () => ['x']), ...table),
      'a.csv',
      'No heading was found',
    ],
    [
      'two columns of one meaning',
      lines(['MID', 'Merchant Number', 'DBA', 'Agent'], ['1', '2', 'A', '7']),
      'a.csv',
      'both mean XMID',
    ],
    ['a heading without rows', lines(heads), 'a.csv', 'No merchant row was found below the heading in row 1'],
    ['a sheet without rows', workbookOf('xlsx', { Sheet1: [] }), 'a.xlsx', 'The file holds no rows'],
    ['an .xls sheet without rows', workbookOf('biff8', { Sheet1: [] }), 'a.xls', 'The file holds no rows'],
    ['blank lines', '\n\n\n', 'a.csv', 'The file holds no rows'],
  ])('%s is one sentence', async (_, content, filename, why) =>
    expect((await read(filename, content)).refused).toContain(why),
  )
})

describe('what is wrong in a row is said with row, column and value', () => {
  const one = async (cells: Rows[number], head: Rows[number] = heads) =>
    (await read('a.csv', csvOf([head, cells]))).faults
  test.each<[string, Rows[number], Rows[number], Partial<RowFault>]>([
    ['an id in E-notation', heads, ['1.23E+15', 'A', '7'], { row: 2, column: 'XMID', value: '1.23E+15' }],
    ['no id', heads, ['', 'A', '7'], { column: 'XMID', message: 'XMID is required' }],
    [
      'a cleared name',
      heads,
      ['1', '-', '7'],
      { column: 'DBA', message: 'DBA is required and cannot be cleared' },
    ],
    [
      'a card number',
      heads,
      ['1', 'pay 4111111111111111', '7'],
      { column: 'DBA', value: 'pay ************1111' },
    ],
    [
      'a card number in an unknown column',
      [...heads, 'Card'],
      ['1', 'A', '7', '4111 1111 1111 1111'],
      { column: 'Card', value: '************1111' },
    ],
    ['a short row', heads, ['1', 'A'], { row: 2, message: 'The row has 2 cells where the heading has 3' }],
    [
      'a long row',
      heads,
      ['1', 'A', '7', 'x'],
      { row: 2, message: 'The row has 4 cells where the heading has 3' },
    ],
    [
      'a text that is too long',
      heads,
      ['1', 'A'.repeat(201), '7'],
      { message: 'DBA may have at most 200 characters' },
    ],
    [
      'a date no calendar has',
      [...heads, 'Date Added'],
      ['1', 'A', '7', '2/30/2025'],
      { column: 'Date Added', value: '2/30/2025' },
    ],
  ])('%s', async (_, head, cells, expected) => expect(await one(cells, head)).toMatchObject([expected]))

  test('the first 100 are listed', async () => {
    const rows = Array.from({ length: 250 }, () => ['1E+15', 'A', '7'])
    const { faults } = await read('a.csv', csvOf([heads, ...rows]))
    expect(faults).toHaveLength(100)
  })
  const padded = '<numFmts><numFmt numFmtId="164" formatCode="000000000000"/></numFmts>'
  const styles = `${padded}<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="14"/></cellXfs>`
  const xlsx = (...cells: string[]) => read('a.xlsx', rawXlsx({ sheet: sheetOf(...cells), styles }))
  test.each<[string, string[], Partial<RowFault>]>([
    [
      'an error cell',
      ['1', '<c r="B2" t="e"><v>#REF!</v></c>', '7'],
      { column: 'DBA', message: 'DBA holds the error #REF!' },
    ],
    ['a formula without a stored value', ['1', '<c r="B2"><f>A1</f></c>', '7'], { column: 'DBA' }],
    ['a formula with an empty value', ['1', '<c r="B2"><f>A1</f><v></v></c>', '7'], { column: 'DBA' }],
    [
      'an id of 16 digits as a number',
      ['<c r="A2"><v>1234567890123456</v></c>', 'A', '7'],
      { column: 'XMID' },
    ],
    ['an id in E-notation as a number', ['<c r="A2"><v>1.23457E+15</v></c>', 'A', '7'], { column: 'XMID' }],
    ['an id that is a date', ['<c r="A2" s="2"><v>45662</v></c>', 'A', '7'], { column: 'XMID' }],
  ])('%s in a workbook', async (_, cells, expected) =>
    expect((await xlsx(...cells)).faults).toMatchObject([expected]),
  )
  test.each<[string, string, string]>([
    ['of 15 digits', '<c r="A2"><v>123456789012345</v></c>', '123456789012345'],
    ['padded by its format', '<c r="A2" s="1"><v>12345</v></c>', '000000012345'],
    ['that a formula worked out', '<c r="A2" t="str"><f>B1</f><v>0042</v></c>', '0042'],
  ])('an id %s is kept', async (_, cell, id) =>
    expect(rowsOf(await xlsx(cell, 'A', '7'))).toEqual([[2, id, 'A']]),
  )
  test('an error cell in a column that is ignored is a row error too', async () => {
    const sheet = rowXml(1, ...heads, 'Colour') + rowXml(2, '1', 'A', '7', '<c r="D2" t="e"><v>#REF!</v></c>')
    const { faults } = await read('a.xlsx', rawXlsx({ sheet, styles }))
    expect(faults).toMatchObject([{ row: 2, column: 'Colour', message: 'Colour holds the error #REF!' }])
  })
  test('an error cell of an .xls is a row error', async () => {
    const content = workbookOf(
      'biff8',
      { S: table },
      (book) => void (book.Sheets.S!.B2 = { t: 'e', v: 0x17 }),
    )
    expect((await read('a.xls', content)).faults).toMatchObject([
      { row: 2, column: 'DBA', message: 'DBA holds the error #REF!' },
    ])
  })
})

describe('what workbooks do to a text', () => {
  const shared = (strings: string) =>
    read('a.xlsx', rawXlsx({ sheet: headRow + rowXml(2, '1', '<c r="B2" t="s"><v>0</v></c>', '7'), strings }))
  test.each<[string, string, string]>([
    ['rich text', '<si><r><t>A</t></r><r><rPr/><t xml:space="preserve"> B</t></r></si>', 'A B'],
    ['a phonetic guide', '<si><t>A</t><rPh sb="0" eb="1"><t>x</t></rPh></si>', 'A'],
    ['entities', '<si><t>A &amp; B &lt;&#67;&#x44;&gt;</t></si>', 'A & B <CD>'],
    ['escaped control characters', '<si><t>A_x0009_B</t></si>', 'A\\tB'],
    ['an escaped underscore', '<si><t>A_x005F_x0041_</t></si>', 'A_x0041_'],
  ])('%s', async (_, strings, expected) =>
    expect(rowsOf(await shared(strings))).toEqual([[2, '1', expected]]),
  )
  test('prefixed elements, rows and cells without references', async () => {
    const row = (cells: string[]) =>
      `<x:row>${cells.map((cell) => `<x:c t='str'><x:v>${cell}</x:v></x:c>`).join('')}</x:row>`
    const sheet = `<x:worksheet><x:sheetData>${row(heads)}${row(['1', 'A', '7'])}</x:sheetData></x:worksheet>`
    expect(rowsOf(await read('a.xlsx', rawXlsx({ sheet })))).toEqual([[2, '1', 'A']])
  })
  test.each([0, 1, 2, 3, 4])('%i signs of white space wherever XML allows them', async (count) => {
    const s = ' \n\t\r'.slice(0, count)
    const row = (at: number, cells: string[]) =>
      `<row r${s}=${s}"${at}"${s}>${s}${cells
        .map((cell) => `<c t${s}=${s}"str"${s}><v>${cell}</v></c>${s}`)
        .join('')}</row>${s}`
    const rows = row(1, heads) + row(2, ['1', 'A', '7']) + `<row r="3">${s}<c t="s"><v>1</v></c>`
    const sheet = `<worksheet><sheetData>${s}${rows}${s}<c t="str"><v>B</v></c><c><v>7</v></c></row>${s}</sheetData></worksheet>`
    const strings = `${s}<si><t>x</t></si>${s}<si><t>2</t></si>${s}`
    expect(rowsOf(await read('a.xlsx', rawXlsx({ sheet, strings })))).toEqual([
      [2, '1', 'A'],
      [3, '2', 'B'],
    ])
  })
  test('days are counted from 1904 where the workbook says so', async () => {
    const day = (workbook: string, serial: number) =>
      read(
        'a.xlsx',
        rawXlsx({
          workbook,
          sheet:
            rowXml(1, ...heads, 'Date Added') +
            rowXml(2, '1', 'A', '7', `<c r="D2" s="0"><v>${serial}</v></c>`),
          styles: '<cellXfs><xf numFmtId="14"/></cellXfs>',
        }),
      )
    const [since1900, since1904] = [await day('', 45662), await day('<workbookPr date1904="1"/>', 44200)]
    expect(since1904.rows).toEqual(since1900.rows)
    expect(since1900.rows?.[0]).toContain(String(Date.UTC(2025, 0, 5) / 1000))
  })
})

describe('what a number of a workbook is follows from its format', () => {
  const codes = ['0.0%', 'USD #,##0.00', '[h]:mm:ss.00']
  const formats = codes.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code}"/>`).join('')
  const ids = [0, 9, 14, 164, 165, 166]
  const styles = `<numFmts>${formats}</numFmts><cellXfs>${ids.map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs>`
  const style = { plain: 0, percent: 1, day: 2, tenths: 3, dollars: 4, hours: 5 }
  type Shown = [keyof typeof style, string]
  const file = (columns: Record<string, Shown>, workbook = '') =>
    rawXlsx({
      workbook,
      styles,
      sheet:
        rowXml(1, 'MID', ...Object.keys(columns)) +
        rowXml(
          2,
          '5',
          ...Object.values(columns).map(
            ([shown, value], at) => `<c r="${'BCDE'[at]}2" s="${style[shown]}"><v>${value}</v></c>`,
          ),
        ),
    })
  test.each<[Shown, string]>([
    [['percent', '0.5'], '50.0000'],
    [['percent', '1'], '100.0000'],
    [['tenths', '1.5'], '150.0000'],
    [['tenths', '0.145'], '14.5000'],
    [['tenths', '0.005'], '0.5000'],
    [['plain', '50'], '50.0000'],
  ])('a percentage %j is %s', async (percent, expected) => {
    const { rows, faults } = await read('a.xlsx', file({ Income: ['plain', '7'], '%': percent }), {
      kind: 'compdata',
    })
    expect([faults, rows?.[0]?.[10]]).toEqual([[], expected])
  })
  test('a percentage of an .xls is what it shows', async () => {
    const rows: Rows = [
      ['MID', 'Income', '%'],
      ['5', 7, 1.5],
    ]
    const content = workbookOf('biff8', { S: rows }, ({ Sheets }) => void (Sheets['S']!['C2'].z = '0.00%'))
    expect((await read('a.xls', content, { kind: 'compdata' })).rows?.[0]?.[10]).toBe('150.0000')
  })
  test.each<[string, Shown, string]>([
    ['Income', ['day', '45992'], 'Income is a date in the file, not an amount'],
    ['Income', ['percent', '0.5'], 'Income is not an amount; write it like 1,234.56'],
    ['Income', ['hours', '2'], 'Income is a date in the file, not an amount'],
    ['Transactions', ['day', '45992'], 'Transactions is a date in the file, not a whole number'],
    ['Transactions', ['percent', '3'], 'Transactions is not a whole number'],
    ['%', ['day', '45992'], '% is a date in the file, not a percentage'],
  ])('%s of %j is a fault', async (head, cell, message) => {
    const content = file({ Net: ['plain', '7'], [head]: cell })
    expect((await read('a.xlsx', content, { kind: 'compdata' })).faults).toMatchObject([{ message }])
  })
  test('a number with a currency is an amount', async () => {
    const content = file({ Income: ['dollars', '7.5'] })
    expect((await read('a.xlsx', content, { kind: 'compdata' })).rows?.[0]?.[7]).toBe('7.50')
  })
  test.each<[string, Shown]>([
    ['', ['day', '45662']],
    ['', ['plain', '45662']],
    ['1', ['day', '44200']],
    ['1', ['plain', '44200']],
    ['1', ['plain', '20250105']],
  ])('a day of a workbook with date1904="%s" that holds %j', async (date1904, day) => {
    const workbook = date1904 && `<workbookPr date1904="${date1904}"/>`
    const content = file({ 'Sales Amount': ['plain', '1'], 'Batch Date': day }, workbook)
    const { rows } = await read('a.xlsx', content, { kind: 'dailyvolume' })
    expect(rows?.[0]?.[3]).toBe(String(Date.UTC(2025, 0, 5) / 1000))
  })
})

describe('daily volume', () => {
  const volume = (...rows: Rows) =>
    read('v.csv', csvOf([['MID', 'Sales Amount', 'Refund Amount', 'Net Amount'], ...rows]), {
      kind: 'dailyvolume',
    })
  const net = ({ rows }: Outcome) => rows?.map((row) => row[9])
  test('net is worked out when it is missing', async () =>
    expect(net(await volume(['1', '$1,000.10', '0.20', '']))).toEqual(['999.90']))
  test.each(['8.99', '9.01'])(
    'a net of %s that is off by one cent is worked out, with a warning',
    async (given) => {
      const outcome = await volume(['1', '10', '1', given], ['2', '10', '1', '9'])
      expect(net(outcome)).toEqual(['9.00', '9.00'])
      const formula = 'Sales Amount less Refund Amount'
      expect(outcome.warnings).toEqual([
        `The Net Amount of 1 row differs by a cent from ${formula} (row 2), by ${given === '8.99' ? '-0.01' : '0.01'} ` +
          `in all; ${formula} is stored`,
      ])
    },
  )
  test.each([
    [5, '', '0.03'],
    [6, ' …', '0.04'],
  ])(
    '%i nets that are off by one cent are summed up, the first five rows named',
    async (length, more, sum) => {
      const off = Array.from({ length }, (_, at) => [String(at), '10', '1', at === 0 ? '8.99' : '9.01'])
      expect((await volume(...off)).warnings).toEqual([
        `The Net Amount of ${length} rows differ by a cent from Sales Amount less Refund Amount ` +
          `(row 2, 3, 4, 5, 6${more}), by ${sum} in all; Sales Amount less Refund Amount is stored`,
      ])
    },
  )
  test.each<[string, string, boolean]>([
    ['999999999999.99', '0', true],
    ['999999999999.99', '-0.01', false],
  ])('sales of %s less refunds of %s are few enough: %s', async (sales, refunds, isRead) => {
    const { faults } = await volume(['1', sales, refunds, ''])
    const net = isRead ? sales : '1000000000000.00'
    expect((await volume(['1', sales, refunds, net])).faults?.map(({ message }) => message)).toEqual(
      isRead ? [] : ['Net Amount is too large'],
    )
    expect(faults).toHaveLength(isRead ? 0 : 1)
  })
  test.each<[string, Rows[number], string]>([
    [
      'net that is off by more',
      ['1', '10', '1', '9.02'],
      'Net Amount is not Sales Amount less Refund Amount (9.00)',
    ],
    ['a negative refund without net', ['1', '10', '-1', ''], 'Refund Amount is negative'],
    [
      'a negative refund whose net takes it away',
      ['1', '1100.50', '(10.00)', '1090.50'],
      'Refund Amount is negative although Net Amount is Sales Amount less the amount; give refunds as positive',
    ],
    ['the same to the cent', ['1', '10', '-1', '9.01'], 'Refund Amount is negative although'],
    ['the same but for two cents', ['1', '10', '-1', '9.02'], 'Net Amount is not Sales Amount less'],
    ['no sales', ['1', '', '1', ''], 'Sales Amount is required'],
  ])('%s is a row error, at the value of its column', async (_, row, why) => {
    const [fault] = (await volume(row)).faults ?? []
    expect(fault).toMatchObject({
      message: expect.stringContaining(why),
      value: row[['MID', 'Sales Amount', 'Refund Amount', 'Net Amount'].indexOf(fault!.column!)],
    })
  })
})

test.each<[string, RejectedRowsOptions | undefined]>([
  ['the rows for the database', undefined],
  ...(['csv', 'xlsx', 'xls'] as const).map((format): [string, RejectedRowsOptions] => [
    `a fix file in .${format}`,
    { format, reasons: [[3, 'not wanted']] },
  ]),
])('%s that cannot be written fail the reading', async (_, rejectedRows) => {
  const write = async (part: string | Uint8Array) => {
    if (typeof part !== 'string' || part.includes('4001')) throw new Error('nobody takes them')
  }
  await expect(read('a.csv', csvOf(table), { write, ...(rejectedRows && { rejectedRows }) })).rejects.toThrow(
    'nobody takes them',
  )
})
