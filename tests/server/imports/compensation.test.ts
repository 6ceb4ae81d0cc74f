import { describe, expect, test, vi } from 'vitest'
import type { ImportAnswers } from '../../../schemas/imports/answers.ts'
import { offerUndos } from '../../../server/imports/undoOffer.ts'
import { serializeMonthChanges } from '../../../server/money/months.ts'
import { addTwoMerchants, empty, sharedImportDatabase } from '../../files/importDatabase.ts'
import { csvOf, type Rows } from '../../files/workbooks.ts'
import { whileUncommitted } from '../../whileUncommitted.ts'

vi.setConfig({ testTimeout: 60_000 })

const it = sharedImportDatabase(async (db) => {
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
    ['the cleaned name of a second download', 'Aurora_May2025 1.csv', [heads, row]],
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
    expect(await it.db.query('select fordate::text, processor from import_batch')).toEqual([
      { fordate: '2025-05-01', processor: 'Aurora' },
    ])
  })
  test.each<[string, string, Rows, string]>([
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
      'two months and two processors',
      aurora,
      [['June 2025'], [...heads, 'Processor'], [...row, 'Borealis']],
      'names more than one month: June 2025 (a line above the heading) and May 2025 (the file name); ' +
        'make them agree, or divide the file. The file names more than one processor: ' +
        'Borealis (Processor column, row 3) and Aurora (the file name)',
    ],
  ])('%s is one sentence', async (_, name, rows, why) => {
    expect((await it.refuses('compdata', name, csvOf(rows))).refused).toContain(why)
    expect(await stored()).toEqual([])
  })
})

