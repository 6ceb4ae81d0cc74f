import { describe, expect, test, vi } from 'vitest'
import type { Preview } from '../../../schemas/imports/imports.ts'
import { addTwoMerchants, empty, sharedImportDatabase } from '../../files/importDatabase.ts'
import { csvOf, type Rows } from '../../files/workbooks.ts'

vi.setConfig({ testTimeout: 30_000 })

const it = sharedImportDatabase(async (db) => {
  await empty(db)
  await addTwoMerchants(db)
})
const day = (text: string) => Date.parse(`${text}T00:00:00Z`) / 1000

describe('chargebacks', () => {
  const head = [
    'MID',
    'Case Number',
    'Case Type',
    'File Date',
    'Amount',
    'Status',
    'Card Last4',
    'Reason Code',
  ]
  const cases = (...rows: Rows) => csvOf([head, ...rows])
  const first: Rows[number] = [
    '1',
    'C1',
    'Retrieval Request',
    '5/2/2025',
    '$1,000.50',
    'Open',
    '1234',
    '4837',
  ]
  const stored = () =>
    it.db.query(
      'select xmid, casenumber, casetype, filedate, amount, status, cardlast4, reasoncode from chargeback order by id',
    )
  const states = () =>
    it.db.query(
      'select c.casenumber, s.casetype, s.status, s.amount from chargeback_state s join chargeback c on c.id = s.chargebackid order by s.id',
    )

  test('are identified by case number and merchant; blank cells keep what is stored', async () => {
    await it.imports('chargeback', 'c.csv', cases(first))
    const again = await it.imports(
      'chargeback',
      'c.csv',
      cases(['1', 'C1', 'chargeback', '', '', 'Open', '', '']),
    )
    expect(again).toMatchObject({ inserted: 0, updated: 1, totals: { rows: 1 } })
    expect(await stored()).toEqual([
      {
        xmid: '1',
        casenumber: 'C1',
        casetype: 'chargeback',
        filedate: day('2025-05-02'),
        amount: 1000.5,
        status: 'Open',
        cardlast4: '1234',
        reasoncode: '4837',
      },
    ])
  })
  test('keep the history of their states', async () => {
    await it.imports('chargeback', 'c.csv', cases(first))
    await it.imports('chargeback', 'd.csv', cases(['1', 'C1', 'CB', '', '', '', '', '']))
    await it.imports('chargeback', 'e.csv', cases(['1', 'C1', '', '', '', '', '', '4853']))
    await it.imports('chargeback', 'f.csv', cases(['1', 'C1', 'Pre-Arb', '', '', 'Won', '', '']))
    await it.imports('chargeback', 'g.csv', cases(['1', 'C1', '', '', '$999', '', '', '']))
    expect((await states()).map((row) => Object.values(row))).toEqual([
      ['C1', 'retrieval', 'Open', 1000.5],
      ['C1', 'chargeback', 'Open', 1000.5],
      ['C1', 'pre-arbitration', 'Won', 1000.5],
      ['C1', 'pre-arbitration', 'Won', 999],
    ])
  })
  test('a case that is as it was gets no other state, whatever became of the others', async () => {
    const second = ['1', 'C2', 'Chargeback', '5/3/2025', '$7', 'Won', '', '']
    await it.imports('chargeback', 'c.csv', cases(first, second))
    await it.imports('chargeback', 'd.csv', cases(['1', 'C1', '', '', '', '', '', '4853']))
    expect((await states()).map((row) => Object.values(row))).toEqual([
      ['C1', 'retrieval', 'Open', 1000.5],
      ['C2', 'chargeback', 'Won', 7],
    ])
  })
  test('a case number that another merchant has too is a case of its own, with a warning', async () => {
    await it.imports('chargeback', 'c.csv', cases(first))
    const reply = await it.imports('chargeback', 'd.csv', cases(['2', ...first.slice(1)]))
    expect(reply.inserted).toBe(1)
    expect(reply.warnings).toEqual([
      '1 case has a number that another merchant has too: C1 of MID 2 is also one of MID 1; each is kept',
    ])
  })
  test('a case number that differs by its capitals is another one', async () => {
    await it.imports('chargeback', 'c.csv', cases(first))
    const { inserted, warnings } = await it.imports(
      'chargeback',
      'd.csv',
      cases(['2', 'c1', ...first.slice(2)]),
    )
    expect([inserted, warnings]).toEqual([1, []])
  })
  test('of several such case numbers the first row is named, with the first merchant', async () => {
    const of = (mid: string, number: string) => [mid, number, ...first.slice(2)]
    await it.imports('chargeback', 'c.csv', cases(of('1', 'C1'), of('2', 'C2'), of('1', 'C2')))
    const { warnings } = await it.imports('chargeback', 'd.csv', cases(of('3', 'C2'), of('3', 'C1')))
    expect(warnings).toContain(
      '2 cases have a number that another merchant has too: C2 of MID 3 is also one of MID 1 …; each is kept',
    )
  })
  test.each<[string, number[] | null, number]>([
    ['everything', null, 1],
    ['both master agents', [2, 3], 1],
    ['the own branch alone', [3], 0],
  ])('who sees %s is told of a case number that a merchant of it has: %#', async (_, scope, count) => {
    await it.imports('chargeback', 'c.csv', cases(first))
    const reply = await it.imports('chargeback', 'd.csv', cases(['2', ...first.slice(1)]), {
      sender: { username: 'ann', scope },
    })
    expect(reply.inserted).toBe(1)
    expect(reply.warnings).toHaveLength(count)
  })
  test.each<[string, Rows, string]>([
    ['one case twice', [first, first], 'Case Number C1 of MID 1 is already in row 2'],
    [
      'a new case without an amount',
      [['1', 'C9', '', '5/2/2025', '', '', '', '']],
      'Amount is required: Case Number C9 is new',
    ],
    [
      'an unknown type',
      [['1', 'C9', 'quarrel', '5/2/2025', '1', '', '', '']],
      'Case Type is not one of retrieval, chargeback, pre-arbitration, representment',
    ],
    [
      'a full card number',
      [['1', 'C9', '', '5/2/2025', '1', '', '4111 1111 1111 1111', '']],
      'Card Last4 holds what looks like a full card number; remove it',
    ],
  ])('%s is a row error', async (_, rows, message) => {
    const refusal = await it.refuses('chargeback', 'c.csv', cases(...rows))
    expect(refusal.rows[0]).toMatchObject({ row: rows.length + 1, message })
    expect(JSON.stringify(refusal)).not.toMatch(/4111.?1111/)
  })
})

