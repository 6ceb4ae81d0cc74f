import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { imports, type ImportName, type Preview } from '../../../schemas/imports/imports.ts'
import { lockMonthIn, reopenMonthIn } from '../../../server/money/lock.ts'
import { addTwoMerchants, sharedBench } from '../../files/bench.ts'
import { csvOf, type Rows } from '../../files/workbooks.ts'
import { waive } from '../../money/book.ts'

vi.setConfig({ testTimeout: 60_000 })

const it = sharedBench()
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
const branch = { scope: [2], viewer: { username: 'nora', userid: null } }

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

/** One after the other on one month: what was locked once cannot be taken away. */
describe('a month', () => {
  const deed = { month: '2025-05-01', username: 'lena', address: '', waive }
  let batch: number
  beforeAll(async () => {
    await begin()
    batch = (await send('compdata', ['1'])).batch!
    await it.db.transaction((tx) => lockMonthIn(tx, deed))
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
      refused: expect.stringMatching(/^April 2025 is closed, because May 2025 after it is locked/),
    })
    expect((await it.imports('compdata', 'Aurora_June2025.csv', fileOf('compdata', '2'))).inserted).toBe(1)
  })

  test('that is being locked takes no file of compensation data and gives none back, one after it does', async () => {
    await it.db.transaction((tx) => reopenMonthIn(tx, { ...deed, reason: 'a wrong file' }))
    const message = 'May 2025 is being locked. Please try again when that is done'
    await it.db.transaction(async (tx) => {
      await lockMonthIn(tx, deed)
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
    await it.db.transaction((tx) => reopenMonthIn(tx, { ...deed, reason: 'a wrong file' }))
    const { batch: second } = await send('compdata', ['1', '2'])
    await it.undoes('compdata', second!)
    expect(await it.undoes('compdata', batch)).toMatchObject({ state: 'undone' })
  })
})
