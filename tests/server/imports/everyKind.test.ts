import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  imports,
  type Import,
  type ImportColumn,
  type ImportName,
  type Preview,
} from '../../../schemas/imports/imports.ts'
import { lockMonthIn, reopenMonthIn } from '../../../server/money/lock.ts'
import { addTwoMerchants, sharedImportDatabase } from '../../files/importDatabase.ts'
import { csvOf, type Rows } from '../../files/workbooks.ts'
import { waive } from '../../money/book.ts'

vi.setConfig({ testTimeout: 60_000 })

const it = sharedImportDatabase()
/** One row of a merchant for each kind; `locks` says that a closed month refuses it. */
const samples: Record<
  ImportName,
  { name?: string; head: Rows[number]; row: (mid: string) => Rows[number]; locks?: true }
> = {
  merchant: { head: ['XMID', 'DBA', 'Master Agent'], row: (mid) => [mid, 'Renamed', ''] },
  pcicompliance: { head: ['MID', 'Compliance Status'], row: (mid) => [mid, 'Compliant'] },
  chargeback: {
    head: ['MID', 'Case Number', 'File Date', 'Amount'],
    row: (mid) => [mid, 'C1', '5/7/2025', '10'],
  },
  tinvalidation: { head: ['MID', 'TIN Code'], row: (mid) => [mid, '0'] },
  compdata: {
    name: 'Aurora_May2025.csv',
    head: ['MID', 'Income', 'Expenses'],
    row: (mid) => [mid, '10', '4'],
    locks: true,
  },
  dailyvolume: { head: ['MID', 'Sales Amount'], row: (mid) => [mid, '10'] },
}
const kinds = Object.keys(imports) as ImportName[]
const nameOf = (kind: ImportName) => samples[kind].name ?? 'f.csv'
const fileOf = (kind: ImportName, ...mids: string[]) =>
  csvOf([samples[kind].head, ...mids.map((mid) => samples[kind].row(mid))])
const send = (kind: ImportName, mids: string[], more = {}) =>
  it.imports(kind, nameOf(kind), fileOf(kind, ...mids), more)
const refused = (kind: ImportName, mids: string[], more = {}) =>
  it.refuses(kind, nameOf(kind), fileOf(kind, ...mids), more)
const batches = async () => (await it.db.query('select 1 from import_batch')).length
const branch = { sender: { username: 'nora', scope: [2] } }

/** Master agent 2 has merchant 1, master agent 3 has merchant 2. */
const begin = async () => {
  await it.db.query('truncate merchant, residual, daily_volume, import_batch restart identity cascade')
  await addTwoMerchants(it.db)
}

describe.each(kinds)('%s', (kind) => {
  beforeEach(begin)

  test('a file is stored as its preview said, once: refused again, taken when asked for, and taken after an undo', async () => {
    const preview = (await send(kind, ['1'], { dryrun: true })) as Preview
    expect([preview.batch, preview.rejected, await batches()]).toEqual([null, 0, 0])
    const { batch, inserted, updated, unchanged } = await send(kind, ['1'])
    expect([inserted, updated, unchanged]).toEqual([preview.inserted, preview.updated, preview.unchanged])
    expect(await refused(kind, ['1'])).toMatchObject({ status: 409, code: 'repeated', username: 'ann' })
    expect(await batches()).toBe(1)
    const again = await send(kind, ['1'], { again: true })
    expect(again).toMatchObject({ inserted: 0, updated: 0, unchanged: 1 })
    expect(again.warnings).toEqual([expect.stringMatching(/imported before/)])
    await it.undoes(kind, again.batch!)
    await it.undoes(kind, batch!)
    expect(await send(kind, ['1'])).toMatchObject({ inserted, updated, unchanged })
  })

  test('who sees a branch imports its merchants, and a row of another refuses the whole file', async () => {
    const { status, rows } = await refused(kind, ['1', '2'], branch)
    expect([status, rows.map(({ row }) => row)]).toEqual([422, [3]])
    expect(rows[0]!.message).toMatch(/no merchant of yours|not yours to change/)
    expect(await batches()).toBe(0)
    expect((await send(kind, ['1'], branch)).batch).toBe(1)
  })

  test('a merchant twice is a fault of the second row, or one merchant of compensation data', async () => {
    if (kind === 'compdata') {
      expect(await send(kind, ['1', '1'])).toMatchObject({ inserted: 1, totals: { rows: 1, income: 20 } })
      return
    }
    const { rows } = await refused(kind, ['1', '1'])
    expect(rows).toMatchObject([{ row: 3, message: expect.stringMatching(/already in row 2|batch number/i) }])
  })
})