describe('what a file of compensation data does not say', () => {
  const known = ['Aurora', 'Borealis']
  const plain = csvOf([heads, row])
  test.each<[string, string, string, object]>([
    [
      'the month',
      'Aurora.csv',
      'The file does not say of which month it is. Nothing was stored.',
      { needs: ['month'], month: null, processor: 'Aurora', candidates: known, named: null },
    ],
    [
      'the processor',
      'residuals_May2025.csv',
      'The file does not say of which processor it is. Nothing was stored.',
      { needs: ['processor'], month: '2025-05', processor: null, candidates: known, named: null },
    ],
    [
      'the month and the processor',
      'residuals.csv',
      'The file does not say of which month and processor it is. Nothing was stored.',
      { needs: ['month', 'processor'], month: null, processor: null, candidates: known, named: null },
    ],
    [
      'a processor that is nearly known',
      'Boralis_May2025.csv',
      'The processor Boralis (the file name) is not known; the nearest is Borealis. Nothing was stored.',
      {
        needs: ['processor'],
        month: '2025-05',
        processor: null,
        candidates: ['Borealis', 'Aurora'],
        named: 'Boralis',
      },
    ],
    [
      'a processor with two letters exchanged, which shares few runs of letters with the known name',
      'Auorra_May2025.csv',
      'The processor Auorra (the file name) is not known; the nearest is Aurora. Nothing was stored.',
      {
        needs: ['processor'],
        month: '2025-05',
        processor: null,
        candidates: known,
        named: 'Auorra',
        nearest: 'Aurora',
      },
    ],
    [
      'a processor that is like none, and the month',
      'Zenith.csv',
      'The file does not say of which month it is. The processor Zenith (the file name) is not known. ' +
        'Nothing was stored.',
      { needs: ['month', 'processor'], month: null, processor: null, candidates: known, named: 'Zenith' },
    ],
  ])('is asked, by a preview and by an import alike: %s', async (_, name, why, source) => {
    for (const dryrun of [true, false])
      expect(await it.refuses('compdata', name, plain, { dryrun })).toMatchObject({
        status: 409,
        refused: why,
        code: 'asks',
        asks: { source },
        rows: [],
      })
    expect(await stored()).toEqual([])
  })
  test.each([
    ['4 of 11', 'Quorxyz', null],
    ['4 of 10', 'Quorxy', 'Quoral'],
    ['4 of 9', 'Quorx', 'Quoral'],
  ])(
    'is asked with the nearest name where %s runs of three letters are the same: %s, %s',
    async (_, name, nearest) => {
      await it.db.query(`insert into processor (name) values ('Quoral')`)
      const { asks } = await it.refuses('compdata', `${name}_May2025.csv`, plain)
      expect(asks).toMatchObject({ source: { named: name, nearest, candidates: ['Quoral', ...known] } })
    },
  )
  test('is asked with the faults of the rows beside it', async () => {
    const faulty = csvOf([heads, row, ['1E+15', '1', '0', '1'], ['2', 'x', '0', '0']])
    const answer = await it.refuses('compdata', 'Aurora.csv', faulty)
    expect(answer).toMatchObject({ status: 409, asks: { source: { needs: ['month'] } } })
    expect(answer.rows.map(({ row: at, column }) => [at, column])).toEqual([
      [3, 'MID'],
      [4, 'Income'],
    ])
    expect(answer.refused).toMatch(
      /^The file does not say of which month it is\. The file has 2 faults; the first is in row 3: .+\. Nothing was stored\.$/,
    )
  })
  test('is not asked of a month that is locked: one answer says that with the faults of the rows', async () => {
    await it.db.query(
      `insert into month_lock (month, version, hash, username) values ('2025-05-01', 1, 'hash', 'ann')`,
    )
    const faulty = csvOf([heads, ['2', 'x', '0', '0']])
    for (const name of ['Zenith_May2025.csv', aurora]) {
      const answer = await it.refuses('compdata', name, faulty)
      expect(answer).toMatchObject({ status: 409, code: 'locked', rows: [{ row: 2, column: 'Income' }] })
      expect(answer.refused).toMatch(
        /^May 2025 is locked: ann locked it on .+\. Row 2: .+ Nothing was stored\.$/,
      )
      expect(answer.asks).toBeUndefined()
    }
    await it.db.query('delete from month_lock')
  })
  test.each<[string, string, ImportAnswers, string, string]>([
    ['the month', 'Aurora.csv', { month: '2025-05' }, '2025-05-01', 'Aurora'],
    ['a known processor', 'May2025.csv', { processor: 'aurora' }, '2025-05-01', 'Aurora'],
    ['both', 'x 1.csv', { month: '2025-05', processor: 'Aurora' }, '2025-05-01', 'Aurora'],
    ['the known one for an unknown', 'Auora_May2025.csv', { processor: 'Aurora' }, '2025-05-01', 'Aurora'],
    ['what the file says itself', aurora, { month: '2025-05', processor: 'Aurora' }, '2025-05-01', 'Aurora'],
    [
      'a new processor',
      'Zenith_May2025.csv',
      { processor: 'Zenith  Pay', newprocessor: true },
      '2025-05-01',
      'Zenith Pay',
    ],
    [
      'a new processor that was added meanwhile',
      'May2025.csv',
      { processor: 'AURORA', newprocessor: true },
      '2025-05-01',
      'Aurora',
    ],
  ])('is taken from the answers: %s', async (_, name, answers, month, processor) => {
    const reply = await it.imports('compdata', name, plain, { answers })
    expect(reply.source).toEqual({ month: month.slice(0, 7), processor, day: null })
    expect(reply.warnings).toEqual(
      processor === 'Aurora' ? [] : [`The processor ${processor} is new: the portal has nothing of it yet`],
    )
    expect(await stored()).toMatchObject([{ month, processor }])
  })
  test.each<[name: string, like: string]>([
    ['Auroar', '; its name is almost that of Aurora'],
    ['Bore-Alis', '; its name is almost that of Borealis'],
    ['Aurora East', ''],
  ])('warns of the new processor %s when a known name differs by a letter or a blank', async (name, like) => {
    const answers = { processor: name, newprocessor: true }
    const reply = await it.imports('compdata', 'May2025.csv', plain, { answers })
    expect(reply.warnings).toEqual([
      `The processor ${name} is new: the portal has nothing of it yet${like}`.replace('-', ' '),
    ])
  })
  test.each<[string, string, ImportAnswers, string]>([
    [
      'another month than the file',
      aurora,
      { month: '2025-06' },
      'names more than one month: May 2025 (the file name) and June 2025 (the answer)',
    ],
    [
      'another processor than the file',
      aurora,
      { processor: 'Borealis' },
      'names more than one processor: Aurora (the file) and Borealis (the answer)',
    ],
    [
      'a new processor where the file names a known one',
      aurora,
      { processor: 'Zenith', newprocessor: true },
      'names more than one processor: Aurora (the file) and Zenith (the answer)',
    ],
    [
      'a processor that nobody knows',
      'May2025.csv',
      { processor: 'Zenith' },
      'The processor Zenith (the answer) is not known; choose a known one or add it as a new one',
    ],
  ])('an answer with %s is refused with both named', async (_, name, answers, why) => {
    const { status, refused } = await it.refuses('compdata', name, plain, { answers })
    expect([status, refused]).toEqual([422, expect.stringContaining(why)])
    expect(await stored()).toEqual([])
  })
})

