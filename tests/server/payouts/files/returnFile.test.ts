import { describe, expect, test } from 'vitest'
import { changeCodes, readCorrection } from '../../../../server/payouts/returns/corrections.ts'
import { parseReturnFile } from '../../../../server/payouts/returns/returnFile.ts'
import { holdsAccount, returnCodes } from '../../../../server/payouts/returns/returns.ts'
import { returnFileOf } from './returnFiles.ts'

const trace = '091000010000001'
const other = '091000010000002'
const good = returnFileOf([
  [
    { code: 'R03', trace, cents: 8000 },
    { code: 'R15', trace: other, cents: 1, died: '260130' },
  ],
  [{ code: 'C01', trace, corrected: '777000111' }],
])
const lines = good.trimEnd().split('\r\n')
const faultsOf = (text: string) =>
  parseReturnFile(text).faults.map(({ line, message }) => `${line}: ${message}`)
/** The file with the positions from one on replaced in one line; both count from 1. */
const withText = (line: number, at: number, text: string) =>
  lines
    .map((it, index) =>
      index === line - 1 ? it.slice(0, at - 1) + text + it.slice(at - 1 + text.length) : it,
    )
    .join('\n')
const without = (line: number) => lines.filter((_, index) => index !== line - 1).join('\n')

test('each code means what the rules of the banks say', () => {
  expect(returnCodes).toEqual({
    R02: 'Account closed',
    R03: 'No account, or unable to locate it',
    R04: 'Invalid account number',
    R14: 'Representative payee deceased',
    R15: 'Beneficiary or account holder deceased',
    R16: 'Account frozen',
    R17: 'File record edit criteria',
    R20: 'Non-transaction account',
    R23: 'Credit entry refused by receiver',
  })
  expect(Object.keys(returnCodes).filter((code) => !holdsAccount(code))).toEqual(['R17'])
  const corrected = Object.entries(changeCodes).map(([code, text]) => [
    code,
    ['routing number', 'account number', 'transaction code'].filter((part) => text.includes(part)),
  ])
  expect(corrected).toEqual([
    ['C01', ['account number']],
    ['C02', ['routing number']],
    ['C03', ['routing number', 'account number']],
    ['C05', ['transaction code']],
    ['C06', ['account number', 'transaction code']],
    ['C07', ['routing number', 'account number', 'transaction code']],
  ])
})