describe('PCI compliance', () => {
  const head = [
    'Merchant ID',
    'PCI Level',
    'Scan Required',
    'Compliance Status',
    'Compliance/Expiration Date',
    'Non-Compliance Fee',
  ]
  const rows = (...of: Rows) =>
    csvOf([head.map((name) => name.replace('Compliance/Expiration', 'Expiration')), ...of])
  const stored = () =>
    it.db.query(
      'select xmid, pcilevel, scanrequired, compliancestatus, expirationdate, noncompliancefee, iscompliant from pci_compliance order by xmid',
    )
  test('is one current row for each merchant', async () => {
    await it.imports(
      'pcicompliance',
      'p.csv',
      rows(['1', 'Level 4', 'Yes', 'Compliant', '2025-12-31', ''], ['2', '3', 'N', 'Expired', '', '29.95']),
    )
    await it.imports('pcicompliance', 'q.csv', rows(['1', '', '', 'Expired', '-', '$29.95']))
    expect(await stored()).toEqual([
      {
        xmid: '1',
        pcilevel: 4,
        scanrequired: true,
        compliancestatus: 'Expired',
        expirationdate: null,
        noncompliancefee: 29.95,
        iscompliant: false,
      },
      {
        xmid: '2',
        pcilevel: 3,
        scanrequired: false,
        compliancestatus: 'Expired',
        expirationdate: null,
        noncompliancefee: 29.95,
        iscompliant: false,
      },
    ])
  })
  test.each<[string, Rows[number], string]>([
    ['a level there is not', ['1', '5', '', 'Compliant', '', ''], 'PCI Level is not one of 1, 2, 3, 4'],
    [
      'no status for a new merchant',
      ['1', '', '', '', '', ''],
      'Compliance Status is required: MID 1 is new',
    ],
    ['neither yes nor no', ['1', '', 'perhaps', 'Compliant', '', ''], 'Scan Required is not Yes or No'],
  ])('%s is a row error', async (_, row, message) =>
    expect((await it.refuses('pcicompliance', 'p.csv', rows(row))).rows).toMatchObject([{ message }]),
  )
})

