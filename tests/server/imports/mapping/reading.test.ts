import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { imports, type ImportName } from '../../../../schemas/imports/imports.ts'
import {
  mappingFault,
  type ColumnRef,
  type FieldSource,
  type Mapping,
  type MappingProposal,
} from '../../../../schemas/imports/mapping/mapping.ts'
import { defaultImportLimits } from '../../../../server/config/importLimits.ts'
import { HttpError } from '../../../../server/http/errors.ts'
import { parseAnswers } from '../../../../server/imports/answers.ts'
import { placeOfRow } from '../../../../server/imports/formats/sheet.ts'
import { fingerprintOf } from '../../../../server/imports/mapping/columnNames.ts'
import { read, type Outcome } from '../../../files/read.ts'
import { csvOf, workbookOf, type Rows } from '../../../files/workbooks.ts'

const of = (name: string, sheet = '', sign: 1 | -1 = 1): ColumnRef => ({ sheet, name, sign })
const from = (...columns: ColumnRef[]): FieldSource => ({ columns })
const mapOf = (heading: string[], fields: Mapping['fields']): Mapping => ({
  sheets: [{ name: '', heading }],
  fields,
})
const givenMapping = (mapping: Mapping) => ({ given: mapping, saved: [] })
const saved = (kind: ImportName, mapping: Mapping, processor = 'Iris') => ({
  given: null,
  saved: [{ processor, fingerprint: fingerprintOf(kind, mapping.sheets), mapping }],
})
/** The values of named fields in each row that was read; null is a blank cell. */
const valuesOf = ({ rows }: Outcome, kind: ImportName, ...fields: string[]) =>
  rows?.map((row) =>
    fields.map((field) => {
      const value = row[1 + imports[kind].columns.findIndex((column) => column.field === field)]
      return value === '\\N' ? null : value
    }),
  )
const guessesOf = ({ mapping }: MappingProposal) =>
  Object.fromEntries(
    Object.entries(mapping.fields).map(([field, source]) => [
      field,
      'columns' in source ? source.columns.map(({ name }) => name).join('+') : source.constant,
    ]),
  )

const heading = ['Store Ref', 'Shop', 'Gross', 'Interchange', 'Dues']
const foreign: Rows = [
  heading,
  ['000123456789', 'Bakery', '$1,000.10', '100.05', '(0.01)'],
  ['000987654321', 'Bar', '5', '', '-'],
]
const foreignMapping = mapOf(heading, {
  xmid: from(of('Store Ref')),
  income: from(of('Gross')),
  expense: from(of('Interchange'), of('Dues')),
})

test.each<[string, FieldSource, string]>([
  ['one column', from(of('Interchange')), '10.00'],
  ['two columns', from(of('Interchange'), of('Dues')), '9.00'],
  ['a column with the sign turned', from(of('Dues', '', -1)), '1.00'],
])('a debit is an expense and a credit lowers it, in %s', async (_, expense, expected) => {
  const row = ['000123456789', 'Bakery', '100.00 CR', '10.00 DR', '1.00 CR']
  const mapping = mapOf(heading, { xmid: from(of('Store Ref')), income: from(of('Gross')), expense })
  const outcome = await read('a.csv', csvOf([heading, row]), {
    kind: 'compdata',
    mappings: givenMapping(mapping),
  })
  expect(outcome.faults).toEqual([])
  expect(valuesOf(outcome, 'compdata', 'expense')).toEqual([[expected]])
})