describe('a return file', () => {
  test('is read by its positions: returns and notifications of change, with its day', () => {
    expect(lines.map((it) => it[0]).join('')).toBe('156767856789'.padEnd(20, '9'))
    expect(parseReturnFile(good)).toEqual({
      day: '2026-02-12',
      faults: [],
      entries: [
        { line: 4, kind: 'return', trace, code: 'R03', cents: 8000, died: '', corrected: '' },
        { line: 6, kind: 'return', trace: other, code: 'R15', cents: 1, died: '01/30/2026', corrected: '' },
        {
          line: 10,
          kind: 'change',
          trace,
          code: 'C01',
          cents: 0,
          died: '',
          corrected: '777000111'.padEnd(29),
        },
      ],
    })
  })

  test.each([
    ['260130', '01/30/2026'],
    ['000000', ''],
    ['      ', ''],
    ['26013 ', ''],
  ])('says %j as the day of a death: %j', (died, day) => {
    expect(parseReturnFile(withText(6, 22, died)).entries[1]).toMatchObject({ died: day })
  })

  test.each([
    ['with LF', good.replaceAll('\r\n', '\n')],
    ['with CR', good.replaceAll('\r\n', '\r')],
    ['without a last end of line', good.trimEnd()],
    ['without lines of 9s', lines.filter((it) => it !== '9'.repeat(94)).join('\n')],
  ])('is the same %s', (_, text) => {
    expect(parseReturnFile(text)).toEqual(parseReturnFile(good))
  })

  test('holds credits of four kinds of account, no debits, and no other transaction codes', () => {
    const faultsOfCode = (transaction: string) =>
      faultsOf(returnFileOf([[{ code: 'R03', trace, cents: 8000, transaction }]])).filter((it) =>
        /transaction code|is a debit/.test(it),
      )
    for (let number = 0; number < 100; number++) {
      const code = String(number).padStart(2, '0')
      const [kind, what] = [Math.floor(number / 10), number % 10]
      const isKnown = kind >= 2 && kind <= 5 && what !== 0 && what !== 5
      const isDebit = '4: The entry is a debit: only payments can come back'
      expect([code, ...faultsOfCode(code)]).toEqual([
        code,
        ...(isKnown ? [] : [`3: There is no transaction code ${code}`]),
        ...(isKnown && what < 5 ? [] : [isDebit]),
      ])
    }
  })

  test.each<[what: string, text: string, faults: string[]]>([
    ['nothing', '', ['1: The file is empty']],
    ['only ends of lines', '\r\n\r\n', ['1: The file is empty']],
    [
      'the lines of another kind of file',
      'MID,DBA,Net\n1,Shop,2.00\n',
      ['1: This is no return file of a bank: no line has 94 characters'],
    ],
    ['one line of 94 characters', `${lines[0]!}\nx\n`, ['2: The line has 1 characters instead of 94']],
    [
      'payments alone',
      lines.filter((line) => !line.startsWith('7')).join('\n'),
      ['3: The file holds payments and no returns: no entry has an addenda record'],
    ],
    [
      'lines of 93 and 95 characters',
      [lines[0]!.slice(1), `${lines[1]!} `, ...lines.slice(2)].join('\n'),
      ['1: The line has 93 characters instead of 94', '2: The line has 95 characters instead of 94'],
    ],
    ['a letter with an accent', withText(2, 5, 'É'), ['2: The line holds a character that is not ASCII']],
    [
      'no header',
      without(1),
      [
        '1: The file does not begin with its header (type 1)',
        '2: The entry stands in no batch',
        '4: The entry stands in no batch',
        '6: The batch control stands behind no batch',
        '11: The control says 2 batches, there are 1',
      ],
    ],
    [
      'a second header',
      [lines[0], lines[0], ...lines.slice(1)].join('\n'),
      [
        '2: The file header (type 1) is only the first line',
        '13: The control says 2 blocks of ten lines, there are 3',
      ],
    ],
    [
      'the 30th of February',
      withText(1, 24, '260230'),
      ['1: The day of the file (positions 24 to 29) is no day'],
    ],
    [
      'a record of type 4',
      withText(2, 1, '4').replace(/^8/m, '8'),
      expect.arrayContaining(['2: There is no record of type 4']),
    ],
    [
      'an entry without its addenda',
      without(4),
      expect.arrayContaining(['3: The entry has no addenda record after it']),
    ],
    [
      'an addenda record without its entry',
      without(3),
      expect.arrayContaining(['3: The addenda record stands behind no entry']),
    ],
    [
      'an entry that says it has no addenda',
      withText(3, 79, '0'),
      ['3: The entry says that it has no addenda record'],
    ],
    [
      'addenda of type 05',
      withText(4, 2, '05'),
      ['4: Addenda of type 05 are neither returns nor corrections'],
    ],
    ['a C code in a return', withText(4, 4, 'C03'), ['4: C03 is no code of a return']],
    [
      'an R code in a notification',
      withText(10, 4, 'R03'),
      ['10: R03 is no code of a notification of change'],
    ],
    ['a trace number with a blank', withText(4, 7, ' '), ['4: The original trace number is not 15 digits']],
    [
      'the addenda of another entry',
      withText(4, 94, '9'),
      ['4: The trace number is not that of the entry before it'],
    ],
    [
      'an unknown transaction code',
      withText(3, 2, '20'),
      expect.arrayContaining(['3: There is no transaction code 20']),
    ],
    [
      'a notification with an amount',
      withText(9, 39, '1'),
      [
        '10: A notification of change has an amount of 0',
        '11: The control says $0.00 as credits, the records before it give $0.01',
        '12: The control says $80.01 as credits, the records before it give $80.02',
      ],
    ],
    [
      'an amount that is no number',
      withText(3, 30, 'x'),
      expect.arrayContaining(['3: The amount (positions 30 to 39) is no number']),
    ],
    [
      'no file control',
      lines.slice(0, 11).join('\n'),
      ['11: The file ends without its control record (type 9)'],
    ],
    [
      'something behind the file control',
      `${good}${lines[1]}`,
      expect.arrayContaining(['21: Nothing may follow the file control record']),
    ],
    ['a batch without its control', without(7), ['7: The batch before it has no control record (type 8)']],
    [
      'the control of another batch',
      withText(7, 94, '3'),
      ['7: The control is of batch 0000003, its header of 0000001'],
    ],
  ])('with %s is refused, with the line', (_, text, faults) => {
    expect(faultsOf(text)).toEqual(faults)
  })

  test.each<[what: string, line: number, from: number, to: number, fault: string]>([
    [
      'entries of a batch',
      7,
      5,
      10,
      'The control says N as entries and addenda, the records before it give 4',
    ],
    [
      'entry hash of a batch',
      7,
      11,
      20,
      'The control says N as entry hash, the records before it give 4200004',
    ],
    ['debits of a batch', 7, 21, 32, 'The control says $N as debits, the records before it give $0.00'],
    ['credits of a batch', 7, 33, 44, 'The control says $N as credits, the records before it give $80.01'],
    ['batches of the file', 12, 2, 7, 'The control says N batches, there are 2'],
    ['blocks of the file', 12, 8, 13, 'The control says N blocks of ten lines, there are 2'],
    [
      'entries of the file',
      12,
      14,
      21,
      'The control says N as entries and addenda, the records before it give 6',
    ],
    [
      'entry hash of the file',
      12,
      22,
      31,
      'The control says N as entry hash, the records before it give 6300006',
    ],
    ['debits of the file', 12, 32, 43, 'The control says $N as debits, the records before it give $0.00'],
    ['credits of the file', 12, 44, 55, 'The control says $N as credits, the records before it give $80.01'],
  ])('whose control differs by one in the %s is refused', (_, line, from, to, fault) => {
    const stated = Number(lines[line - 1]!.slice(from - 1, to))
    for (const wrong of [stated + 1, stated - 1].filter((it) => it >= 0)) {
      const shown = fault.includes('$N') ? (wrong / 100).toFixed(2) : String(wrong)
      const text = withText(line, from, String(wrong).padStart(to - from + 1, '0'))
      expect(faultsOf(text)).toEqual([`${line}: ${fault.replace('N', shown)}`])
    }
  })

  test('lists every fault, not only the first', () => {
    const text = withText(4, 4, 'X99').split('\n')
    text[5] = `799R99${'x'.repeat(15)}${text[5]!.slice(21)}`
    expect(faultsOf(text.join('\n'))).toEqual([
      '4: X99 is no code of a return',
      '6: The original trace number is not 15 digits',
    ])
  })

  test('counts an entry hash of more than ten digits by its last ten', () => {
    const many = Array.from({ length: 5_239 }, (_, index) => ({
      code: 'R03',
      trace: String(91_000_010_000_000 + index).padStart(15, '0'),
      cents: 1,
    }))
    const text = returnFileOf([many])
    const hash = 5_239 * 2_100_002
    expect(hash).toBeGreaterThan(9_999_999_999)
    const ten = String(hash % 10_000_000_000).padStart(10, '0')
    expect(faultsOf(text.replaceAll(String(hash), ten))).not.toContainEqual(
      expect.stringContaining('entry hash'),
    )
  })

  test('with a debit is refused: only payments come back', () => {
    expect(faultsOf(returnFileOf([[{ code: 'R03', trace, cents: 5, transaction: '26' }]]))).toEqual([
      '4: The entry is a debit: only payments can come back',
    ])
  })
})