describe('TIN validation', () => {
  const merchants = () =>
    it.db.query('select xmid, tinstatus, tinstatusdescription, version from merchant order by xmid')
  const stored = () =>
    it.db.query(
      'select xmid, tinlast4, tintype, code, tinstatus, description, legalname from tin_validation order by xmid',
    )
  const irs = '2;123-45-6789;SHOP ONE;1;0\r\n1;987654321;SHOP TWO;2;3\r\n3;12;SHOP THREE;3;1\r\n'
  test('of the IRS comes without a heading; its types count the other way round', async () => {
    const reply = await it.imports('tinvalidation', 't.csv', irs)
    expect(reply).toMatchObject({ inserted: 3, warnings: ['1 merchant is not in the portfolio: 3'] })
    expect((await stored()).map((row) => Object.values(row))).toEqual([
      ['1', '6789', 1, 0, 'Match', 'Name and TIN match', 'SHOP ONE'],
      ['2', '4321', 2, 3, 'Mismatch', 'Name and TIN do not match', 'SHOP TWO'],
      ['3', '', null, 1, 'Missing', 'TIN missing or not nine digits', 'SHOP THREE'],
    ])
    expect((await merchants()).map((row) => Object.values(row))).toEqual([
      ['1', 'Match', 'Name and TIN match', 2],
      ['2', 'Mismatch', 'Name and TIN do not match', 2],
    ])
  })
  test('never stores a full number, whatever column it stands in', async () => {
    await it.imports('tinvalidation', 't.csv', irs)
    const file = csvOf([
      ['MID', 'TIN Status', 'Owner', 'Masked'],
      ['1', 'Match', 'SSN 123-45-6789', '987654321'],
    ])
    await it.imports('tinvalidation', 'u.csv', file)
    const all = JSON.stringify(
      await it.db.query(
        `select to_jsonb(t) as t from tin_validation t union all select to_jsonb(c) from import_change c`,
      ),
    )
    expect(all).not.toMatch(/123-?45-?6789|987654321/)
    expect(all).toContain('*****6789')
  })
  test.each([
    [0, 'Match', 'Name and TIN match'],
    [1, 'Missing', 'TIN missing or not nine digits'],
    [2, 'Mismatch', 'TIN not currently issued'],
    [3, 'Mismatch', 'Name and TIN do not match'],
    [4, 'Error', 'Invalid request'],
    [5, 'Error', 'Duplicate request'],
    [6, 'Match', 'Matches as an SSN; the type was unknown'],
    [7, 'Match', 'Matches as an EIN; the type was unknown'],
    [8, 'Match', 'Matches as both an SSN and an EIN; the type was unknown'],
  ])('the code %d means %s, and a status without a code clears both', async (code, status, description) => {
    const read = (head: string, cell: string) =>
      it.imports(
        'tinvalidation',
        't.csv',
        csvOf([
          ['MID', head],
          ['1', cell],
        ]),
      )
    await read('TIN Code', String(code))
    expect((await merchants())[0]).toMatchObject({ tinstatus: status, tinstatusdescription: description })
    await read('TIN Status', status)
    expect((await merchants())[0]).toMatchObject({ tinstatus: status, tinstatusdescription: '' })
    expect((await stored())[0]).toMatchObject({ code: null, tinstatus: status, description: '' })
  })
  test('a type in words is shown in words by the preview, before and after', async () => {
    const send = (type: string, more = {}) => {
      const rows = csvOf([
        ['MID', 'TIN Status', 'TIN Type', 'B-Notice'],
        ['1', 'Match', type, type === 'EIN' ? 'first' : '2'],
      ])
      return it.imports('tinvalidation', 't.csv', rows, more)
    }
    await send('EIN')
    const { differences } = (await send('social security number', { dryrun: true })) as Preview
    expect(differences.map(({ column, before, after }) => [column, before, after])).toEqual([
      ['TIN Type', 'EIN', 'SSN'],
      ['B-Notice', '1', '2'],
    ])
  })
  test('a merchant whose status somebody changed meanwhile counts as changed', async () => {
    const file = csvOf([
      ['MID', 'TIN Code'],
      ['1', '0'],
    ])
    await it.imports('tinvalidation', 't.csv', file)
    await it.db.query(`update merchant set tinstatus = 'Unsure'`)
    expect(await it.imports('tinvalidation', 't.csv', file, { dryrun: true })).toMatchObject({
      updated: 1,
      unchanged: 0,
    })
    expect(await it.imports('tinvalidation', 't.csv', file, { again: true })).toMatchObject({
      updated: 1,
      unchanged: 0,
    })
    expect((await merchants())[0]).toMatchObject({ tinstatus: 'Match' })
  })
  test.each<[string, Rows, string]>([
    [
      'a type in figures',
      [
        ['MID', 'TIN Status', 'TIN Type'],
        ['1', 'Match', '1'],
      ],
      'TIN Type is one thing to the IRS (1 = EIN, 2 = SSN)',
    ],
    [
      'an unknown type',
      [
        ['MID', 'TIN Status', 'TIN Type'],
        ['1', 'Match', 'ITIN'],
      ],
      'TIN Type is not one of SSN, EIN',
    ],
    [
      'a code that says otherwise',
      [
        ['MID', 'TIN Status', 'TIN Code'],
        ['1', 'Match', '3'],
      ],
      'TIN Status is Match, but TIN Code 3 means Mismatch',
    ],
    [
      'neither status nor code',
      [
        ['MID', 'TIN Status', 'TIN Code'],
        ['1', '', ''],
      ],
      'TIN Status is required where there is no TIN Code',
    ],
    [
      'a bare fraction',
      [
        ['MID', 'TIN Status', 'Withholding %'],
        ['1', 'Match', '0.5'],
      ],
      'Withholding % may mean 0.5 % or 50 %; write it with the sign, like 0.5%',
    ],
  ])('%s is a row error', async (_, rows, message) => {
    const { rows: faults } = await it.refuses('tinvalidation', 't.csv', csvOf(rows))
    expect(faults[0]?.message).toContain(message)
  })
  test('a file with neither column is one sentence', async () =>
    expect(
      (
        await it.refuses(
          'tinvalidation',
          't.csv',
          csvOf([
            ['MID', 'DBA'],
            ['1', 'x'],
          ]),
        )
      ).refused,
    ).toContain('TIN Status or TIN Code is missing'))
})

