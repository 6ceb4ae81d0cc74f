import { describe, expect, test } from 'vitest'
import { imports } from '../../../../schemas/imports/imports.ts'
import type { Cell } from '../../../../server/imports/formats/sheet.ts'
import { guessColumns } from '../../../../server/imports/mapping/guesses.ts'
import { bookOf, processors } from '../../../month/book.ts'
import { draftOf } from '../../../month/draft.ts'
import { unseenLayouts } from '../../../month/unseenLayouts.ts'

/** The columns that are proposed for each field, those to be taken away with a '-'. */
const proposed = (names: string[], rows: Cell[][]) =>
  Object.fromEntries(
    [...guessColumns(imports.compdata, { names, rows })].map(([field, { columns }]) => [
      field,
      columns.map(({ at, sign }) => `${sign < 0 ? '-' : ''}${names[at]}`).join(' '),
    ]),
  )
/** Rows with an id of their own in front of the values. */
const rowsOf = (...values: Cell[][]) => values.map((row, at) => [`00012345678${at}`, ...row])
/** Ten rows with these values, the last of them other ones. */
const tenRows = (usual: Cell[], last: Cell[]) =>
  rowsOf(...Array.from({ length: 10 }, (_, at) => (at < 9 ? usual : last)))

type Case = { title: string; names: string[]; rows: Cell[][]; fields: Record<string, string> }
const cases: Case[] = [
  {
    title:
      'whole numbers are the transactions, the largest amounts the sales, the others income and expenses',
    names: ['K', 'A', 'B', 'C', 'D', 'E'],
    rows: rowsOf(
      ['1.10', '12', '900.00', '25.00', 'Lake Bakery'],
      ['2.00', '34', '990.00', '28.00', 'Hill Bar'],
    ),
    fields: { xmid: 'K', dba: 'E', txncount: 'B', sales: 'C', income: 'D', expense: 'A' },
  },
  {
    title: 'two letters are a name, a single one is none',
    names: ['K', 'A', 'B'],
    rows: rowsOf(['B', 'Bo'], ['A', 'Al']),
    fields: { xmid: 'K', dba: 'B' },
  },
  {
    title: 'several columns that the income exceeds together are expenses',
    names: ['K', 'A', 'B', 'C'],
    rows: rowsOf(['4.00', '10.00', '5.00'], ['2.00', '20.50', '18.00']),
    fields: { xmid: 'K', income: 'B', expense: 'A C' },
  },
  {
    title: 'a single column of amounts is the net',
    names: ['K', 'A'],
    rows: rowsOf(['4.00'], ['2.00']),
    fields: { xmid: 'K', net: 'A' },
  },
  {
    title: 'a single column of amounts below zero is the net, to be taken away',
    names: ['K', 'A'],
    rows: rowsOf(['-4.00'], ['(2.00)'], ['1.00']),
    fields: { xmid: 'K', net: '-A' },
  },
  {
    title: 'half of the amounts below zero do not turn the net',
    names: ['K', 'A'],
    rows: rowsOf(['-4.00'], ['2.00']),
    fields: { xmid: 'K', net: 'A' },
  },
  {
    title: 'expenses below zero are taken away',
    names: ['K', 'A', 'B'],
    rows: rowsOf(['10.00', '-4.00'], ['12.00', '-5.50']),
    fields: { xmid: 'K', income: 'A', expense: '-B' },
  },
  {
    title: 'amounts five times the next are the sales',
    names: ['K', 'A', 'B'],
    rows: rowsOf(['50.00', '10.00'], ['60.00', '12.00']),
    fields: { xmid: 'K', sales: 'A', net: 'B' },
  },
  {
    title: 'amounts a cent below five times the next are not',
    names: ['K', 'A', 'B'],
    rows: rowsOf(['50.00', '10.00'], ['59.99', '12.00']),
    fields: { xmid: 'K', income: 'A', expense: 'B' },
  },
  {
    title: 'one row of ten may exceed the income',
    names: ['K', 'A', 'B'],
    rows: tenRows(['10.00', '4.00'], ['1.00', '2.00']),
    fields: { xmid: 'K', income: 'A', expense: 'B' },
  },
  {
    title:
      'two rows of eleven may not, and neither column is proposed for anything but the net that is needed',
    names: ['K', 'A', 'B'],
    rows: [...tenRows(['10.00', '4.00'], ['1.00', '2.00']), ['000999999999', '1.00', '3.00']],
    fields: { xmid: 'K', net: 'A' },
  },
  {
    title: 'the transactions are left open where two columns have whole numbers',
    names: ['K', 'A', 'B', 'C'],
    rows: rowsOf(['12', '3', '5.00'], ['34', '4', '5.50']),
    fields: { xmid: 'K', net: 'C' },
  },
  {
    title: 'the row with totals is not looked at',
    names: ['K', 'A', 'B'],
    rows: [...tenRows(['10.00', '4.00'], ['1.00', '2.00']), ['Total', '90.00', '99.00']],
    fields: { xmid: 'K', income: 'A', expense: 'B' },
  },
  {
    title: 'a column with known name keeps its field whatever its amounts',
    names: ['K', 'Expense', 'A'],
    rows: rowsOf(['10.00', '4.00'], ['12.00', '5.50']),
    fields: { xmid: 'K', expense: 'Expense', net: 'A' },
  },
  {
    title: 'beside an expense of a known name the amounts that exceed it are the income',
    names: ['K', 'Expense', 'A'],
    rows: rowsOf(['4.00', '10.00'], ['5.50', '12.00']),
    fields: { xmid: 'K', expense: 'Expense', income: 'A' },
  },
  {
    title: 'a column that shares words with the expense is the income where others are less',
    names: ['K', 'Fees Charged', 'A'],
    rows: rowsOf(['10.00', '4.00'], ['12.00', '5.50']),
    fields: { xmid: 'K', income: 'Fees Charged', expense: 'A' },
  },
  {
    title: 'a net that shares words is turned where it is below zero',
    names: ['K', 'Margin'],
    rows: rowsOf(['-4.00'], ['-2.00']),
    fields: { xmid: 'K', net: '-Margin' },
  },
  {
    title: 'a net of a known name is not turned',
    names: ['K', 'Net'],
    rows: rowsOf(['-4.00'], ['-2.00']),
    fields: { xmid: 'K', net: 'Net' },
  },
  {
    title: 'names of merchants are left open where two columns have words of their own in each row',
    names: ['K', 'A', 'B', 'C'],
    rows: rowsOf(['4.00', 'Lake Bakery', 'North'], ['2.00', 'Hill Bar', 'South']),
    fields: { xmid: 'K', net: 'A' },
  },
  {
    title: 'words that come again are no names of merchants',
    names: ['K', 'A', 'B'],
    rows: rowsOf(['4.00', 'Silver'], ['2.00', 'Gold'], ['3.00', 'Gold']),
    fields: { xmid: 'K', net: 'A' },
  },
  ...['Gross', 'Total', 'Gross Total'].map((name) => ({
    title: `${name} alone says nothing: amounts fifty times the others are the sales`,
    names: ['K', name, 'A', 'B'],
    rows: rowsOf(['5000.00', '100.00', '40.00'], ['5007.25', '103.10', '41.50']),
    fields: { xmid: 'K', sales: name, income: 'A', expense: 'B' },
  })),
  {
    title: 'a word of a field beside Gross says which one it is',
    names: ['K', 'Gross Billed', 'A'],
    rows: rowsOf(['5000.00', '100.00'], ['5007.25', '103.10']),
    fields: { xmid: 'K', income: 'Gross Billed', expense: 'A' },
  },
  {
    title: 'amounts that add up overrule words, and the column of the words is one of them',
    names: ['K', 'Fees Charged', 'A', 'B'],
    rows: rowsOf(['4.00', '10.00', '6.00'], ['5.50', '12.00', '6.50']),
    fields: { xmid: 'K', income: 'A', expense: 'Fees Charged', net: 'B' },
  },
  {
    title: 'six digits are an id, five are none',
    names: ['J', 'K'],
    rows: [
      ['12345', '123456'],
      ['12346', '123457'],
    ],
    fields: { xmid: 'K', txncount: 'J' },
  },
  {
    title: 'one row says nothing about amounts',
    names: ['K', 'A', 'B'],
    rows: rowsOf(['10.00', '4.00']),
    fields: { xmid: 'K', net: 'A' },
  },
]
describe('columns whose names say nothing are proposed by their values', () => {
  test.each(cases)('$title', ({ names, rows, fields }) => expect(proposed(names, rows)).toEqual(fields))
})

