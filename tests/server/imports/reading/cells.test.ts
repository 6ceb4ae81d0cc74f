import { describe, expect, test } from 'vitest'
import { imports, type ImportColumn, type ImportName } from '../../../../schemas/imports/imports.ts'
import type { Cell } from '../../../../server/imports/formats/sheet.ts'
import { readCount, readMoney, roundingOf } from '../../../../server/imports/rows/amounts.ts'
import {
  containsCardNumber,
  maskCardNumbers,
  redactNumbers,
} from '../../../../server/imports/rows/cardNumbers.ts'
import { cellReaders } from '../../../../server/imports/rows/cells.ts'
import { findMonths, readDay } from '../../../../server/imports/rows/dates.ts'
import { formatExactDollars, roundToCents } from '../../../../server/imports/rows/decimals.ts'

const number = (text: string, more: { pad?: number; isDate?: boolean; isPercent?: boolean } = {}): Cell => ({
  number: text,
  pad: 0,
  isDate: false,
  ...more,
})
const faultOf = (read: unknown) => (read as { fault?: string } | null)?.fault

test.each<[units: bigint, places: number, cents: bigint]>([
  [4n, 3, 0n],
  [5n, 3, 1n],
  [-4n, 3, 0n],
  [-5n, 3, -1n],
  [-6n, 3, -1n],
  [-14n, 3, -1n],
  [-15n, 3, -2n],
  [-4_999n, 6, 0n],
  [-5_000n, 6, -1n],
  [-7n, 0, -700n],
])('a sum of %i units of %i decimals is %i cents, half a cent away from zero', (units, places, cents) =>
  expect(roundToCents({ units, places })).toBe(cents),
)

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
    ['1 234 567.50', '1234567.50'],
    ['$ 5', '5.00'],
    ['( 5.00 )', '-5.00'],
    ['.5', '0.50'],
    ['0.30000000000000004', '0.30'],
    ['99,999,999,999.99', '99999999999.99'],
    ['10.1000', '10.10'],
    ['$(1,234.56)', '-1234.56'],
    ['1,234.56 CR', '1234.56'],
    ['1,234.56 cr', '1234.56'],
    ['$1,234.56DR', '-1234.56'],
    ['1,234.56 USD DR', '-1234.56'],
    ['1,234.56 Dr USD', '-1234.56'],
    ['-', '0.00'],
    ['', null],
    [null, null],
    [number('0.30000000000000004'), '0.30'],
    [number('-12.5'), '-12.50'],
    [number('1.5E5'), '150000.00'],
  ])('%j is %j', (cell, expected) => expect(readMoney(cell)).toBe(expected))

  test.each([
    ['12 34', 'is not an amount'],
    ['10.00 20.00', 'is not an amount'],
    ['345$12', 'is not an amount'],
    ['0$1,234', 'is not an amount'],
    ['1234,56', 'is not an amount'],
    ['1.234,56', 'is not an amount'],
    ['12,34', 'is not an amount'],
    ['1,2345', 'is not an amount'],
    ['ten', 'is not an amount'],
    ['1 2/3', 'is not an amount'],
    ['1.'.padEnd(33, '3'), 'more than 30 decimals'],
    ['-5.00 CR', 'has a minus and CR; keep one'],
    ['(5.00) DR', 'has a minus and DR; keep one'],
    ['5.00- CR', 'has a minus and CR; keep one'],
    ['5.00 CR DR', 'is not an amount'],
    ['DR', 'is not an amount'],
    ['-(5.00)', 'negative twice'],
    ['999999999999.995', 'too large'],
    ['(-5.00)', 'negative twice'],
    ['-5.00-', 'negative twice'],
    ['1.2E+05', 'E-notation'],
    ['9999999999999999', 'too large'],
    ['--5', 'is not an amount'],
  ])('%s is refused, never guessed', (text, why) => expect(faultOf(readMoney(text))).toContain(why))
})