describe('a file whose heading is not known is asked about', () => {
  test('with its columns, five samples of each, the number of lines, guesses and what they were guessed by', async () => {
    const rows: Rows = Array.from({ length: 6 }, (_, at) => [
      `00012345678${at}`,
      'Bakery',
      `$${at + 1}.10`,
      '1.00',
      '0.10',
    ])
    const { refused, proposal } = await read('a.csv', csvOf([['Residuals'], heading, ...rows]), {
      kind: 'compdata',
    })
    expect(refused).toMatch(/^No heading was found in the first 20 lines/)
    const [sheet] = proposal!.sheets
    expect([sheet!.row, sheet!.lines]).toEqual([2, 6])
    expect(sheet!.columns.map(({ name }) => name)).toEqual(heading)
    expect(sheet!.columns[2]!.samples).toEqual(['$1.10', '$2.10', '$3.10', '$4.10', '$5.10'])
    expect(proposal!.reasons).toMatchObject({ xmid: 'name' })
    expect(guessesOf(proposal!)).toMatchObject({ xmid: 'Store Ref' })
    expect(proposal!.difference).toBeNull()
  })

  test('by the words of its names, and by amounts that add up', async () => {
    const rows: Rows = [
      ['Txn Nbr', 'Merch Acct', 'A', 'B', 'C'],
      ['3', '000123456789', '10.00', '4.00', '6.00'],
      ['9', '000987654321', '7.50', '2.50', '5.00'],
    ]
    const { proposal } = await read('a.csv', csvOf(rows), { kind: 'compdata' })
    expect(guessesOf(proposal!)).toMatchObject({ xmid: 'Merch Acct', income: 'A', expense: 'B', net: 'C' })
    expect(proposal!.reasons).toMatchObject({ income: 'total', expense: 'total', net: 'total' })
  })

  test('also where two headings mean the same column', async () => {
    const rows: Rows = [
      ['MID', 'Merchant Number', 'DBA', 'Agent'],
      ['1', '2', 'A', '7'],
    ]
    const { refused, proposal } = await read('a.csv', csvOf(rows))
    expect(refused).toContain('both mean XMID')
    expect(guessesOf(proposal!)).toEqual({ xmid: 'MID', dba: 'DBA', masteragentid: 'Agent' })
    expect(proposal!.reasons).toMatchObject({ xmid: 'alias', dba: 'name' })
  })

  test('with card numbers and, of TIN files, tax ids hidden in samples and names', async () => {
    const rows: Rows = [
      ['Shop', 'Card', 'Owner'],
      ['Bakery', '4111111111111111', '123-45-6789'],
      ['Bar', '', '12-3456789'],
    ]
    const { proposal } = await read('a.csv', csvOf(rows), { kind: 'tinvalidation' })
    expect(proposal!.sheets[0]!.columns.map(({ samples }) => samples)).toEqual([
      ['Bakery', 'Bar'],
      ['************1111', ''],
      ['*****6789', '*****6789'],
    ])
  })

  test.each([
    ['one name', csvOf([['a'], ['b']])],
    ['a heading without rows', csvOf([['Store Ref', 'Gross']])],
    [
      'figures alone',
      csvOf([
        ['1', '2'],
        ['3', '4'],
      ]),
    ],
  ])('but not where it holds %s: that is refused as before', async (_, content) => {
    const outcome = await read('a.csv', content, { kind: 'compdata' })
    expect([outcome.proposal, outcome.refused]).toEqual([
      undefined,
      expect.stringMatching(/^No heading was found/),
    ])
  })
})

