import { afterEach, describe, expect, test } from 'vitest'
import { formatUsDate, isIsoDay } from '../../../schemas/dates.ts'
import type { Column, Property, Row } from '../../../schemas/entities/entity.ts'
import { merchant } from '../../../schemas/entities/merchant.ts'
import { formatBytes } from '../../../src/parts/downloads.ts'
import {
  formatCell,
  formatCount,
  formatDollars,
  formatLocalDate,
  formatLocalDateTime,
  formatMonth,
  formatPercent,
  formatUtcDate,
  isFigure,
} from '../../../src/parts/format.ts'

const day = (iso: string) => Date.parse(`${iso}T00:00:00Z`) / 1000
const zone = process.env['TZ']
afterEach(() => {
  process.env['TZ'] = zone
})

test.each([
  ['2026-05-04', '05/04/2026'],
  ['2026-05', '05/2026'],
  ['2026', '2026'],
  ['2026-5-4', '2026-5-4'],
  ['x2026-05-04', 'x2026-05-04'],
  ['2026-05-04T00:00', '2026-05-04T00:00'],
  ['', ''],
])('the day or month %j is written %j', (text, written) => expect(formatUsDate(text)).toBe(written))

test.each(['Pacific/Auckland', 'America/Los_Angeles', 'UTC'])(
  'a day is one that exists, in the zone %s as anywhere',
  (name) => {
    process.env['TZ'] = name
    const days = [
      '2026-01-01',
      '2028-02-29',
      '2026-12-31',
      '2026-02-29',
      '2026-02-30',
      '2026-13-01',
      '2026-1-1',
    ]
    expect(days.map(isIsoDay)).toEqual([true, true, true, false, false, false, false])
  },
)

describe('dates are shown as short dates in UTC', () => {
  test.each(['Pacific/Auckland', 'America/Los_Angeles', 'Pacific/Kiritimati', 'UTC'])(
    'in the zone %s',
    (name) => {
      process.env['TZ'] = name
      expect(formatUtcDate(day('2026-01-05'))).toBe('1/5/2026')
      expect(formatUtcDate(day('2025-12-31') + 86_399)).toBe('12/31/2025')
    },
  )
  test.each([null, undefined, 0, -1, -86_400, Number.NaN, Number.POSITIVE_INFINITY, 1e18, '1735689600', ''])(
    'only when greater than 0: not %s',
    (seconds) => {
      expect(formatUtcDate(seconds)).toBe('')
    },
  )
  test('from the first second on', () => expect(formatUtcDate(1)).toBe('1/1/1970'))
})

