import { beforeEach, describe, expect, test } from 'vitest'
import { imports, type ImportName, type Preview } from '../../../schemas/imports/imports.ts'
import { addTwoMerchants, sharedImportDatabase } from '../../files/importDatabase.ts'
import { csvOf, type Rows } from '../../files/workbooks.ts'

const it = sharedImportDatabase()
beforeEach(async () => {
  await it.db.query('truncate merchant, residual, daily_volume, import_batch restart identity cascade')
  await addTwoMerchants(it.db)
})

/** The day of the database so many days from today, ISO. */
const dayFromToday = async (days: number) => {
  const [found] = await it.db.query<{ day: string }>('select (current_date + $1::int)::text as day', [days])
  return found!.day
}
/** What a row of each kind needs besides; its last column is a day. */
const needed: Partial<Record<ImportName, { head: Rows[number]; values: Rows[number] }>> = {
  merchant: { head: ['XMID', 'DBA', 'Master Agent'], values: ['1', 'Renamed', ''] },
  chargeback: { head: ['MID', 'Case Number', 'Amount'], values: ['1', 'C1', '10'] },
  pcicompliance: { head: ['MID', 'Compliance Status'], values: ['1', 'Compliant'] },
  tinvalidation: { head: ['MID', 'TIN Code'], values: ['1', '0'] },
}
const past: [ImportName, string][] = [
  ['merchant', 'Date Added'],
  ['merchant', 'Date Approved'],
  ['merchant', 'Date Submitted'],
  ['merchant', 'Date Received'],
  ['chargeback', 'Transaction Date'],
  ['chargeback', 'File Date'],
  ['chargeback', 'Resolved Date'],
  ['pcicompliance', 'SAQ Received'],
  ['pcicompliance', 'Last Scan Date'],
  ['pcicompliance', 'Enrolled Date'],
  ['tinvalidation', 'Checked Date'],
]
const toCome: [ImportName, string][] = [
  ['merchant', 'Date Closed'],
  ['chargeback', 'Due Date'],
  ['pcicompliance', 'Expiration Date'],
  ['tinvalidation', 'Notice Date'],
]
const warningsOf = async (kind: ImportName, head: string, days: number, more = {}) => {
  const row = needed[kind]!
  const filed = kind === 'chargeback' && head !== 'File Date'
  const file = csvOf([
    [...row.head, ...(filed ? ['File Date'] : []), head],
    [...row.values, ...(filed ? ['2025-05-07'] : []), await dayFromToday(days)],
  ])
  const { warnings } = await it.imports(kind, 'f.csv', file, more)
  return warnings.filter((text) => /later than today/.test(text))
}

describe('a day that has not come yet', () => {
  test('is tried for each day of each kind', () => {
    const days = Object.values(imports).flatMap(({ name, columns }) =>
      columns.filter(({ kind }) => kind === 'date').map(({ head }) => `${name} ${head}`),
    )
    // The day of a volume is chosen, and rows of another one are said.
    const tried = [...past, ...toCome].map((pair) => pair.join(' ')).concat('dailyvolume Batch Date')
    expect(tried.toSorted()).toEqual(days.toSorted())
  })

  test.each(past)('is said of %s, %s, by the preview and the import', async (kind, head) => {
    expect(await warningsOf(kind, head, 0)).toEqual([])
    const said = [`1 row has a ${head} later than today, first row 2`]
    expect(await warningsOf(kind, head, 1, { dryrun: true })).toEqual(said)
    expect(await warningsOf(kind, head, 1)).toEqual(said)
  })

  test.each(toCome)('is usual for %s, %s', async (kind, head) => {
    expect(await warningsOf(kind, head, 400)).toEqual([])
  })

  test('is counted, and the first row is named', async () => {
    const later = await dayFromToday(2)
    const rows = ['2025-05-07', later, later].map((day, at): Rows[number] => ['1', `C${at}`, '10', day])
    const file = csvOf([['MID', 'Case Number', 'Amount', 'File Date'], ...rows])
    const { warnings } = await it.imports('chargeback', 'f.csv', file)
    expect(warnings).toContain('2 rows have a File Date later than today, first row 3')
  })

  test('is said of a volume of which it was chosen', async () => {
    const file = csvOf([
      ['MID', 'Sales Amount'],
      ['1', '10'],
    ])
    const send = async (days: number, more = {}) =>
      (await it.imports('dailyvolume', 'v.csv', file, { date: await dayFromToday(days), ...more })) as Preview
    expect((await send(0)).warnings).toEqual([])
    const [year, month, date] = (await dayFromToday(1)).split('-')
    const said = [`The day ${month}/${date}/${year} is later than today`]
    expect((await send(1, { dryrun: true })).warnings).toEqual(said)
    expect((await send(1, { again: true })).warnings).toEqual(expect.arrayContaining(said))
  })
})