/** What a cell of each kind holds, by its place in the row, as text and as it is stored. */
const cellAt = ({ kind, head, choices = [], wordsOnly }: ImportColumn, at: number): [string, unknown] => {
  const day = `2025-05-${String(at + 1).padStart(2, '0')}`
  const [first, last] = [choices[0], choices.at(-1)]
  const known: Partial<Record<ImportColumn['kind'], [string, unknown]>> = {
    id: [`I${at}`, `I${at}`],
    agent: ['2', 2],
    accountstatus: ['Inactive', 3],
    date: [day, Date.parse(day) / 1000],
    money: [`${at}.05`, at + 0.05],
    percent: [`${at}%`, at],
    flag: ['Yes', true],
    choice: [first?.value ?? '', first?.value],
    code: [(wordsOnly ? last?.words[0] : last?.value) ?? '', Number(last?.value)],
    cardlast4: ['4242', '4242'],
    taxidlast4: ['123-45-6789', '6789'],
  }
  const text = `${at}${head.replaceAll(' ', '')}`.slice(0, 8)
  return known[kind] ?? [text, text]
}
const cleared: Partial<Record<ImportColumn['kind'], unknown>> = {
  id: '',
  text: '',
  accountstatus: 1,
  date: null,
  money: 0,
  percent: null,
  flag: false,
  code: null,
  cardlast4: '',
  taxidlast4: '',
}
const keeping = kinds.filter((kind) => imports[kind].blankKeepsStored)

test.each(keeping)(
  'each cell of %s is stored in its column, stays where it is blank, and is cleared',
  async (kind) => {
    await begin()
    const { columns, key, table, oneOf = [] } = imports[kind] as Import
    const given = columns.map((column, at) => (key.includes(column.field) ? ['1', '1'] : cellAt(column, at)))
    // What must be there, and what is chosen from a list, cannot be cleared.
    const stays = columns.map(
      ({ field, kind: of, required }) => key.includes(field) || required || of === 'choice',
    )
    const store = async (cells: unknown[]) => {
      const file = csvOf([columns.map(({ head }) => head), cells as Rows[number]])
      await it.imports(kind, nameOf(kind), file)
      const [row] = await it.db.query(`select * from ${table} where xmid = '1'`)
      return Object.fromEntries(columns.map(({ field }) => [field, row![field]]))
    }
    const wanted = (values: unknown[]) =>
      Object.fromEntries(columns.map(({ field }, at) => [field, values[at]]))
    const full = wanted(given.map(([, value]) => value))
    expect(await store(given.map(([text]) => text))).toEqual(full)
    // Without its own description a TIN result has that of its code.
    const needed = [...key, ...oneOf.flat(), ...(oneOf.length > 0 ? ['description'] : [])]
    const blank = given.map(([text], at) => (needed.includes(columns[at]!.field) ? text : ''))
    expect(await store(blank)).toEqual(full)
    expect(await store(given.map(([text], at) => (stays[at] ? text : '-')))).toEqual(
      wanted(given.map(([, value], at) => (stays[at] ? value : cleared[columns[at]!.kind]))),
    )
  },
)

/** A full card number, which is a fault in any column. */
const card = '4111 1111 1111 1111'