// Half past seven in the evening of New Year's Eve in New York is next year in Greenwich.
describe.each([
  ['America/New_York', '12/31/2026', 'Dec 31, 2026, 7:30 PM'],
  ['UTC', '1/1/2027', 'Jan 1, 2027, 12:30 AM'],
])('a moment at the end of a year, in a browser in %s', (name, date, moment) => {
  const evening = day('2027-01-01') + 1800
  test('is shown in the zone of the browser where it says when something happened', () => {
    process.env['TZ'] = name
    expect(formatLocalDate(evening)).toBe(date)
    // Some versions of Intl put a narrow space before AM and PM.
    expect(formatLocalDateTime(evening).replace('\u202f', ' ')).toBe(moment)
    const cell = formatCell({ head: '', field: 'created', as: 'moment' }, undefined, {
      created: evening,
    } as never)
    expect(cell.replace('\u202f', ' ')).toBe(moment)
  })
  test('is the day in UTC where it stands for a day', () => {
    process.env['TZ'] = name
    expect(formatUtcDate(evening)).toBe('1/1/2027')
    expect(formatMonth('2026-12')).toBe('December 2026')
    expect(formatMonth('2027-01')).toBe('January 2027')
    expect(formatMonth('2027-01-01')).toBe('January 2027')
  })
})

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1 kB'],
  [1200, '1.2 kB'],
  [9949, '9.9 kB'],
  [9950, '10 kB'],
  [999_499, '999 kB'],
  [999_500, '1 MB'],
  [999_500_000, '1 GB'],
])('%i bytes are shown as %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text))

describe('percent values show a % suffix and amounts a $ prefix, only when non-empty', () => {
  test.each([
    [12.5, '12.5%', '$12.50'],
    [0, '0%', '$0.00'],
    [1234567.891, '1234567.891%', '$1,234,567.89'],
    [-20, '-20%', '-$20.00'],
    ['7', '7%', '$7.00'],
    ['much', 'much%', '$much'],
    [null, '', ''],
    [undefined, '', ''],
    ['', '', ''],
  ])('of %s', (value, asPercent, asDollars) => {
    expect(formatPercent(value)).toBe(asPercent)
    expect(formatDollars(value)).toBe(asDollars)
  })
})

test('counts have thousands separators', () =>
  expect([0, 999, 3000, 1_000_000].map(formatCount)).toEqual(['0', '999', '3,000', '1,000,000']))

test.each<[Column['as'], boolean]>([
  ['number', true],
  ['dollars', true],
  ['percent', true],
  ['date', false],
  ['month', false],
  ['label', false],
  [undefined, false],
])('a column as %s has figures: %s', (as, has) => {
  expect(isFigure({ head: '', field: 'x', ...(as && { as }) })).toBe(has)
})

describe('a cell', () => {
  const row: Row = {
    id: 1,
    version: 1,
    dba: 'Corner Deli',
    accountstatus: 2,
    masteragentid: 7,
    date_added: day('2026-02-03'),
    date_closed: 0,
    office: true,
    house: false,
    unset: null,
    many: 12_345,
    labels: { masteragentid: 'MA0012 - North' },
  }
  const show = (
    column: Partial<Column> & { field: string },
    properties: Record<string, Property> = merchant.schema.properties,
  ) => formatCell({ head: '', ...column }, properties[column.field], row)

  test.each<[string, string, Partial<Column> & { field: string }]>([
    ['text as it is', 'Corner Deli', { field: 'dba' }],
    ['nothing for a missing field', '', { field: 'nothing' }],
    ['nothing for null', '', { field: 'unset' }],
    ['a number with its thousands', '12,345', { field: 'many', as: 'number' }],
    ['nothing for a missing number', '', { field: 'unset', as: 'number' }],
    ['nothing for a number that is not there', '', { field: 'nothing', as: 'number' }],
    ['nothing for a moment that is not there', '', { field: 'nothing', as: 'moment' }],
    ['a date', '2/3/2026', { field: 'date_added', as: 'date' }],
    ['nothing for the date 0', '', { field: 'date_closed', as: 'date' }],
    ["the referenced record's name", 'MA0012 - North', { field: 'masteragentid', as: 'label' }],
    ['nothing for a reference without a name', '', { field: 'parentid', as: 'label' }],
    ['the first word of a set flag', 'Office', { field: 'office', as: 'flag', words: ['Office', ''] }],
    ['the second word of a flag that is not set', '', { field: 'house', as: 'flag', words: ['Office', ''] }],
    ['Yes and No without words', 'No', { field: 'house', as: 'flag' }],
    ['nothing for an unknown flag', '', { field: 'unset', as: 'flag' }],
  ])('shows %s', (_, text, column) => expect(show(column)).toBe(text))

  test.each([
    [1, 'Unknown'],
    [2, 'Active'],
    [3, 'Inactive'],
    [4, '4'],
    ['2', '2'],
    [null, ''],
  ])('Account Status %s is shown as “%s”', (value, text) => {
    const { accountstatus } = merchant.schema.properties
    expect(
      formatCell({ head: '', field: 'accountstatus', as: 'choice' }, accountstatus, {
        ...row,
        accountstatus: value,
      }),
    ).toBe(text)
  })
})
