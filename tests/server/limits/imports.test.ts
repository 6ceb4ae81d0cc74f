import { describe, expect, test } from 'vitest'
import { imports, type ImportName } from '../../../schemas/imports/imports.ts'
import { readCount, readMoney } from '../../../server/imports/rows/amounts.ts'
import { readDay } from '../../../server/imports/rows/dates.ts'
import { read, type Outcome } from '../../files/read.ts'
import { csvOf, rawXlsx, rowXml, workbookOf, type Rows } from '../../files/workbooks.ts'
import type { Part } from '../../files/zips.ts'

const table: Rows = [
  ['XMID', 'DBA', 'Master Agent'],
  ['1', 'Shop', '7'],
  ['2', 'Store', '7'],
  ['3', 'Stall', '7'],
]
/** The same table in each format. */
const formats: [string, (rows: Rows) => string | Buffer][] = [
  ['m.csv', (rows) => csvOf(rows)],
  ['m.xlsx', (rows) => workbookOf('xlsx', { Sheet1: rows })],
  ['m.xls', (rows) => workbookOf('biff8', { Sheet1: rows })],
]
/** The number of rows that were read, or the sentence of the refusal. */
const rowsOrRefusal = ({ rows, refused }: Outcome) => refused ?? rows!.length

describe.each(formats)('%s', (filename, write) => {
  test.each<[number, number | string]>([
    [2, 'The file has more than 2 rows; divide it'],
    [3, 3],
    [4, 3],
  ])('of three rows with at most %i of them: %s', async (rows, outcome) => {
    expect(rowsOrRefusal(await read(filename, write(table), { limits: { rows } }))).toBe(outcome)
  })

  test.each<[number, number | string]>([
    [2, expect.stringMatching(/^Row 1 has more than 2 columns/) as string],
    [3, 3],
    [4, 3],
  ])('of three columns with at most %i of them: %s', async (columns, outcome) => {
    expect(rowsOrRefusal(await read(filename, write(table), { limits: { columns } }))).toEqual(outcome)
  })

  test.each<[number, number | string]>([
    [18, 3],
    [19, 3],
    [20, expect.stringMatching(/in the first 20 lines/) as string],
  ])('with %i lines above its heading: %s', async (above, outcome) => {
    const titles = Array.from({ length: above }, (_, at): Rows[number] => [`Title ${at}`, '', ''])
    expect(rowsOrRefusal(await read(filename, write([...titles, ...table])))).toEqual(outcome)
  })
})

describe('a row of text', () => {
  /** Two characters beside the name; separators do not count. */
  const file = (length: number) => `XMID,DBA,Master Agent\n1,${'x'.repeat(length - 2)},7\n`
  test.each<[number, boolean]>([
    [99, true],
    [100, true],
    // The parser looks before each character, so the last one of a row goes unseen.
    [102, false],
  ])('of %i characters, with 100 allowed, is read: %s', async (length, isRead) => {
    const { refused } = await read('m.csv', file(length), { limits: { rowCharacters: 100 } })
    expect(refused).toEqual(isRead ? undefined : expect.stringContaining('too long'))
  })
})

describe('a workbook', () => {
  const sheet = rowXml(1, 'XMID', 'DBA', 'Master Agent') + rowXml(2, '1', 'Shop', '7')
  const plain = rawXlsx({ sheet })
  const withParts = (...more: Part[]) => rawXlsx({ sheet, change: (parts) => [...parts, ...more] })
  let count = 0
  let size = 0
  rawXlsx({
    sheet,
    change: (parts) => {
      count = parts.length
      size = parts.reduce((sum, { data }) => sum + Buffer.byteLength(data as string), 0)
      return parts
    },
  })

  test.each<[number, boolean]>([
    [-1, false],
    [0, true],
    [1, true],
  ])('with %i parts more allowed than it has is read: %s', async (more, isRead) => {
    const { refused } = await read('m.xlsx', plain, { limits: { zipEntries: count + more } })
    expect(refused).toBe(isRead ? undefined : `The workbook holds more than ${count + more} parts`)
  })

  test.each<[number, boolean]>([
    [-1, false],
    [0, true],
    [1, true],
  ])('with %i bytes more allowed than it unpacks to is read: %s', async (more, isRead) => {
    const { refused } = await read('m.xlsx', plain, { limits: { unzippedBytes: size + more } })
    expect(refused).toEqual(isRead ? undefined : expect.stringContaining('unpacks to more than'))
  })

  /** A part that packs to almost nothing, and one that is not packed at all. */
  test.each<[string, Part, number, boolean]>([
    ['of 10,000,000 bytes', { name: 'xl/a.bin', data: Buffer.alloc(10_000_000) }, 10, true],
    ['of 10,000,001 bytes', { name: 'xl/a.bin', data: Buffer.alloc(10_000_001) }, 10, false],
    [
      'as large as the ratio allows',
      { name: 'xl/a.bin', data: Buffer.alloc(10_000_001), method: 0 },
      1,
      true,
    ],
    [
      'larger than the ratio allows',
      { name: 'xl/a.bin', data: Buffer.alloc(10_000_001), method: 0 },
      0.99,
      false,
    ],
  ])('with a part %s is read or not', async (_, part, ratio, isRead) => {
    const { refused } = await read('m.xlsx', withParts(part), { limits: { zipRatio: ratio } })
    expect(refused).toEqual(isRead ? undefined : expect.stringContaining(`more than ${ratio} times its size`))
  })
})