describe.each(kinds)('a row of %s with a cell that cannot be read', (kind) => {
  beforeEach(begin)
  const { head, row } = samples[kind]
  const noted = (...rows: (readonly [mid: string, note: string])[]) =>
    csvOf([[...head, 'Note'], ...rows.map(([mid, note]) => [...row(mid), note])])
  const unreadable = 'Note holds what looks like a full card number; remove it'

  test('has its other faults in the same answer, and is rejected once', async () => {
    const file = noted(['1', ''], ['2', card])
    const { rows, more } = await it.refuses(kind, nameOf(kind), file, branch)
    expect([rows.map(({ row }) => row), more]).toEqual([[3, 3], 0])
    expect(rows.map(({ message }) => message)).toEqual([
      unreadable,
      expect.stringMatching(/no merchant of yours|not yours to change/),
    ])
    const preview = await it.imports(kind, nameOf(kind), file, { ...branch, dryrun: true })
    expect(preview).toMatchObject({ rejected: 1, totals: { rows: 1 } })
  })

  test('keeps its key for a later row, but is no part of one merchant of compensation data', async () => {
    const file = noted(['1', card], ['1', ''])
    const { rows } = await it.refuses(kind, nameOf(kind), file)
    const preview = await it.imports(kind, nameOf(kind), file, { dryrun: true })
    if (kind === 'compdata') {
      expect(rows).toMatchObject([{ row: 2, message: unreadable }])
      expect(preview).toMatchObject({ rejected: 1, totals: { rows: 1, income: 10, expense: 4 } })
      return
    }
    expect(rows).toMatchObject([
      { row: 2, message: unreadable },
      { row: 3, message: expect.stringMatching(/already in row 2/) },
    ])
    expect(preview).toMatchObject({ rejected: 2, totals: { rows: 0 } })
  })
})

/** Each is the one fault of its row: nothing is said of a cell for want of one that cannot be read. */
test.each<[ImportName, Rows[number], Rows[number], string]>([
  ['merchant', ['XMID', 'DBA', 'Master Agent'], ['7', 'x'.repeat(201), '2'], 'DBA may have at most'],
  ['merchant', ['XMID', 'DBA', 'Master Agent'], ['7', 'New', 'x'.repeat(201)], 'Master Agent may have'],
  ['merchant', ['XMID', 'DBA', 'Master Agent'], ['1.23E+15', 'New', '2'], 'XMID '],
  ['pcicompliance', ['MID', 'Compliance Status'], ['7', 'x'.repeat(61)], 'Compliance Status may have'],
  ['chargeback', samples.chargeback.head, ['7', 'C1', '5/7/2025', 'ten'], 'Amount '],
  ['chargeback', samples.chargeback.head, ['7', 'C1', '31/31/2025', '10'], 'File Date '],
  ['chargeback', samples.chargeback.head, ['7', '1E+15', '5/7/2025', '10'], 'Case Number '],
  ['tinvalidation', ['MID', 'TIN Status', 'TIN Code'], ['7', '', '9'], 'TIN Code '],
  ['compdata', ['MID', 'Income', 'Expenses'], ['7', 'ten', '4'], 'Income '],
  ['compdata', ['MID', 'Income', 'Expenses', 'Net'], ['7', '10', '4', 'six'], 'Net '],
  ['dailyvolume', ['MID', 'Sales Amount', 'Refund Amount'], ['7', 'ten', '-1'], 'Sales Amount '],
])('of %s, a row below %j with %j has one fault alone: %s', async (kind, heads, row, begins) => {
  await begin()
  const { rows, more } = await it.refuses(kind, nameOf(kind), csvOf([heads, row]))
  expect([rows.length, more]).toEqual([1, 0])
  expect(rows[0]!.message.startsWith(begins)).toBe(true)
})

