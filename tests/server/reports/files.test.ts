import { type CellObject, read } from '@e965/xlsx'
import { readXlsx } from 'hucre'
import { describe, expect, test } from 'vitest'
import type { ColumnKind, ReportColumn, ReportRow } from '../../../schemas/api/reports.ts'
import type { ReportSheet } from '../../../server/reports/files/cells.ts'
import { writeCsv } from '../../../server/reports/files/csv.ts'
import { writeXlsx } from '../../../server/reports/files/xlsx.ts'
import { readCsv, readSheets } from './exports.ts'

const columns: ReportColumn[] = [
  { name: 'id', displayname: 'ID', datatype: 'id' },
  { name: 'text', displayname: 'Text', datatype: 'text' },
  { name: 'money', displayname: 'Money', datatype: 'money' },
]
const sheet = (rows: ReportRow[], batch = 2): ReportSheet => ({
  title: 'A / Report',
  columns,
  rows: (async function* () {
    for (let at = 0; at < rows.length; at += batch) yield rows.slice(at, at + batch)
  })(),
  totals: () => ({ id: 'Total', text: null, money: rows.reduce((sum, { money }) => sum + Number(money), 0) }),
  about: [['Report', '=A']],
})
const bytes = async (chunks: AsyncIterable<Buffer>) => {
  const all: Buffer[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}
const csvOf = async (text: string, money = -12.5) =>
  (await bytes(writeCsv(sheet([{ id: '1', text, money }])))).toString('utf8')
const sheetOf = async (text: string) =>
  (await readSheets(await bytes(writeXlsx(sheet([{ id: '1', text, money: -12.5 }])))))[0]![1]

/** Text, and whether a spreadsheet could take it for a formula. */
const texts: [string, boolean][] = [
  ['=1+1', true],
  ['=cmd|"/c calc"!A1', true],
  ['+1', true],
  ['-1', true],
  ['@SUM(A1)', true],
  ['\t=1', true],
  ['\r=1', true],
  ['\n=1', true],
  [' =1', true],
  ['\u00a0=1', true],
  ['\ufeff=1', true],
  ['＝1', true],
  ['＋1', true],
  ['－1', true],
  ['＠1', true],
  ['\ttab', true],
  ['Alder & Sons', false],
  ['a=1', false],
  ["O'Quay", false],
  ['"quoted", with; all\tsigns', false],
  ['two\nlines', false],
  [' blanks around ', false],
  ['Café 日本 😀', false],
  ['<b>&amp;</b>', false],
  ['_x0041_', false],
  ['', false],
]

describe('text that a spreadsheet could take for a formula', () => {
  test.each(texts)('%j stands behind an apostrophe in CSV: %s', async (text, harmful) => {
    const [, row] = readRaw(await csvOf(text))
    expect(row![1]).toBe(harmful ? `'${text}` : text)
    expect(readCsv(await csvOf(text))[1]![1]).toBe(text)
  })

  test.each(texts)('%j is plain text in a workbook', async (text) => {
    const [, row] = await sheetOf(text)
    expect(row![1] ?? '').toBe(text)
  })

  test('a blank text is no cell of a workbook, so that it is not counted', async () => {
    const file = await bytes(writeXlsx(sheet([{ id: '1', text: '', money: 1 }])))
    const { A2, B2 } = read(file, { type: 'buffer' }).Sheets['A   Report']!
    expect([A2?.v, B2]).toEqual(['1', undefined])
  })

  test('a workbook holds no formula at all', async () => {
    const rows = texts.map(([text], id) => ({ id: `=${id}`, text, money: 1 }))
    const { sheets } = await readXlsx(await bytes(writeXlsx(sheet(rows))))
    expect(sheets[0]!.rows).toHaveLength(texts.length + 2)
    expect(JSON.stringify([...(sheets[0]!.cells?.values() ?? [])])).not.toContain('"formula"')
  })
})

test('negative numbers stay numbers, money has its cents, ids are text', async () => {
  expect(readRaw(await csvOf('x'))).toEqual([
    ['ID', 'Text', 'Money'],
    ['1', 'x', '-12.50'],
    ['Total', '', '-12.50'],
  ])
  expect(readRaw(await csvOf('x', 1e21 / 1e7))[1]![2]).toBe('100000000000000.00')
  expect(readRaw(await csvOf('x', -0.001))[1]![2]).toBe('0.00')
  const rows = await sheetOf('x')
  expect(rows[1]).toEqual(['1', 'x', -12.5])
})

test.each<[ColumnKind, string | number | boolean, string, string]>([
  ['text', 'x', 'General', 'x'],
  ['id', '00123', '@', '00123'],
  ['count', 1234, '#,##0', '1,234'],
  ['money', -1234.5, '#,##0.00', '-1,234.50'],
  ['percent', 12.5, '0.00##"%"', '12.50%'],
  ['number', 1234.5, '#,##0.00', '1,234.50'],
  ['date', Date.UTC(2026, 8, 5) / 1000, 'mm/dd/yyyy', '09/05/2026'],
  ['month', '2026-09', 'General', '2026-09'],
  ['flag', true, 'General', 'Yes'],
])(
  '%s %j has the format %s of a workbook, which shows it as %s, and the totals in bold',
  async (datatype, value, format, shown) => {
    const of = { ...sheet([]), columns: [{ name: 'id', displayname: 'ID', datatype }] }
    const file = await bytes(
      writeXlsx({
        ...of,
        rows: (async function* () {
          yield [{ id: value }]
        })(),
        totals: () => ({ id: value }),
      }),
    )
    const book = read(file, { type: 'buffer', cellNF: true })
    const [row, total] = ['A2', 'A3'].map((at) => book.Sheets[book.SheetNames[0]!]![at] as CellObject)
    expect([row!.z, row!.w, total!.z, total!.w]).toEqual([format, shown, format, shown])
    const { sheets } = await readXlsx(file, { readStyles: true })
    const isBold = (at: number) => sheets[0]!.cells?.get(`${at},0`)?.style?.font?.bold ?? false
    expect([0, 1, 2].map(isBold)).toEqual([true, false, true])
  },
)

test('the same rows are the same bytes, however they arrive', async () => {
  const rows = Array.from({ length: 50 }, (_, index) => ({ id: `00${index}`, text: 'x', money: index }))
  const [one, other] = [await bytes(writeXlsx(sheet(rows, 1))), await bytes(writeXlsx(sheet(rows, 50)))]
  expect((await readSheets(one))[0]).toEqual((await readSheets(other))[0])
  expect(await bytes(writeXlsx(sheet(rows, 7)))).toEqual(await bytes(writeXlsx(sheet(rows, 7))))
})

test.each([
  [3, 1],
  [4, 1],
  [5, 2],
  [8, 3],
  [9, 3],
])(
  '%i rows go on %i sheets of five lines, with the heading on each and the totals at the end',
  async (count, wanted) => {
    const rows = Array.from({ length: count }, (_, index) => ({ id: String(index), text: 'x', money: 1 }))
    const sheets = (await readSheets(await bytes(writeXlsx(sheet(rows, 3), 5)))).slice(0, -1)
    expect(sheets.every(([, lines]) => lines.length <= 5 && lines[0]![0] === 'ID')).toBe(true)
    expect(sheets.flatMap(([, lines]) => lines.slice(1).map((line) => line[0]))).toEqual([
      ...rows.map(({ id }) => id),
      'Total',
    ])
    expect(sheets.length).toBeGreaterThanOrEqual(wanted)
  },
)

test('a fault in the rows is a fault of the file', async () => {
  const failing = (): ReportSheet => ({
    ...sheet([]),
    rows: (async function* () {
      yield [{ id: '1', text: 'x', money: 1 }]
      throw new Error('the database went away')
    })(),
  })
  await expect(bytes(writeXlsx(failing()))).rejects.toThrow('the database went away')
  await expect(bytes(writeCsv(failing()))).rejects.toThrow('the database went away')
})

function readRaw(text: string): string[][] {
  const rows: string[][] = []
  for (const line of text.replace(/^\ufeff/, '').match(/(?:"(?:[^"]|"")*"|[^"])*?\r\n/g) ?? [])
    rows.push(
      (line.slice(0, -2).match(/(?:^|,)("(?:[^"]|"")*"|[^,]*)/g) ?? []).map((cell) =>
        cell
          .replace(/^,/, '')
          .replace(/^"([\s\S]*)"$/, '$1')
          .replaceAll('""', '"'),
      ),
    )
  return rows
}