describe('the processors of compensation data', () => {
  const known = () => it.db.query('select name from processor order by id')
  test('are added by an import that says so, not by its preview or for a file that is refused', async () => {
    const answers = { processor: ' Zenith Pay ', newprocessor: true }
    const two = [{ name: 'Aurora' }, { name: 'Borealis' }]
    await it.imports('compdata', 'May2025.csv', csvOf([heads, row]), { answers, dryrun: true })
    await it.refuses('compdata', 'May2025.csv', csvOf([heads, ['1', 'x', '', '']]), { answers })
    expect(await known()).toEqual(two)
    await it.imports('compdata', 'May2025.csv', csvOf([heads, row]), { answers })
    expect(await known()).toEqual([...two, { name: 'Zenith Pay' }])
    expect(
      await it.db.query(
        `select username, action, after from audit where entity = 'processor' order by id desc limit 1`,
      ),
    ).toEqual([{ username: 'ann', action: 'create', after: { name: 'Zenith Pay' } }])
    await it.imports('compdata', 'zenith-pay June 2025.csv', csvOf([heads, ['2', '1', '0', '1']]))
    expect((await stored()).map(({ processor }) => processor)).toEqual(['Zenith Pay', 'Zenith Pay'])
  })
  test.each<[string, string, Rows]>([
    ['the file name', 'north star May 2025.csv', [heads, row]],
    ['a line above the heading', 'May 2025.csv', [['NORTH STAR: what we owe'], heads, row]],
    ['a named line above the heading', 'May 2025.csv', [['Processor: North-Star'], heads, row]],
    [
      'the column, in two spellings, and the file name',
      'Aurora May 2025.csv',
      [
        [...heads, 'Processor'],
        [...row, 'North Star'],
        ['2', '1', '0', '1', 'AURORA'],
      ],
    ],
  ])('are known by their other names in %s, and stored under their name', async (_, name, rows) => {
    await it.db.query(`update processor set othernames = E'AUR\nNorth Star' where name = 'Aurora'`)
    expect((await it.imports('compdata', name, csvOf(rows))).source.processor).toBe('Aurora')
    expect(new Set((await stored()).map(({ processor }) => processor))).toEqual(new Set(['Aurora']))
  })
  test('whose names are parts of each other are distinguished in a line above the heading', async () => {
    await it.db.query(`insert into processor (name) values ('Aurora East')`)
    const { source } = await it.imports(
      'compdata',
      'May 2025.csv',
      csvOf([['Aurora East residuals'], heads, row]),
    )
    expect(source.processor).toBe('Aurora East')
  })
})