test('a batch number that cannot be read is not taken for a blank one', async () => {
  await begin()
  const file = csvOf([
    ['MID', 'Sales Amount', 'Batch Number'],
    ['1', '10', 'B1'],
    ['1', '10', '1E+15'],
  ])
  const { rows } = await it.refuses('dailyvolume', 'f.csv', file)
  expect(rows).toMatchObject([{ row: 3, column: 'Batch Number' }])
})

test.each<[ImportName, Rows[number], Rows[number], string]>([
  [
    'compdata',
    ['MID', 'Income', 'Expenses', 'Net'],
    ['1', '10', '4', '5'],
    'Net is not Income less Expenses',
  ],
  ['dailyvolume', ['MID', 'Sales Amount', 'Net'], ['1', '10', '5'], 'Net Amount is not Sales Amount less'],
  ['tinvalidation', ['MID', 'TIN Status', 'TIN Code'], ['1', 'Match', '2'], 'TIN Status is Match, but'],
])(
  'of %s, amounts and codes are compared beside a fault in another column',
  async (kind, heads, row, says) => {
    await begin()
    const { rows } = await it.refuses(
      kind,
      nameOf(kind),
      csvOf([
        [...heads, 'Note'],
        [...row, card],
      ]),
    )
    expect(rows.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^Note holds/),
      expect.stringMatching(new RegExp(`^${says}`)),
    ])
  },
)

/** One after the other on one month: what was locked once cannot be taken away. */
describe('a month', () => {
  const action = { month: '2025-05-01', username: 'lena', address: '', waive }
  let batch: number
  beforeAll(async () => {
    await begin()
    batch = (await send('compdata', ['1'])).batch!
    await it.db.transaction((tx) => lockMonthIn(tx, action))
  })

  test.each(kinds)(
    'that is locked takes no file of %s that counts in it, and others all the same',
    async (kind) => {
      const date = kind === 'dailyvolume' ? '2025-05-31' : null
      if (samples[kind].locks)
        expect(await refused(kind, ['1', '2'])).toMatchObject({
          status: 409,
          refused: expect.stringMatching(/^May 2025 is locked: lena locked it on /),
        })
      else expect((await send(kind, ['1', '2'], { date })).batch).toBeGreaterThan(batch)
    },
  )

  test('that is locked gives no file back', async () => {
    await expect(it.undoes('compdata', batch)).rejects.toMatchObject({ status: 409 })
  })

  test('before a locked one is closed, and one after it is open', async () => {
    expect(await it.refuses('compdata', 'Aurora_April2025.csv', fileOf('compdata', '1'))).toMatchObject({
      status: 409,
      refused: expect.stringMatching(
        /^April 2025 is closed, because May 2025, which comes after it, is locked/,
      ),
    })
    expect((await it.imports('compdata', 'Aurora_June2025.csv', fileOf('compdata', '2'))).inserted).toBe(1)
  })

  test('that is being locked takes no file of compensation data and gives none back, one after it does', async () => {
    await it.db.transaction((tx) => reopenMonthIn(tx, { ...action, reason: 'a wrong file' }))
    const message = 'May 2025 is being locked. Please try again when that is done'
    await it.db.transaction(async (tx) => {
      await lockMonthIn(tx, action)
      expect(await refused('compdata', ['1', '2'])).toMatchObject({
        status: 409,
        refused: message,
        code: 'locking',
      })
      await expect(it.undoes('compdata', batch)).rejects.toMatchObject({ status: 409, message })
      expect((await it.imports('compdata', 'Aurora_July2025.csv', fileOf('compdata', '3'))).inserted).toBe(1)
    })
  })

  test('that is opened again takes files and gives them back', async () => {
    await it.db.transaction((tx) => reopenMonthIn(tx, { ...action, reason: 'a wrong file' }))
    const { batch: second } = await send('compdata', ['1', '2'])
    await it.undoes('compdata', second!)
    expect(await it.undoes('compdata', batch)).toMatchObject({ state: 'undone' })
  })
})