describe('layouts with any names are proposed as they are to be read', () => {
  const book = bookOf(20_261_123, new Date())
  const month = book.months[1]
  const cellOf = (value: unknown): Cell =>
    typeof value === 'number' ? { number: String(value), pad: 0, isDate: false } : String(value) || null
  test.each(Array.from({ length: 20 }, (_, at) => at + 1))('with seed %i', (seed) => {
    const layouts = unseenLayouts(seed)
    for (const processor of processors) {
      const { fields } = layouts[processor]
      const [sheet] = draftOf(layouts[processor], book.figures(month, processor), month).sheets
      const rows = [...sheet!.rows, ...sheet!.totals].map((row) => row.map(cellOf))
      const names = sheet!.heading.map((_, at) => `X${at}`)
      const wanted = Object.entries(fields!).map(([field, source]) => [
        field,
        'columns' in source
          ? source.columns
              .map(({ name, sign }) => `${sign < 0 ? '-' : ''}X${sheet!.heading.indexOf(name)}`)
              .sort()
          : null,
      ])
      const guessed = Object.entries(proposed(names, rows)).map(([field, text]) => [
        field,
        text.split(' ').sort(),
      ])
      expect(Object.fromEntries(guessed)).toEqual(Object.fromEntries(wanted))
    }
  })
})