/** Imports 26 to 33: the longest text of each column; all others may have 200 characters. */
const longest: Record<ImportName, Record<string, number>> = {
  merchant: { XMID: 32, 'DBA Zip': 20, 'Legal Zip': 20, Notes: 4_000, MCC: 8 },
  dailyvolume: { MID: 32, 'Batch Number': 40, Currency: 3, 'Terminal Number': 40, Status: 40 },
  compdata: { MID: 32, Processor: 60 },
  chargeback: {
    MID: 32,
    'Case Number': 40,
    'Card Brand': 40,
    ARN: 40,
    'Auth Code': 20,
    'Reason Code': 20,
    Status: 60,
    'Resolution To': 60,
  },
  pcicompliance: {
    MID: 32,
    'SAQ Type': 40,
    'SAQ Status': 60,
    'Scan Status': 60,
    'Compliance Status': 60,
    Vendor: 60,
  },
  tinvalidation: { MID: 32 },
}
/** What else a row needs. */
const needed: Record<ImportName, Record<string, string>> = {
  merchant: { 'Master Agent': '7' },
  dailyvolume: { 'Sales Amount': '1' },
  compdata: { Income: '1', Month: 'May 2025' },
  chargeback: { 'File Date': '5/1/2025', Amount: '1' },
  pcicompliance: {},
  tinvalidation: { 'TIN Status': 'Match' },
}

describe('the texts of a row', () => {
  test.each(Object.keys(imports) as ImportName[])('of %s may be as long as the table says', async (kind) => {
    const columns = imports[kind].columns.filter((column) => column.kind === 'text' || column.kind === 'id')
    const heads = columns.map(({ head }) => head)
    expect(heads).toEqual(expect.arrayContaining(Object.keys(longest[kind])))
    const others = needed[kind]
    for (const more of [-1, 0, 1]) {
      const row = heads.map((head) => 'A'.repeat((longest[kind][head] ?? 200) + more))
      const file = csvOf([
        [...heads, ...Object.keys(others)],
        [...row, ...Object.values(others)],
      ])
      const { faults, refused } = await read('Aurora.csv', file, { kind })
      expect(refused).toBeUndefined()
      expect([more, faults!.map(({ column }) => column)]).toEqual([more, more > 0 ? heads : []])
    }
  })

  test('that no rule knows are kept up to 2,000 characters', async () => {
    const kept = async (length: number) => {
      const [, row] = [
        ['XMID', 'DBA', 'Master Agent', 'Colour'],
        ['1', 'Shop', '7', 'x'.repeat(length)],
      ]
      const { rows } = await read('m.csv', csvOf([['XMID', 'DBA', 'Master Agent', 'Colour'], row!]))
      return /x*(?="?\}?$)/.exec(rows![0]!.find((cell) => cell.includes('Colour'))!.replaceAll('\\', ''))![0]
        .length
    }
    expect(await Promise.all([1_999, 2_000, 2_001].map(kept))).toEqual([1_999, 2_000, 2_000])
  })
})

describe('a number or a day', () => {
  const epoch = (day: string) => String(Date.parse(`${day}T00:00:00Z`) / 1000)
  test.each<[string, typeof readMoney, string, string | null]>([
    ['amount', readMoney, '999,999,999,999.99', '999999999999.99'],
    ['amount', readMoney, '1,000,000,000,000.00', null],
    ['amount', readMoney, '(999,999,999,999.99)', '-999999999999.99'],
    ['amount', readMoney, '(1,000,000,000,000.00)', null],
    ['count', readCount, '2147483647', '2147483647'],
    ['count', readCount, '2147483648', null],
    ['count', readCount, '0', '0'],
    ['count', readCount, '-1', null],
    // The first day of 1970 is the 0 that stands for an empty date.
    ['day', readDay, '1/1/1970', null],
    ['day', readDay, '1/2/1970', '86400'],
    ['day', readDay, '12/31/9999', epoch('9999-12-31')],
    ['day', readDay, '2/28/2025', epoch('2025-02-28')],
    ['day', readDay, '2/29/2025', null],
    ['day', readDay, '2/29/2024', epoch('2024-02-29')],
    ['day', readDay, '12/31/2025', epoch('2025-12-31')],
    ['day', readDay, '13/1/2025', null],
  ])('%s: %o of %s is %s', (_, reader, text, value) => {
    expect(reader(text)).toEqual(value ?? { fault: expect.any(String) })
  })

  test.each<[string, string | null]>([
    ['1000%', null],
    ['1000.0001%', '%'],
    ['1000', null],
    ['1001', '%'],
    ['0', null],
    ['0.9999', '%'],
    ['1', '%'],
    ['1.0001', null],
    ['1%', null],
  ])('a percentage of %s is a fault of the column %s', async (text, fault) => {
    const file = csvOf([
      ['MID', 'Income', '%'],
      ['1', '5', text],
    ])
    const { faults } = await read('Aurora_May2025.csv', file, { kind: 'compdata' })
    expect(faults!.map(({ column }) => column)).toEqual(fault ? [fault] : [])
  })
})