describe('compensation data', () => {
  test('replaces the month of its processor, and nothing else', async () => {
    await it.imports('compdata', aurora, csvOf([heads, row, ['2', '5', '1', '4']]))
    await it.imports('compdata', 'Borealis_May2025.csv', csvOf([heads, ['2', '8', '1', '7']]))
    await it.imports('compdata', 'Aurora_June2025.csv', csvOf([heads, ['2', '9', '1', '8']]))
    const second = csvOf([heads, ['1', '11', '4', '7']])
    const dry = await it.imports('compdata', aurora, second, { dryrun: true })
    const reply = await it.imports('compdata', aurora, second, { answers: { accepted: ['taken-away'] } })
    expect(reply).toMatchObject({
      inserted: 0,
      updated: 1,
      totals: { rows: 1, income: 11, expense: 4, net: 7 },
    })
    expect(reply.warnings).toEqual([
      '1 row that an earlier file of Aurora for May 2025 had is not in this one and goes, with a net of $4.00',
    ])
    expect(dry).toMatchObject({
      ...reply,
      warnings: [],
      questions: [{ key: 'taken-away' }],
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
    ['net that is off by a cent is worked out', [heads, ['1', '10', '4', '6.01']], [10, 4, 6]],
    ['net that is a cent too small is worked out', [heads, ['1', '10', '4', '5.99']], [10, 4, 6]],
  ])('%s', async (_, rows, expected) => {
    await it.imports('compdata', aurora, csvOf(rows))
    expect((await stored()).map(({ income, expense, net }) => [income, expense, net])).toEqual([expected])
  })
  test('of a former file says by whom it was undone, also when its month is locked since', async () => {
    const { batch } = await it.imports('compdata', aurora, csvOf([heads, row]))
    await it.undoes('compdata', batch!)
    await it.db.query(
      `insert into month_lock (month, version, hash, username) values ('2025-05-01', 1, 'x', 'lena')`,
    )
    await it.db.query(`update import_batch set undone_at = '2026-03-10 01:30Z' where id = $1`, [batch])
    const offers = await offerUndos(it.db, [batch!], { scope: null, timeZone: 'America/New_York' })
    expect(offers.get(batch!)!.reason).toMatch(/^bob undid it on Mar 9, 2026, 9:30\sPM$/)
    await expect(it.undoes('compdata', batch!)).rejects.toThrow(/cannot be undone: bob undid it on /)
    await it.db.query('delete from month_lock')
  })
  test('that was replaced twice names the file that can be undone, which is the newest', async () => {
    const send = async (net: string, name: string) =>
      (await it.imports('compdata', name, csvOf([heads, ['1', net, '0', net]]))).batch!
    const first = await send('1', aurora)
    const second = await send('2', 'Aurora_May2025_v2.csv')
    const third = await send('3', 'Aurora_May2025_v3.csv')
    await expect(it.undoes('compdata', first)).rejects.toThrow(
      'ann has imported Aurora_May2025_v3.csv for Aurora, May 2025 since; undo that import first',
    )
    await it.undoes('compdata', third)
    await expect(it.undoes('compdata', first)).rejects.toThrow(/Aurora_May2025_v2\.csv/)
    await it.undoes('compdata', second)
    await it.undoes('compdata', first)
  })

  test.each<[string, Rows, string]>([
    ['net that is off by more', [heads, ['1', '10', '4', '6.02']], 'Net is not Income less Expenses (6.00)'],
    ['negative expenses', [heads, ['1', '10', '-4', '6']], 'give expenses as positive amounts'],
    ['neither income nor net', [heads, ['1', '', '4', '']], 'Net is required where there is no Income'],
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

test.each([
  ['deleted', `delete from processor where name = 'Aurora'`],
  ['named otherwise', `update processor set name = 'Aurora Two' where name = 'Aurora'`],
])(
  'a file of a processor that is %s while it is imported is refused, and nothing is stored',
  async (_, sql) => {
    const sent = whileUncommitted(
      it.db,
      (tx) => tx.query(sql),
      () => it.imports('compdata', 'Aurora_June2025.csv', csvOf([heads, row])),
    )
    await expect(sent).rejects.toMatchObject({
      status: 409,
      message: 'The processor Aurora was deleted or named otherwise meanwhile. Please send the file again',
    })
    expect(await stored()).toEqual([])
  },
)

test('a file waits for another change of its month, as a waiver of a finding', async () => {
  const { inserted } = await whileUncommitted(
    it.db,
    (tx) => serializeMonthChanges(tx, '2025-06-01'),
    () => it.imports('compdata', 'Aurora_June2025.csv', csvOf([heads, row])),
  )
  expect(inserted).toBe(1)
})