describe('further decimals', () => {
  /** The amount, and what rounding adds to it. */
  test.each<[Cell, string, string | null]>([
    ['1.004', '1.00', '-0.004'],
    ['1.005', '1.01', '0.005'],
    ['1.006', '1.01', '0.004'],
    ['-1.004', '-1.00', '0.004'],
    ['-1.005', '-1.01', '-0.005'],
    ['(1.005)', '-1.01', '-0.005'],
    ['1.005 DR', '-1.01', '-0.005'],
    ['1.00499999999', '1.00', '-0.00499999999'],
    ['8.115', '8.12', '0.005'],
    ['1.255', '1.26', '0.005'],
    ['0.0000001', '0.00', '-0.0000001'],
    ['0.00000001', '0.00', null],
    ['0.00010', '0.00', '-0.0001'],
    ['1.'.padEnd(32, '3'), '1.33', `-0.00${'3'.repeat(28)}`],
    ['999999999999.994', '999999999999.99', '-0.004'],
    ['1. 2345', '1.23', '-0.0045'],
    ['1.20', '1.20', null],
    ['1.2000', '1.20', null],
    ['0.30000000000000004', '0.30', null],
    ['2.9999999999999996', '3.00', null],
    [number('1.0049999999999999'), '1.01', '0.005'],
    [number('3.0149999999999997'), '3.02', '0.005'],
    [number('1.234'), '1.23', '-0.004'],
    [number('1.23'), '1.23', null],
    [number('1.4210854715202004E-14'), '0.00', null],
    [number('0.30000000000000004'), '0.30', null],
  ])('of %j are rounded half away from zero to %s, which adds %s', (cell, amount, added) => {
    const rounding = roundingOf(cell, {})
    expect([readMoney(cell), rounding && formatExactDollars(rounding)]).toEqual([amount, added])
  })
})

describe('a debit', () => {
  const money = Object.values(imports).flatMap(({ name, columns }) =>
    (columns as readonly ImportColumn[])
      .filter(({ kind }) => kind === 'money')
      .map((column) => [`${column.head} of ${name}`, column] as const),
  )
  const costs = [
    'Expenses of compdata',
    'Refund Amount of dailyvolume',
    'Amount of chargeback',
    'Non-Compliance Fee of pcicompliance',
  ]
  test.each(money)('adds to %s if it is a cost, and else subtracts', (name, column) => {
    const [debit, credit] = costs.includes(name) ? ['5.00', '-5.00'] : ['-5.00', '5.00']
    expect([cellReaders.money('5 DR', column), cellReaders.money('5 CR', column)]).toEqual([debit, credit])
  })
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
    ['-', null],
    [number('123456789012345'), '123456789012345'],
    [number('999999999999999'), '999999999999999'],
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
    [number('1000000000000000'), 'more than 15 digits'],
    [number('12.5'), 'open the file as text'],
    [number('45662', { isDate: true }), 'is a date'],
    [number('12', { isPercent: true }), 'is a percentage'],
    [number('0.12', { isPercent: true }), 'is a percentage'],
    ['12\n34', 'line break'],
    ['12\u00ad34', 'cannot be seen'],
    ['１２３', 'digits of another script'],
    ['12３', 'digits of another script'],
    ['Ｔ1', 'full-width'],
    ['١٢٣', 'digits of another script'],
    ['\u202d123\u202c', 'cannot be seen'],
    ['12\u200b3', 'cannot be seen'],
  ])('%j is refused, never guessed', (cell, why) => expect(faultOf(cellReaders.id(cell))).toContain(why))
})

test.each([
  ['1', '1'],
  ['Active', '2'],
  ['INACTIVE', '3'],
  ['', null],
])('the account status %j is %j', (text, expected) => expect(cellReaders.accountstatus(text)).toBe(expected))
test.each<[ImportName, string, Cell, string | null]>([
  ['tinvalidation', 'code', '3', '3'],
  ['tinvalidation', 'code', '-3', null],
  ['tinvalidation', 'code', '.3', null],
  ['pcicompliance', 'pcilevel', 'Level-1', '1'],
  ['pcicompliance', 'pcilevel', '-1', null],
  ['pcicompliance', 'scanrequired', '1', 'true'],
  ['pcicompliance', 'scanrequired', '-1', null],
  ['chargeback', 'cardlast4', number('42'), '0042'],
  ['chargeback', 'cardlast4', number('1234.5'), null],
  ['chargeback', 'cardlast4', number('-1234'), null],
  ['chargeback', 'cardlast4', number('45662', { isDate: true }), null],
])('in %s the %s %j is %j, and null is a fault', (name, field, cell, expected) => {
  const column = imports[name].columns.find((one: ImportColumn) => one.field === field)!
  const read = cellReaders[column.kind](cell, column)
  expect(typeof read === 'string' ? read : faultOf(read) && null).toBe(expected)
})
test.each(['', '****', 'xxxx-XXXX', '•••• ••••'])('of the digits %j nothing is known', (text) =>
  expect(cellReaders.cardlast4(text)).toBeNull(),
)
test('an unknown account status names the known ones', () =>
  expect(faultOf(cellReaders.accountstatus('Open'))).toContain('Unknown, Active, Inactive'))

