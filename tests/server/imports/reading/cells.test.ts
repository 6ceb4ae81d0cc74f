import { describe, expect, test } from 'vitest'
import type { Cell } from '../../../../server/imports/formats/sheet.ts'
import { readCount, readMoney } from '../../../../server/imports/rows/amounts.ts'
import { containsCardNumber, maskCardNumbers } from '../../../../server/imports/rows/cardNumbers.ts'
import { cellReaders } from '../../../../server/imports/rows/cells.ts'
import { readDay } from '../../../../server/imports/rows/dates.ts'

const number = (text: string, more: { pad?: number; isDate?: boolean } = {}): Cell => ({
  number: text,
  pad: 0,
  isDate: false,
  ...more,
})
const faultOf = (read: unknown) => (read as { fault?: string } | null)?.fault

describe('money is read to the cent', () => {
  test.each<[Cell, string | null]>([
    ['1234.5', '1234.50'],
    ['$1,234.56', '1234.56'],
    ['(1,234.56)', '-1234.56'],
    ['($1,234.56)', '-1234.56'],
    ['-1,234.56', '-1234.56'],
    ['-$1,234.56', '-1234.56'],
    ['$-1,234.56', '-1234.56'],
    ['1,234.56-', '-1234.56'],
    ['\u22125.00', '-5.00'],
    [' 12 ', '12.00'],
    ['.5', '0.50'],
    ['0.30000000000000004', '0.30'],
    ['99,999,999,999.99', '99999999999.99'],
    ['10.1000', '10.10'],
    ['-', '0.00'],
    ['', null],
    [null, null],
    [number('0.30000000000000004'), '0.30'],
    [number('-12.5'), '-12.50'],
    [number('1.5E5'), '150000.00'],
  ])('%j is %j', (cell, expected) => expect(readMoney(cell)).toBe(expected))

  test.each([
    ['1234,56', 'is not an amount'],
    ['1.234,56', 'is not an amount'],
    ['12,34', 'is not an amount'],
    ['1,2345', 'is not an amount'],
    ['ten', 'is not an amount'],
    ['1 2/3', 'is not an amount'],
    ['12.345', 'more than two decimals'],
    ['(-5.00)', 'negative twice'],
    ['-5.00-', 'negative twice'],
    ['1.2E+05', 'E-notation'],
    ['9999999999999999', 'too large'],
    ['--5', 'is not an amount'],
  ])('%s is refused, never guessed', (text, why) => expect(faultOf(readMoney(text))).toContain(why))
})

describe('counts are whole', () => {
  test.each([
    ['12', '12'],
    ['1,234', '1234'],
    ['12.0', '12'],
    ['-', '0'],
    ['', null],
  ])('%j is %j', (text, expected) => expect(readCount(text)).toBe(expected))
  test.each(['1.5', '-3', 'a', '1,23', '3000000000'])('%s is refused', (text) =>
    expect(faultOf(readCount(text))).toBeDefined(),
  )
})

describe('dates in four notations are UTC midnights', () => {
  const day = String(Date.UTC(2025, 0, 5) / 1000)
  test.each<[Cell, string | null]>([
    ['1/5/2025', day],
    ['01/05/2025', day],
    ['2025-01-05', day],
    ['20250105', day],
    ['45662', day],
    ['45662.75', day],
    ['2025-01-05T13:45:00Z', day],
    ['1/5/2025 1:45 PM', day],
    [number('45662', { isDate: true }), day],
    [number('45662.999', { isDate: true }), day],
    ['2/29/2024', String(Date.UTC(2024, 1, 29) / 1000)],
    ['', null],
  ])('%j', (cell, expected) => expect(readDay(cell)).toBe(expected))

  test.each([
    ['2/29/2025', 'no calendar'],
    ['2025-13-01', 'no calendar'],
    ['20250230', 'no calendar'],
    ['13/01/2025', 'month 13'],
    ['1/5/25', 'not a date'],
    ['5 Jan 2025', 'not a date'],
    ['1969-12-31', 'before 1970'],
    ['123', 'not a date'],
  ])('%s is refused, never guessed', (text, why) => expect(faultOf(readDay(text))).toContain(why))
})

describe('ids are strings', () => {
  test.each<[Cell, string | null]>([
    ['0012345', '0012345'],
    ['  4001 ', '4001'],
    ["'0012345", '0012345'],
    ['="0012345"', '0012345'],
    ['1234567890123456', '1234567890123456'],
    [number('123456789012345'), '123456789012345'],
    [number('1.2E3'), '1200'],
    [number('12345', { pad: 12 }), '000000012345'],
    ['', null],
  ])('%j is %j', (cell, expected) => expect(cellReaders.id(cell)).toBe(expected))

  test.each<[Cell, string]>([
    ['1.23E+15', 'open the file as text'],
    ['1E+15', 'open the file as text'],
    ['1,23E+15', 'open the file as text'],
    ['12345.0', 'open the file as text'],
    [number('1.23457E+15'), 'more than 15 digits'],
    [number('1234567890123456'), 'more than 15 digits'],
    [number('12.5'), 'open the file as text'],
    [number('45662', { isDate: true }), 'is a date'],
    ['12\n34', 'line break'],
  ])('%j is refused, never guessed', (cell, why) => expect(faultOf(cellReaders.id(cell))).toContain(why))
})

test.each([
  ['1', '1'],
  ['Active', '2'],
  ['INACTIVE', '3'],
  ['', null],
])('the account status %j is %j', (text, expected) => expect(cellReaders.accountstatus(text)).toBe(expected))
test('an unknown account status names the known ones', () =>
  expect(faultOf(cellReaders.accountstatus('Open'))).toContain('Unknown, Active, Inactive'))

describe('a full card number', () => {
  const cards = [
    '4111111111111111',
    '5555555555554444',
    '2223003122003222',
    '378282246310005',
    '6011111111111117',
    '3530111333300000',
    '4222222222222',
  ]
  test.each(cards)('%s is seen and masked but for the last four digits', (card) => {
    expect(containsCardNumber(`card ${card}, thanks`)).toBe(true)
    expect(maskCardNumbers(`card ${card}, thanks`)).toBe(
      `card ${'*'.repeat(card.length - 4)}${card.slice(-4)}, thanks`,
    )
  })
  test.each(['4111 1111 1111 1111', '4111-1111-1111-1111'])('%s is seen through its separators', (text) => {
    expect(containsCardNumber(text)).toBe(true)
    expect(maskCardNumbers(text)).toBe('************1111')
  })
  test.each([
    '4111111111111112',
    '9999999999999995',
    '411111111111',
    'A4111111111111111',
    '12345678901234567890123',
  ])('%s is none', (text) => expect(containsCardNumber(text)).toBe(false))
})