describe('a preview', () => {
  test.each(['', 'B1'])(
    'names a changed day by what tells its rows apart, with the batch number %j',
    async (batch) => {
      const day = (amount: string) =>
        csvOf([
          ['MID', 'Batch Number', 'Sales Amount'],
          ['1', batch, amount],
        ])
      await it.imports('dailyvolume', 'v.csv', day('5'))
      const { differences } = (await it.imports('dailyvolume', 'v.csv', day('6'), {
        dryrun: true,
      })) as Preview
      expect(differences[0]!.key).toBe(batch === '' ? '1' : `1 ${batch}`)
    },
  )
  test('lists what would be stored, what would be rejected and what would change', async () => {
    const head = ['XMID', 'DBA', 'Master Agent', 'Date Added', 'Account Status', 'Colour']
    const file = csvOf([
      head,
      ['1', 'Uno', '3', '1/5/2025', 'Active', 'red'],
      ['2', 'Two', '', '', '', ''],
      ['3', 'New', '2', '', '', ''],
      ['4', 'Lost', 'x', '', '', ''],
      ['5', '', '', '', '', ''],
    ])
    const reply = (await it.imports('merchant', 'm.csv', file, { dryrun: true })) as Preview
    expect(reply).toMatchObject({
      batch: null,
      inserted: 1,
      updated: 1,
      unchanged: 1,
      rejected: 2,
      more: 0,
      repeated: null,
      totals: { rows: 3 },
      ignored: ['Colour'],
    })
    expect(reply.rows.map(({ row, column }) => [row, column])).toEqual([
      [5, 'Master Agent'],
      [6, 'DBA'],
      [6, 'Master Agent'],
    ])
    expect(reply.differences).toEqual([
      { row: 2, key: '1', column: 'DBA', before: 'One', after: 'Uno' },
      {
        row: 2,
        key: '1',
        column: 'Master Agent',
        before: 'MA0002 - North Office',
        after: 'MA0003 - South Office',
      },
      { row: 2, key: '1', column: 'Account Status', before: 'Unknown', after: 'Active' },
      { row: 2, key: '1', column: 'Date Added', before: '', after: '01/05/2025' },
      { row: 2, key: '1', column: 'Colour', before: '', after: 'red' },
    ])
    expect(await it.db.query('select 1 from import_batch')).toEqual([])
  })
})