test('a cell that names two months is read as neither of them', () =>
  expect(faultOf(cellReaders.month('May 2025 to June 2025'))).toContain('is not a month'))

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
  /** A number with these first digits, zeros, and the check digit of a card. */
  const numberOf = (prefix: string, length: number) => {
    const start = prefix.padEnd(length - 1, '0')
    return Array.from({ length: 10 }, (_, last) => `${start}${last}`).find((digits) => {
      const parts = [...digits].toReversed().map((digit, at) => Number(digit) * (1 + (at % 2)))
      return parts.reduce((sum, part) => sum + Math.floor(part / 10) + (part % 10), 0) % 10 === 0
    })!
  }
  test.each([
    [['2220', '2721', '299', '306', '309', '33', '3527', '3590', '50', '56'], false],
    [['6010', '6012', '61', '63', '643', '66', '7', '9', '1'], false],
    [['2221', '2229', '223', '229', '23', '26', '270', '271', '2720'], true],
    [['300', '305', '34', '3528', '3529', '353', '3589', '36', '37', '38', '39'], true],
    [['4', '51', '55', '6011', '62', '644', '649', '65'], true],
  ])('may begin with %j: %s', (prefixes, isCard) => {
    for (const prefix of prefixes)
      expect([prefix, containsCardNumber(numberOf(prefix, 16))]).toEqual([prefix, isCard])
  })
  test.each([
    [12, false],
    [13, true],
    [19, true],
    [20, false],
  ])('may have %i digits, also as the whole of a text: %s', (length, isCard) => {
    const card = numberOf('4', length)
    expect(containsCardNumber(card)).toBe(isCard)
    expect(maskCardNumbers(card)).toBe(isCard ? '*'.repeat(length - 4) + card.slice(-4) : card)
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

/** A text is a whole cell of its kind or none: nothing is found within it, nothing beside it is lost. */
describe('a cell is read whole', () => {
  const day = (text: string) => String(Date.parse(`${text}T00:00:00Z`) / 1000)
  const fifth = day('2025-01-05')
  const notDate = ['is not a date']
  const notAmount = ['is not an amount']
  /** The value, or the fault in a list. */
  test.each<[keyof typeof cellReaders, string, string | [string]]>([
    ...[
      '5-5',
      '5+5',
      '5usd6',
      'usd5',
      '1234,567',
      '.5x',
      'x.5',
      '1.5x',
      '1,234x',
      'x1e5',
      '1e5x',
      '1.e5',
    ].map((text): ['money', string, [string]] => ['money', text, notAmount as [string]]),
    ['money', '+5', '5.00'],
    ['money', '5 USD', '5.00'],
    ['money', '123,456', '123456.00'],
    ['money', '1.5e3', ['E-notation']],
    ['money', '1e-3', ['E-notation']],
    ...['1234,567', 'x12', '12x', '12.0x', '12.01', '+12'].map((text): ['count', string, [string]] => [
      'count',
      text,
      ['is not a whole number'],
    ]),
    ['count', '123,456', '123456'],
    ...['-3', '- 3', '(3)', '-1,234', '3-'].map((text): ['count', string, [string]] => [
      'count',
      text,
      ['is negative; counts are 0 or more'],
    ]),
    ['count', '-3.5', ['is not a whole number']],
    ...['12345', '12345%', 'x50%', '50%x', '50%%', '-50%', '5-0%', '.5x', 'x.5%'].map(
      (text): ['percent', string, [string]] => ['percent', text, ['is not a percentage']],
    ),
    ['percent', '1001', ['too large']],
    ['percent', '1', ['may mean 1 % or 100 %']],
    ['percent', '0.123456', ['may mean 0.123456 % or 12.3456 %']],
    ['percent', '1.01', '1.0100'],
    ['percent', '0', '0.0000'],
    ['percent', '.5%', '0.5000'],
    ['percent', '5%', '5.0000'],
    ['percent', '1000%', '1000.0000'],
    ...['12a4', 'a1234', '1234a', '12/34'].map((text): ['cardlast4', string, [string]] => [
      'cardlast4',
      text,
      ['is not a number or the last four'],
    ]),
    ['cardlast4', '123', ['fewer than four']],
    ['cardlast4', '1234', '1234'],
    ['cardlast4', '12345', '2345'],
    ['taxidlast4', '12-3456789', '6789'],
    ['taxidlast4', '1.23457E+08', ['E-notation']],
    ...['x="1"', '="1"x', "12'34", 'a1e5', '1e5a', 'a1.0', '1.0a', '1.05', 'a1.5e5'].map(
      (text): ['id', string, string] => ['id', text, text],
    ),
    ...[
      '111/5/2025',
      '1/115/2025',
      'x1/5/2025',
      '1/5/2025x',
      '1/5/20255',
      '2025-115-01',
      '2025-01-115',
      'x2025-01-05',
      '2025-01-05x',
      '120250105',
      '202501055',
      'x20250105',
      '20250105x',
      '145662',
      '4566',
      'x45662',
      '45662x',
      '45662.5x',
      '1/5/2025 111:45',
      '1/5/2025 11:455',
      '1/5/2025 11:45 XM',
      '1/5/2025 11:45 AM x',
      '2025-01-05T13:45+011:00',
      '2025-01-05T13:45+01:000',
      '2025-01-05T13:45:000',
      '2025-01 11:45-05',
    ].map((text): ['date', string, [string]] => ['date', text, notDate as [string]]),
    ...[
      '2025-1-5',
      '2025-1-05',
      '2025-01-5',
      '1/05/2025',
      '01/5/2025',
      '1/5/2025 1:45',
      '1/5/2025 11:45:30.25',
      '1/5/2025   11:45AM',
      '2025-01-05T13:45:00+01:00',
      '2025-01-05T13:45-0130',
      '2025-01-05 13:45Z',
    ].map((text): ['date', string, string] => ['date', text, fifth]),
    ...['1/5/2025', '01/05/2025', '2025-1-5', '20250105', '2025-01', 'January 2025', '1/2025'].map(
      (text): ['month', string, string] => ['month', text, '2025-01-01'],
    ),
    ...['x1/5/2025', '20250105x', '120250105', '2025-13', '13/2025'].map(
      (text): ['month', string, [string]] => ['month', text, ['is not a month']],
    ),
  ])('%s: %j is %j', (kind, text, expected) => {
    const read = cellReaders[kind](text)
    if (typeof expected === 'string') expect(read).toBe(expected)
    else expect(faultOf(read)).toContain(expected[0])
  })

  test.each([
    ['Jan', 'January', 1],
    ['Feb', 'February', 2],
    ['Mar', 'March', 3],
    ['Apr', 'April', 4],
    ['May', 'May', 5],
    ['Jun', 'June', 6],
    ['Jul', 'July', 7],
    ['Aug', 'August', 8],
    ['Sep', 'September', 9],
    ['Sept', 'September', 9],
    ['Oct', 'October', 10],
    ['Nov', 'November', 11],
    ['Dec', 'December', 12],
  ])('%s and %s are the month %i, before the year and behind it', (short, long, number) => {
    const month = `2025-${String(number).padStart(2, '0')}-01`
    for (const name of [short, long, short.toUpperCase(), long.toLowerCase()])
      for (const text of [`${name} 2025`, `2025 ${name}`, `${name}-2025`])
        expect([text, cellReaders.month(text)]).toEqual([text, month])
    for (const text of [`x${long} 2025`, `2025 ${long}x`, long])
      expect(faultOf(cellReaders.month(text))).toContain('is not a month')
  })

  test.each<[column: string, words: Record<string, string[]>]>([
    [
      'chargeback casetype',
      {
        retrieval: ['retrieval', 'Retrieval Request', 'request for information', 'RFI', 'copy request'],
        chargeback: ['chargeback', 'CB', 'first chargeback', '1st Chargeback', 'dispute'],
        'pre-arbitration': [
          'pre-arbitration',
          'Pre Arbitration',
          'prearb',
          'second chargeback',
          '2nd chargeback',
        ],
        representment: ['representment', 'second presentment', '2nd presentment', 'reversal', 'rebuttal'],
      },
    ],
    ['chargeback debitcredit', { Debit: ['debit', 'd', 'DR'], Credit: ['credit', 'C', 'cr'] }],
    [
      'pcicompliance pcilevel',
      { 1: ['1', 'Level 1'], 2: ['2', 'level 2'], 3: ['3', 'level-3'], 4: ['4', 'Level 4'] },
    ],
    [
      'tinvalidation tinstatus',
      {
        Match: ['match', 'Matched', 'matches', 'valid', 'verified', '0', '6', '7', '8'],
        Missing: ['missing', '1', 'not provided', 'None'],
        Mismatch: ['mismatch', 'mismatched', 'No Match', 'not matched', 'does not match', '2', '3'],
        Error: ['error', '4', '5', 'invalid request', 'Duplicate Request'],
      },
    ],
    [
      'tinvalidation tintype',
      {
        1: ['SSN', 'Social Security Number', 'individual'],
        2: ['EIN', 'fein', 'Employer Identification Number', 'business'],
      },
    ],
    [
      'tinvalidation notice',
      {
        1: ['1', '1st', 'First', '1st notice', 'first notice', 'B1'],
        2: ['2', '2nd', 'Second', '2nd notice', 'second notice', 'b2'],
      },
    ],
  ])('of the column %s is read by each of its words: %j', (name, words) => {
    const [kind, field] = name.split(' ') as [ImportName, string]
    const column = imports[kind].columns.find((it) => it.field === field)!
    for (const [value, texts] of Object.entries(words))
      for (const text of texts) expect([text, cellReaders[column.kind](text, column)]).toEqual([text, value])
  })

  test.each([
    ['true', ['y', 'yes', 'true', 't', '1']],
    ['false', ['n', 'no', 'false', 'f', '0']],
  ])('a flag is %s as each of %j, in any case', (value, words) => {
    for (const word of words.flatMap((it) => [it, it.toUpperCase(), ` ${it} `]))
      expect([word, cellReaders.flag(word)]).toEqual([word, value])
    for (const word of ['x', 'yn', '2', '-1', '01'])
      expect(faultOf(cellReaders.flag(word))).toContain('Yes or No')
  })

  test.each<[string, string[]]>([
    ['1/1/2025 - 1/31/2025', ['2025-01-01']],
    ['01/01/2025-01/31/2025', ['2025-01-01']],
    ['1/1/2025 through 1/31/2025', ['2025-01-01']],
    ['1/1/2025 thru 1/31/2025', ['2025-01-01']],
    ['1/1/2025–1/31/2025', ['2025-01-01']],
    ['1/1/2025 until 1/31/2025', []],
    ['1/1/2025 to 1/5/2025', ['2025-01-01']],
    ['1/1/2025 to 2/1/2025', []],
    ['1/1/2025', []],
  ])('the months that %j names are %j', (text, months) => expect(findMonths(text)).toEqual(months))
})

test.each<[string, string]>([
  ['123-45-6789', '*****6789'],
  ['12-3456789', '*****6789'],
  ['123456789', '*****6789'],
  ['of 123-45-6789, or', 'of *****6789, or'],
  ...[
    '1234-45-6789',
    '123-456-7890',
    '123-45-67890',
    '123-4567890',
    '12-34567890',
    '1234567890',
    '12345678',
  ].map((text): [string, string] => [text, text]),
  ...['x123456789', '123456789x', '-123456789', '123456789-'].map((text): [string, string] => [text, text]),
])('a tax id within %j leaves %j', (text, left) => {
  expect(redactNumbers(text, { hidesTaxIds: true })).toBe(left)
  expect(redactNumbers(text, {})).toBe(text)
})

test.each<[string, string, boolean]>([
  ['19 digits', '4111111111111111110', true],
  ['20 digits', '41111111111111111115', false],
  ['the first digits of an issuer within', '1411111111111114', false],
])('a number of %s, whose check digit is right, is a card number: %s %s', (_, text, verdict) =>
  expect(containsCardNumber(text)).toBe(verdict),
)