describe('an amount that costs somebody and is below 0', () => {
  type Case = { kind: ImportName; name: string; head: Rows[number]; row: Rows[number]; column: string }
  const cases: Case[] = [
    {
      kind: 'chargeback',
      name: 'f.csv',
      head: ['MID', 'Case Number', 'File Date', 'Amount'],
      row: ['1', 'C1', '2025-05-07'],
      column: 'Amount',
    },
    {
      kind: 'pcicompliance',
      name: 'f.csv',
      head: ['MID', 'Compliance Status', 'Non-Compliance Fee'],
      row: ['1', 'Failed'],
      column: 'Non-Compliance Fee',
    },
    {
      kind: 'compdata',
      name: 'Aurora_May2025.csv',
      head: ['MID', 'Income', 'Expenses'],
      row: ['1', '100'],
      column: 'Expenses',
    },
    {
      kind: 'dailyvolume',
      name: 'f.csv',
      head: ['MID', 'Sales Amount', 'Net Amount', 'Refund Amount'],
      row: ['1', '0', '10.01'],
      column: 'Refund Amount',
    },
  ]
  test('is tried for each such column', () => {
    const costs = Object.values(imports).flatMap(({ name, columns }) =>
      columns.filter((column) => column.isCost).map(({ head }) => `${name} ${head}`),
    )
    expect(cases.map(({ kind, column }) => `${kind} ${column}`).toSorted()).toEqual(costs.toSorted())
  })

  test.each(cases)(
    'is said of $kind, $column, by the preview and the import',
    async ({ kind, name, head, row, column }) => {
      const warnings = async (amount: string, more = {}) => {
        const values = kind === 'dailyvolume' && amount === '0' ? [row[0]!, '0', '0'] : row
        const reply = await it.imports(kind, name, csvOf([head, [...values, amount]]), more)
        return reply.warnings.filter((text) => /below 0/.test(text))
      }
      expect(await warnings('0', { dryrun: true })).toEqual([])
      const said = [`1 row has an amount below 0 in ${column}, first row 2: it counts as a credit`]
      expect(await warnings('(10.01)', { dryrun: true })).toEqual(said)
      expect(await warnings('-10.01')).toEqual(said)
      // Another file with the amount that is stored, and the same file once more.
      expect(await warnings('-10.010', { dryrun: true })).toEqual([])
      expect(await warnings('(10.01)', { again: true })).toEqual([])
    },
  )

  test('is said of the rows alone that are new or that change it, with the first of them', async () => {
    const file = (...rows: Rows) =>
      csvOf([
        ['MID', 'Compliance Status', 'Non-Compliance Fee'],
        ['1', 'Failed', '-5'],
        ['2', 'Failed', '-6'],
        ...rows,
      ])
    const warnings = async (content: string) =>
      (await it.imports('pcicompliance', 'f.csv', content)).warnings.filter((text) => /below 0/.test(text))
    const said = (rows: string, first: number) => [
      `${rows} an amount below 0 in Non-Compliance Fee, first row ${first}: it counts as a credit`,
    ]
    expect(await warnings(file())).toEqual(said('2 rows have', 2))
    expect(await warnings(file(['3', 'Failed', '7']))).toEqual([])
    expect(await warnings(file(['3', 'Failed', '-7'], ['4', 'Failed', '8']))).toEqual(said('1 row has', 4))
  })
})