describe('the corrected data', () => {
  const spaced = (...parts: [string, number][]) =>
    parts
      .map(([part, width]) => part.padEnd(width))
      .join('')
      .padEnd(29)
  const full = '12345678901234567'
  test.each<[code: string, data: string, correction: object]>([
    ['C01', spaced(['777000111', 17]), { bankaccountnumber: '777000111' }],
    ['C01', spaced([full, 17]), { bankaccountnumber: full }],
    ['C02', spaced(['011401533', 9]), { routingnumber: '011401533' }],
    [
      'C03',
      spaced(['011401533', 12], ['777000111', 17]),
      { routingnumber: '011401533', bankaccountnumber: '777000111' },
    ],
    ['C03', spaced(['011401533', 12], [full, 17]), { routingnumber: '011401533', bankaccountnumber: full }],
    ['C05', spaced(['32', 2]), { isbankaccounttypechecking: false }],
    ['C05', spaced(['22', 2]), { isbankaccounttypechecking: true }],
    [
      'C06',
      spaced(['777000111', 20], ['32', 2]),
      { bankaccountnumber: '777000111', isbankaccounttypechecking: false },
    ],
    ['C06', spaced([full, 20], ['22', 2]), { bankaccountnumber: full, isbankaccounttypechecking: true }],
    ['C06', `${full}22`, { bankaccountnumber: full, isbankaccounttypechecking: true }],
    [
      'C07',
      spaced(['011401533', 9], ['777000111', 17], ['32', 2]),
      { routingnumber: '011401533', bankaccountnumber: '777000111', isbankaccounttypechecking: false },
    ],
    [
      'C07',
      spaced(['011401533', 9], [full, 17], ['22', 2]),
      { routingnumber: '011401533', bankaccountnumber: full, isbankaccounttypechecking: true },
    ],
  ])('of %s is read by its positions: "%s"', (code, data, correction) => {
    expect(readCorrection(code, data)).toEqual(correction)
  })

  test.each(['C05', 'C06', 'C07'])('of %s has a credit or a prenote of checking or savings', (code) => {
    const before = { C05: '', C06: '777000111 ', C07: '011401533777000111 ' }[code]!
    for (let number = 0; number < 100; number++) {
      const kind = String(number).padStart(2, '0')
      const isChecking = ['21', '22', '23', '24'].includes(kind)
      const isSavings = ['31', '32', '33', '34'].includes(kind)
      const read = readCorrection(code, (before + kind).padEnd(29))
      if (isChecking || isSavings) expect(read).toMatchObject({ isbankaccounttypechecking: isChecking })
      else expect(read).toBe(`The corrected transaction code ${kind} is neither checking nor savings`)
    }
  })

  test.each([
    [3, false],
    [4, true],
    [5, true],
    [17, true],
    [18, false],
  ])('has an account number of %i digits: %s', (count, fits) => {
    const account = '7'.repeat(count)
    const read = readCorrection('C03', `011401533${account}`.padEnd(29))
    if (fits) expect(read).toEqual({ routingnumber: '011401533', bankaccountnumber: account })
    else expect(read).toBe('The corrected account number is not 4 to 17 digits')
  })

  test.each([
    ['C01', '123', 'The corrected account number is not 4 to 17 digits'],
    ['C01', '12-345', 'The corrected account number is not 4 to 17 digits'],
    ['C02', '011401534', 'The corrected routing number 011401534 fails its check'],
    ['C02', '01140153', 'The corrected routing number 01140153 fails its check'],
    ['C03', '011401533', 'The corrected account number is not 4 to 17 digits'],
    ['C05', '42', 'The corrected transaction code 42 is neither checking nor savings'],
    ['C05', '25', 'The corrected transaction code 25 is neither checking nor savings'],
    ['C05', 'xx', 'The corrected data cannot be read'],
    // The last digits of an account without a code behind it are none, also where they read like one.
    ['C06', '777000111', 'The corrected data cannot be read'],
    ['C06', '77700022', 'The corrected data cannot be read'],
    ['C06', `${full}   `, 'The corrected data cannot be read'],
    ['C07', '01140153377700022', 'The corrected data cannot be read'],
    ['C07', `011401533${'7'.repeat(15)}22`, 'The corrected data cannot be read'],
    ['C04', 'SMITH', 'C04 is not about the account: correct the record by hand'],
  ])('of %s that says %s is not used: %s', (code, data, why) => {
    expect(readCorrection(code, data.padEnd(29))).toBe(why)
  })
})