describe('a mapping gives the rows', () => {
  test('of a sum in exact cents, with blank cells as 0', async () => {
    const outcome = await read('a.csv', csvOf(foreign), {
      kind: 'compdata',
      mappings: givenMapping(foreignMapping),
    })
    expect(valuesOf(outcome, 'compdata', 'xmid', 'income', 'expense', 'net')).toEqual([
      ['000123456789', '1000.10', '100.04', '900.06'],
      ['000987654321', '5.00', '0.00', '5.00'],
    ])
    expect(outcome.ignored).toEqual(['Shop'])
  })

  test('of numbers of a workbook without the noise of binary fractions', async () => {
    const names = ['Ref', 'A', 'B']
    const mapping = mapOf(names, {
      xmid: { columns: [of('Ref', 'Data')], pad: 12 },
      net: from(of('A', 'Data'), of('B', 'Data')),
    })
    mapping.sheets[0]!.name = 'Data'
    const content = workbookOf('xlsx', {
      Data: [names, [4001, 0.1, 0.2], [999999999999, 1e-7, 12345678901.23]],
    })
    const outcome = await read('a.xlsx', content, { kind: 'compdata', mappings: givenMapping(mapping) })
    expect(valuesOf(outcome, 'compdata', 'xmid', 'net')?.[0]).toEqual(['000000004001', '0.30'])
  })

  test('of a constant, a difference and a padded id, and leaves totals out that a constant would hide', async () => {
    const names = ['Ref', 'In', 'Out']
    const mapping = mapOf(names, {
      xmid: { columns: [of('Ref')], pad: 6 },
      processor: { constant: 'Iris' },
      net: from(of('In'), of('Out', '', -1)),
    })
    const rows: Rows = [
      names,
      ['12', '10.005', '0.005'],
      names,
      ['', '', ''],
      ['', '10.005', '0.005'],
      ['Total', '10', '0'],
    ]
    const outcome = await read('a.csv', csvOf(rows), { kind: 'compdata', mappings: givenMapping(mapping) })
    expect(valuesOf(outcome, 'compdata', 'xmid', 'processor', 'net')).toEqual([['000012', 'Iris', '10.00']])
    expect(outcome.warnings).toEqual(['2 rows with totals were left out (row 5, 6)'])
  })

  test('with the faults at the rows and names of the file', async () => {
    const rows: Rows = [
      heading,
      ['1.2E+11', 'Bakery', '1', 'abc', '2'],
      ['7', 'Bar', '1', '2', '3', 'more'],
      ['8', 'x', 'y', '', ''],
    ]
    const outcome = await read('a.csv', csvOf(rows), {
      kind: 'compdata',
      mappings: givenMapping(foreignMapping),
    })
    expect(outcome.faults).toMatchObject([
      { row: 2, column: 'MID', value: '1.2E+11' },
      {
        row: 2,
        column: 'Expenses',
        value: 'abc + 2',
        message: 'Expenses cannot be worked out: Interchange is not an amount; write it like 1,234.56',
      },
      { row: 3, column: null, message: 'The row has 6 cells where the heading has 5' },
      { row: 4, column: 'Income', value: 'y' },
    ])
  })

  test('of a number that a spreadsheet rounded as a fault, also where it is to be padded', async () => {
    const mapping: Mapping = {
      sheets: [{ name: 'Data', heading: ['Ref', 'Net Due'] }],
      fields: { xmid: { columns: [of('Ref', 'Data')], pad: 18 }, net: from(of('Net Due', 'Data')) },
    }
    const content = workbookOf('xlsx', {
      Data: [
        ['Ref', 'Net Due'],
        [1234567890123456, 1],
      ],
    })
    const outcome = await read('a.xlsx', content, { kind: 'compdata', mappings: givenMapping(mapping) })
    expect(outcome.faults).toMatchObject([
      { row: 2, column: 'MID', message: expect.stringContaining('rounds') },
    ])
  })

  test('and a fix file in the names of the portal, which is read again without asking', async () => {
    const names = ['Ref', 'Net', 'Fees', 'In']
    const mapping = mapOf(names, { xmid: from(of('Ref')), income: from(of('In')), expense: from(of('Fees')) })
    const rows: Rows = [['Iris'], names, ['1', '9', 'x', '10'], ['2', '9', '1', '10']]
    let text = ''
    await read('a.csv', csvOf(rows), {
      kind: 'compdata',
      mappings: givenMapping(mapping),
      rejectedRows: { format: 'csv', reasons: [] },
      write: async (part) => void (text += part),
    })
    expect(text.split('\r\n')).toEqual([
      '\ufeffIris,,,,',
      'MID,Income,Expenses,Net (in the file),Reason',
      expect.stringMatching(/^1,10,x,9,"Expenses is not an amount/),
      '',
    ])
    const again = await read('a.csv', text.replace(',x,', ',1,'), { kind: 'compdata' })
    expect(valuesOf(again, 'compdata', 'xmid', 'net')).toEqual([['1', '9.00']])
  })
})

describe('a heading that was guessed wrong', () => {
  const content = csvOf([
    ['Portfolio', 'Agent', 'Office', 'Region', 'Statement'],
    ['a1', 'b2', 'c3', 'd4', 'e5'],
    ['000123456789', 'Bakery', '10.00', '1.00', '0'],
  ])
  const choose = (row: number, sheet = '') =>
    read('a.csv', content, {
      kind: 'compdata',
      mappings: { given: null, saved: [], headings: [{ sheet, row }] },
    })

  test('can be any other of the first lines, which are named with their rows', async () => {
    const guessed = await read('a.csv', content, { kind: 'compdata' })
    expect(guessed.proposal!.sheets[0]!.row).toBe(1)
    expect(guessed.proposal!.sheets[0]!.starts).toEqual([
      { row: 1, text: 'Portfolio · Agent · Office · Region · Statement' },
      { row: 2, text: 'a1 · b2 · c3 · d4 · e5' },
      { row: 3, text: '000123456789 · Bakery · 10.00 · 1.00 · 0' },
    ])
    const { proposal } = await choose(2)
    expect([proposal!.sheets[0]!.row, proposal!.sheets[0]!.lines]).toEqual([2, 1])
    const names = proposal!.sheets[0]!.columns.map(({ name }) => name)
    expect(names).toEqual(['a1', 'b2', 'c3', 'd4', 'e5'])
    const mapping = mapOf(names, { xmid: from(of('a1')), income: from(of('c3')), expense: from(of('d4')) })
    const outcome = await read('a.csv', content, { kind: 'compdata', mappings: givenMapping(mapping) })
    expect(valuesOf(outcome, 'compdata', 'xmid', 'income')).toEqual([['000123456789', '10.00']])
  })

  test.each<[row: number, sheet: string, sentence: string]>([
    [4, '', 'There is no row 4 among the first lines: choose another row as the heading'],
    [
      1,
      'Fees',
      'There is no row 1 of the sheet “Fees” among the first lines: choose another row as the heading',
    ],
    [3, '', 'There are no rows below the chosen heading: choose another row'],
  ])('is refused at row %i of the sheet “%s”', async (row, sheet, sentence) => {
    expect((await choose(row, sheet)).refused).toBe(sentence)
  })
})

describe('several sheets are merged by the merchant', () => {
  const sheets = { Volume: ['Ref', 'Gross'], Costs: ['Account', 'Fees', 'Note'] }
  const mapping: Mapping = {
    sheets: Object.entries(sheets).map(([name, names]) => ({ name, heading: names })),
    fields: {
      xmid: from(of('Ref', 'Volume'), of('Account', 'Costs')),
      income: from(of('Gross', 'Volume')),
      expense: from(of('Fees', 'Costs')),
    },
  }
  const bookOf = (volume: Rows, costs: Rows) =>
    workbookOf('xlsx', {
      Cover: [['Iris']],
      Volume: [sheets.Volume, ...volume],
      Costs: [['Costs'], sheets.Costs, ...costs],
    })
  const readBook = (volume: Rows, costs: Rows) =>
    read('a.xlsx', bookOf(volume, costs), { kind: 'compdata', mappings: givenMapping(mapping) })

  test('each merchant once, those of one sheet alone too, totals left out', async () => {
    const outcome = await readBook(
      [
        ['101', 10],
        ['102', 20],
        ['Total', 30],
      ],
      [
        ['102', 3, 'late'],
        ['103', 4, ''],
        ['Total', 7, ''],
      ],
    )
    expect(valuesOf(outcome, 'compdata', 'xmid', 'income', 'expense')).toEqual([
      ['101', '10.00', '0.00'],
      ['102', '20.00', '3.00'],
      ['103', '0.00', '4.00'],
    ])
    expect(outcome.faults).toEqual([])
    expect(outcome.warnings).toEqual(['A row with totals was left out (row 4 of Volume)'])
    expect(outcome.ignored).toEqual(['Note'])
  })

  test('a total that differs is named by its own sheet and row, also of what further sheets alone have', async () => {
    const outcome = await readBook(
      [
        ['101', 10],
        ['Total', 10],
      ],
      [
        ['101', 3, ''],
        ['103', 4, ''],
        ['Total', 8, ''],
      ],
    )
    expect(outcome.faults!.map(({ row, column, message }) => [row, column, message])).toEqual([
      [2_000_005, 'Expenses', 'The total of Expenses is 8.00, but the rows above add up to 7.00'],
    ])
    const first = await readBook(
      [
        ['101', 10],
        ['Total', 11],
      ],
      [
        ['101', 3, ''],
        ['Total', 3, ''],
      ],
    )
    expect(first.faults).toMatchObject([{ row: 3, column: 'Income' }])
  })

  test('a total between the rows counts those above it, once, and that of one sheet says nothing of others', async () => {
    const outcome = await readBook(
      [
        ['101', 10],
        ['Total', 10],
        ['102', 20],
        ['103', 5],
      ],
      [['101', 3, '']],
    )
    expect(outcome.faults).toEqual([])
    expect(outcome.warnings).toEqual(['A row with totals was left out (row 3 of Volume)'])
    expect(valuesOf(outcome, 'compdata', 'xmid', 'income', 'expense')).toEqual([
      ['101', '10.00', '3.00'],
      ['102', '20.00', '0.00'],
      ['103', '5.00', '0.00'],
    ])
  })

  test('amounts of two sheets are added up where one of them does not name the merchant', async () => {
    const { xmid } = mapping.fields as { xmid: FieldSource }
    const net = from(of('Gross', 'Volume'), of('Fees', 'Costs', -1))
    const content = bookOf(
      [
        ['101', 10],
        ['102', 20],
      ],
      [
        ['102', 3, ''],
        ['103', 4, ''],
      ],
    )
    const mappings = givenMapping({ ...mapping, fields: { xmid, net } })
    expect(
      valuesOf(await read('a.xlsx', content, { kind: 'compdata', mappings }), 'compdata', 'xmid', 'net'),
    ).toEqual([
      ['101', '10.00'],
      ['102', '17.00'],
      ['103', '-4.00'],
    ])
  })

  test('and a merchant twice in a sheet that is merged is a fault', async () => {
    const outcome = await readBook(
      [['101', 10]],
      [
        ['101', 3, ''],
        ['101', 4, ''],
      ],
    )
    expect(outcome.faults).toMatchObject([
      { row: 2_000_004, message: expect.stringContaining('already in row 3') },
    ])
  })

  test.each([
    [1, true],
    [2, true],
    [3, false],
  ])('of %i rows to be held, where two may be, the file is read: %j', async (count, isRead) => {
    const rows = Array.from({ length: count }, (_, at) => [String(200 + at), 1, ''])
    // The rows of the first sheet do not count.
    const content = bookOf(
      ['101', '102', '103', '104'].map((id) => [id, 10]),
      rows,
    )
    const limits = { mergedRows: 2 }
    const { refused } = await read('a.xlsx', content, {
      kind: 'compdata',
      limits,
      mappings: givenMapping(mapping),
    })
    expect(refused).toBe(
      isRead
        ? undefined
        : 'The sheets that are merged into the first have more than 2 rows; ' +
            'name the largest sheet first, or divide the file',
    )
  })

  test('and 200,000 rows are held unless another limit is set', () =>
    expect(defaultImportLimits.mergedRows).toBe(200_000))

  test('and a fault of a row that only a further sheet has names that sheet', async () => {
    const outcome = await readBook([['101', 10]], [['103', 'x', '']])
    expect(outcome.faults).toMatchObject([{ row: 2_000_003, column: 'Expenses' }])
    expect(placeOfRow(2_000_003, ['Volume', 'Costs'])).toEqual({ row: 3, sheet: 'Costs' })
    expect(placeOfRow(3, ['Volume', 'Costs'])).toEqual({ row: 3, sheet: 'Volume' })
    expect(placeOfRow(3, ['Volume'])).toEqual({ row: 3, sheet: null })
  })

  test('is proposed where the first lacks what another has', async () => {
    const rows: Rows = [
      ['MID', 'Shop'],
      ['4001', 'Bakery'],
      ['4002', 'Bar'],
      ['4003', 'Bank'],
    ]
    const content = workbookOf('xlsx', {
      Shops: rows,
      Money: [
        ['Merchant No', 'Net'],
        ['4001', 5],
      ],
    })
    const { proposal } = await read('a.xlsx', content, { kind: 'compdata' })
    expect(proposal).toBeUndefined()
    const agents = workbookOf('xlsx', {
      Shops: [
        ['MID', 'DBA'],
        ['4001', 'Bakery'],
        ['4002', 'Bar'],
      ],
      Agents: [
        ['MID', 'Agent'],
        ['4001', 'MA0002'],
      ],
    })
    const asked = (await read('a.xlsx', agents)).proposal!
    expect(asked.mapping.sheets.map(({ name }) => name)).toEqual(['Shops', 'Agents'])
    expect(asked.mapping.fields['xmid']).toEqual(from(of('MID', 'Shops'), of('MID', 'Agents')))
    expect(asked.sheets.map(({ idColumn }) => idColumn)).toEqual(['MID', 'MID'])
    expect(mappingFault(imports.merchant, asked.mapping)).toBeNull()
  })
})

describe('a saved mapping', () => {
  const send = (names: string[], processor = 'Iris') =>
    read('a.csv', csvOf([names, ...foreign.slice(1).map((row) => row.slice(0, names.length))]), {
      kind: 'compdata',
      mappings: saved('compdata', foreignMapping, processor),
    })

  test('of the same heading is taken without asking, whatever its case, spaces and the lines above', async () => {
    const names = ['STORE_REF', 'shop ', 'gross', 'Inter-change', 'Dues']
    const content = csvOf([['Iris, October 2026'], names, ...foreign.slice(1)])
    const outcome = await read('a.csv', content, {
      kind: 'compdata',
      mappings: saved('compdata', foreignMapping),
    })
    expect(valuesOf(outcome, 'compdata', 'expense')).toEqual([['100.04'], ['0.00']])
  })

  test.each<[string, string[], object]>([
    [
      'a renamed column',
      ['Store Ref', 'Shop', 'Gross', 'Interchange 2', 'Dues'],
      { renamed: [{ from: 'Interchange', to: 'Interchange 2' }], moved: [], missing: [], added: [] },
    ],
    [
      'moved columns',
      ['Store Ref', 'Gross', 'Shop', 'Dues', 'Interchange'],
      { renamed: [], moved: ['Gross', 'Interchange', 'Dues'], missing: [], added: [] },
    ],
    [
      'a missing column',
      ['Store Ref', 'Shop', 'Gross', 'Interchange'],
      { renamed: [], moved: [], missing: ['Dues'], added: [] },
    ],
    [
      'a missing column before others',
      ['Store Ref', 'Shop', 'Interchange', 'Dues'],
      { renamed: [], moved: [], missing: ['Gross'], added: [] },
    ],
    ['a new column', [...heading, 'Bonus'], { renamed: [], moved: [], missing: [], added: ['Bonus'] }],
  ])('of a heading with %s is proposed, and the difference named', async (_, names, difference) => {
    const { proposal } = await send(names)
    expect(proposal!.difference).toEqual({ processor: 'Iris', ...difference })
    expect(proposal!.reasons).toMatchObject({ xmid: 'saved' })
    expect(proposal!.fingerprint).toBe(fingerprintOf('compdata', [{ name: '', heading: names }]))
  })

  test('that fits the kind no more is not taken, and the columns are asked for', async () => {
    const older = mapOf(heading, { ...foreignMapping.fields, former: from(of('Shop')) })
    const outcome = await read('a.csv', csvOf(foreign), {
      kind: 'compdata',
      mappings: saved('compdata', older),
    })
    expect([outcome.rows, outcome.proposal!.sheets[0]!.row]).toEqual([undefined, 1])
  })

  test('is the newest of those that share as much', async () => {
    const [newest] = saved('compdata', foreignMapping, 'Newest').saved
    const [oldest] = saved('compdata', foreignMapping, 'Oldest').saved
    const { proposal } = await read('a.csv', csvOf([[...heading, 'Bonus'], ...foreign.slice(1)]), {
      kind: 'compdata',
      mappings: { given: null, saved: [newest!, oldest!] },
    })
    expect(proposal!.difference!.processor).toBe('Newest')
  })

  test('whose column of the id is gone takes one that is guessed, and no others', async () => {
    const { proposal } = await send(['Shop', 'Merchant No', 'Gross', 'Interchange', 'Dues'])
    expect(guessesOf(proposal!)).toEqual({
      xmid: 'Merchant No',
      income: 'Gross',
      expense: 'Interchange+Dues',
    })
  })

  test.each([
    ['half of its columns', ['Store Ref', 'Shop', 'Gross', 'x', 'y', 'z'], true],
    ['less than half', ['Store Ref', 'Shop', 'w', 'x', 'y', 'z'], false],
  ])('that shares %s counts accordingly', async (_, names, isProposed) => {
    const rows = foreign.slice(1).map((row) => [...row, '1'])
    const { proposal } = await read('a.csv', csvOf([names, ...rows]), {
      kind: 'compdata',
      mappings: saved('compdata', foreignMapping),
    })
    expect(proposal!.difference !== null).toBe(isProposed)
  })

  test('is proposed with the carried columns as the mapping that is to be accepted', async () => {
    const names = ['Dues', 'Gross', 'Interchange (new)', 'Shop', 'Store Ref']
    const { proposal } = await send(names)
    const { mapping } = proposal!
    expect(mapping.fields).toMatchObject({ xmid: from(of('Store Ref')), income: from(of('Gross')) })
  })
})

describe('a mapping that cannot be is refused with a sentence', () => {
  const broken = (fields: Mapping['fields'], names = heading) =>
    mapOf(names, { ...foreignMapping.fields, ...fields })
  test.each<[string, Mapping, string]>([
    ['an unknown field', broken({ foo: from(of('Shop')) }), '“foo” is no column of Import Comp Data'],
    [
      'a column that is not there',
      broken({ net: from(of('Nothing')) }),
      'Net: the column “Nothing” is not in the heading',
    ],
    ['a column twice', broken({ net: from(of('Gross'), of('Gross')) }), 'Net names one column twice'],
    ['two columns of a text', broken({ dba: from(of('Shop'), of('Gross')) }), 'DBA takes one column'],
    ['two columns of the id', broken({ xmid: from(of('Shop'), of('Gross')) }), 'MID takes one column'],
    ['a negative text', broken({ dba: from(of('Shop', '', -1)) }), 'DBA cannot be taken away'],
    [
      'a padded amount',
      broken({ net: { columns: [of('Gross')], pad: 3 } }),
      'Net is no number to be filled with zeros',
    ],
    ['one month for all files', broken({ month: { constant: '2026-10' } }), 'Month changes with each file'],
    ['one id for all rows', broken({ xmid: { constant: '1' } }), 'MID tells the rows apart'],
    [
      'a padded constant',
      broken({ dba: { constant: 'x', pad: 3 } as FieldSource }),
      'DBA: one value for all rows is not filled with zeros',
    ],
    ['a constant that is no amount', broken({ net: { constant: 'much' } }), 'Net: “much” is not an amount'],
    [
      'two sheets of one name',
      { ...foreignMapping, sheets: [...foreignMapping.sheets, ...foreignMapping.sheets] },
      'A sheet is named twice',
    ],
    ['no id', mapOf(heading, { net: from(of('Gross')) }), 'MID is required: choose its column'],
    [
      'neither income nor net',
      mapOf(heading, { xmid: from(of('Shop')) }),
      'Income or Net is required: choose a column',
    ],
    [
      'a column and a constant',
      broken({ dba: { columns: [of('Shop')], constant: 'x' } as FieldSource }),
      'DBA needs a column or one value for all rows, and not both',
    ],
    [
      'another heading',
      { ...foreignMapping, sheets: [{ name: '', heading: [...heading, 'More'] }] },
      'The mapping is of another heading than the file has; choose the columns again',
    ],
  ])('%s', async (_, mapping, sentence) => {
    expect(
      (await read('a.csv', csvOf(foreign), { kind: 'compdata', mappings: givenMapping(mapping) })).refused,
    ).toContain(sentence)
  })
})

test('no day is the same in every row of every file', () => {
  const fields = { xmid: from(of('MID')), dba: from(of('DBA')), masteragentid: { constant: '2' } }
  const mapping = mapOf(['MID', 'DBA'], { ...fields, date_added: { constant: '2026-10-31' } })
  expect(mappingFault(imports.merchant, mapping)).toBe(
    'Date Added changes with each file, so it cannot be one value for all',
  )
})

describe('the answers of an upload', () => {
  const sourceOf = (source: object) => ({ ...foreignMapping, fields: { net: source } })
  const columns = [of('Gross')]
  const refusal = (mapping: object) => {
    try {
      parseAnswers(JSON.stringify({ mapping }))
      return null
    } catch (error) {
      return error instanceof HttpError ? [error.status, error.message] : error
    }
  }

  test.each([
    [
      'zeros to 1 and to 32 digits',
      [
        { columns, pad: 1 },
        { columns, pad: 32 },
      ],
    ],
    ['a value of 1 and of 200 characters', [{ constant: 'x' }, { constant: 'x'.repeat(200) }]],
    ['1 and 50 columns', [{ columns }, { columns: Array.from({ length: 50 }, () => columns[0]) }]],
  ])('take a mapping with %s', (_, sources) => {
    expect(sources.map((source) => refusal(sourceOf(source)))).toEqual(sources.map(() => null))
  })

  test.each<[string, object]>([
    ['zeros to 0 digits', sourceOf({ columns, pad: 0 })],
    ['zeros to 33 digits', sourceOf({ columns, pad: 33 })],
    ['a value of 201 characters', sourceOf({ constant: 'x'.repeat(201) })],
    ['no column', sourceOf({ columns: [] })],
    ['51 columns', sourceOf({ columns: Array.from({ length: 51 }, () => columns[0]) })],
    ['a sign of 0', sourceOf({ columns: [{ ...columns[0], sign: 0 }] })],
    ['a sheet without a heading', { sheets: [{ name: '' }], fields: {} }],
    ['no sheet', { sheets: [], fields: {} }],
  ])('take no mapping with %s, and say so', (_, mapping) => {
    expect(refusal(mapping)).toEqual([
      422,
      expect.stringMatching(/^The answers about the file are not valid: /),
    ])
  })
})

describe('whatever the layout', () => {
  /** Cents as an oracle reads the notations that the layouts write. */
  const notations: ((cents: number) => string)[] = [
    (cents) => (cents / 100).toFixed(2),
    (cents) =>
      `$${(Math.abs(cents) / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}${cents < 0 ? '-' : ''}`,
    (cents) => (cents < 0 ? `(${(-cents / 100).toFixed(2)})` : (cents / 100).toFixed(2)),
  ]
  const dollars = (cents: number) =>
    `${cents < 0 ? '-' : ''}${Math.floor(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}`
  const word = fc.stringMatching(/^[A-Z][a-z]{3,8}$/)
  const layout = fc.record({
    names: fc.uniqueArray(word, { minLength: 4, maxLength: 8, selector: (name) => name.toLowerCase() }),
    titles: fc.integer({ min: 0, max: 4 }),
    notation: fc.integer({ min: 0, max: 2 }),
    pad: fc.integer({ min: 0, max: 12 }),
    separator: fc.constantFrom(',', ';', '\t', '|'),
    signs: fc.array(fc.constantFrom<1 | -1>(1, -1), { minLength: 3, maxLength: 7 }),
    cents: fc.array(
      fc.array(fc.integer({ min: -99_999_999, max: 99_999_999 }), { minLength: 7, maxLength: 7 }),
      { minLength: 1, maxLength: 6 },
    ),
  })

  test('the rows that are read are those an independent sum gives', async () => {
    await fc.assert(
      fc.asyncProperty(layout, async ({ names, titles, notation, pad, separator, signs, cents }) => {
        const [id, ...amounts] = names
        const summed = amounts.slice(0, signs.length)
        const mapping = mapOf(names, {
          xmid: { columns: [of(id!)], ...(pad > 0 && { pad }) },
          net: { columns: summed.map((name, at) => of(name, '', signs[at])) },
        })
        const rows: Rows = cents.map((values, at) => [
          String(70 + at),
          ...amounts.map((_, column) => notations[notation]!(values[column]!)),
        ])
        const above: Rows = Array.from({ length: titles }, (_, at) => [`Report ${at}`])
        const content = csvOf([...above, names, ...rows], separator)
        const outcome = await read('a.csv', content, { kind: 'compdata', mappings: givenMapping(mapping) })
        expect(valuesOf(outcome, 'compdata', 'xmid', 'net')).toEqual(
          cents.map((values, at) => [
            String(70 + at).padStart(pad, '0'),
            dollars(summed.reduce((sum, _, column) => sum + signs[column]! * values[column]!, 0)),
          ]),
        )
      }),
      { numRuns: 60, seed: 21 },
    )
  })
})
