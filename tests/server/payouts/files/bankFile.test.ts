import { expect, test } from 'vitest'
import { readConfig } from '../../../../server/config/config.ts'
import { bankHolidays, nextBankDay } from '../../../../server/money/bankDays.ts'
import { nachaFile, type BankEntry } from '../../../../server/payouts/nacha.ts'
import { bank } from '../payoutPortal.ts'
import { checkNacha } from './nacha.ts'

test.each([0, 1, 6, 7, 8, 16, 123])(
  'a file of %i more payments is made of whole blocks of ten lines',
  (more) => {
    const payment = (id: number) => ({
      displayid: `MA${id}`,
      name: 'Ünïcode Ñame of a very long payee indeed',
      routing: id % 2 ? '091000019' : '021000021',
      account: `${1000 + id}`,
      ischecking: id % 3 > 0,
      isbusiness: id % 4 > 0,
      trace: `09100001${String(id).padStart(7, '0')}`,
      cents: id * 37,
    })
    const all = Array.from({ length: more + 1 }, (_, index) => payment(index + 1))
    const payments = [true, false].flatMap((isbusiness, batch) =>
      all
        .filter((it) => it.isbusiness === isbusiness)
        .map((it, index) => ({ ...it, trace: `09100001${batch}${String(index).padStart(6, '0')}` })),
    )
    const { text, cents, entries } = nachaFile(bank, payments, {
      created: '2026-11-21T19:43',
      effective: '2026-11-23',
      modifier: 'Z',
    })
    const file = checkNacha(text)
    expect(
      file.batches
        .flatMap((batch) => batch.entries.map((entry) => entry.cents))
        .reduce((sum, one) => sum + one, 0),
    ).toBe(cents)
    expect(entries).toBe(payments.length)
  },
)

const day = { created: '2026-11-21T19:43', effective: '2026-11-23', modifier: 'A' }
/** A payment of a business, but for what the test is about. */
const paymentWith = (changed: Partial<BankEntry>): BankEntry => ({
  displayid: 'MA7',
  name: 'Agent',
  routing: '021000021',
  account: '123456',
  ischecking: true,
  isbusiness: true,
  trace: '091000010000001',
  cents: 100,
  ...changed,
})

test.each([
  ['an accent is left out', 'José Peña', 'JOSE PENA'],
  [
    'a letter that is no other one with an accent is written as ASCII does',
    'Søren Łukasz Straße',
    'SOREN LUKASZ STRASSE',
  ],
  ['two letters in one are two', 'Æsir & Œuvre', 'AESIR & OEUVRE'],
  ['a typographic apostrophe and dash are plain ones', 'O’Brien – Sons', "O'BRIEN - SONS"],
  ['a name without a letter of the format is the display id', '山田商店', 'MA7'],
  [
    'blanks before the first letter of the format take no place',
    '山田商店山田商店山田商店山田商店山田商店山田 Yamada',
    'YAMADA',
  ],
  ['22 characters are kept', 'ABCDEFGHIJKLMNOPQRSTUVWX', 'ABCDEFGHIJKLMNOPQRSTUV'],
])('of the name of a payee %s', (_, name, written) => {
  const file = checkNacha(nachaFile(bank, [paymentWith({ name })], day).text)
  expect(file.batches[0]!.entries[0]!.name).toBe(written)
})

const mostOfEntry = 9_999_999_999
const hundredth = Array.from({ length: 100 }, () => mostOfEntry)
test.each<[what: string, amounts: number[], refusal: string | null]>([
  ['a cent', [1], null],
  ['nothing', [0], 'The amount of MA0 - Agent does not fit into the file'],
  ['a cent less than nothing', [-1], 'The amount of MA0 - Agent does not fit into the file'],
  ['the most that an entry holds', [mostOfEntry], null],
  ['a cent more', [1, mostOfEntry + 1], 'The amount of MA1 - Agent does not fit into the file'],
  ['the most that a file holds', [...hundredth, 99], null],
  ['a cent more than that', [...hundredth, 100], 'The sum does not fit into the file'],
])('of amounts in cents a bank file takes %s, or says why not', (_, amounts, refusal) => {
  const payments = amounts.map((cents, at) =>
    paymentWith({ displayid: `MA${at}`, trace: `09100001${String(at).padStart(7, '0')}`, cents }),
  )
  const make = () => nachaFile(bank, payments, day)
  if (refusal !== null) expect(make).toThrow(refusal)
  else
    expect(
      checkNacha(make().text).batches.flatMap(({ entries }) => entries.map(({ cents }) => cents)),
    ).toEqual(amounts)
})

test.each([
  ['Café Zoë Ñandú Å', 'CAFE ZOE NANDU A'],
  ['ﬁve ½ Ⅷ', 'FIVE 1 2 VIII'],
  ["O'Neil & Sons, #1 (West)/East-2.", "O'NEIL & SONS, #1 (WES"],
  ['Straße_7*日\t!', 'STRASSE 7'],
  ['1234567890123456789012', '1234567890123456789012'],
  ['12345678901234567890123', '1234567890123456789012'],
])('of the name %j a bank file has %j', (name, written) => {
  const { text } = nachaFile(bank, [paymentWith({ displayid: 'Mä1', name })], day)
  const entry = text.split('\n').find((line) => line.startsWith('6'))!
  expect([entry.slice(39, 54).trim(), entry.slice(54, 76).trim()]).toEqual(['MA1', written])
})

/** Of each record the places that hold nothing but what can be checked, from and to. */
const checkedPlaces: [record: string, what: string, from: number, to: number][] = [
  ['1', 'priority', 1, 2],
  ['1', 'bank', 3, 12],
  ['1', 'record size, blocking and format', 34, 39],
  ['5', 'service class', 1, 3],
  ['5', 'company', 4, 19],
  ['5', 'company id', 40, 49],
  ['5', 'entry class', 50, 52],
  ['5', 'originating bank and number', 79, 93],
  ['6', 'routing number', 3, 11],
  ['6', 'amount', 29, 38],
  ['6', 'originating bank of the trace number', 79, 86],
  ['8', 'service class, count, hash and sums', 1, 43],
  ['8', 'company id', 44, 53],
  ['8', 'originating bank and number', 79, 93],
  ['9', 'batches, blocks, count, hash and sums', 1, 54],
]
test.each(checkedPlaces)(
  'the reader of these tests refuses a file whose record %s has another character in %s',
  (record, _, from, to) => {
    const payments = [true, false].map((isbusiness, at) => ({
      displayid: `MA${at}`,
      name: 'Agent',
      routing: '021000021',
      account: '123456',
      ischecking: true,
      isbusiness,
      trace: `09100001000000${at}`,
      cents: 1_234,
    }))
    const day = { created: '2026-11-21T19:43', effective: '2026-11-23', modifier: 'A' }
    const lines = nachaFile(bank, payments, day).text.split('\n')
    expect(() => checkNacha(lines.join('\n'))).not.toThrow()
    const line = lines.findIndex((text) => text.startsWith(record))
    const read = []
    for (let at = from; at <= to; at += 1) {
      const other = lines[line]![at] === '7' ? '8' : '7'
      const wrong = lines[line]!.slice(0, at) + other + lines[line]!.slice(at + 1)
      try {
        checkNacha(lines.with(line, wrong).join('\n'))
        read.push(at)
      } catch {}
    }
    expect(read).toEqual([])
  },
)

test('banks are closed on weekends and on the holidays of the Federal Reserve', () => {
  // As published: 4 July 2026 is a Saturday and not kept on another day, 1 January 2023 is kept on Monday.
  expect(bankHolidays(2026)).toEqual([
    '2026-01-01',
    '2026-01-19',
    '2026-02-16',
    '2026-05-25',
    '2026-06-19',
    '2026-07-04',
    '2026-09-07',
    '2026-10-12',
    '2026-11-11',
    '2026-11-26',
    '2026-12-25',
  ])
  expect(bankHolidays(2023)[0]).toBe('2023-01-02')
  const next = {
    '2026-11-20': '2026-11-23',
    '2026-11-25': '2026-11-27',
    '2026-12-31': '2027-01-04',
    '2026-07-02': '2026-07-03',
    '2026-05-22': '2026-05-26',
  }
  for (const [day, following] of Object.entries(next)) expect(nextBankDay(day)).toBe(following)
})

test.each([
  ['nonsense', 'ACH is'],
  ['{}', 'JSON like'],
  ['null', 'JSON like'],
  ['{"bank":"B","routing":"091000018","company":"C","companyId":"1"}', 'ABA checksum'],
  ['{"bank":"B","routing":"091000019","company":"C","companyId":"12345678901"}', 'at most ten'],
  ['{"bank":"B","routing":"091000019","company":"C","companyId":"1","x":"y"}', 'JSON like'],
  ['{"bank":"B","routing":"091000019","company":"C","companyId":"1","ppd":""}', 'JSON like'],
  ['{"bank":"B","routing":"091000019","company":"C","companyId":"1","ppd":"ELEVEN LONG"}', 'as ppd'],
  ['{"bank":"B","routing":"091000019","company":"C","companyId":"1","ccd":"A-B"}', 'as ccd'],
])('ACH=%s is refused in a sentence', (text, sentence) => {
  expect(() => readConfig({ ACH: text })).toThrow(sentence)
  expect(readConfig({ ACH: JSON.stringify(bank) }).ach).toEqual(bank)
})

test('a bank without names for its payments calls them PAYROLL and RESIDUALS', () => {
  const { ppd: _, ccd: __, ...bare } = bank
  expect(readConfig({ ACH: JSON.stringify(bare) }).ach).toEqual({ ...bare, ppd: 'PAYROLL', ccd: 'RESIDUALS' })
  const named = { ...bare, ppd: 'COMMISSION', ccd: 'FEES' }
  expect(readConfig({ ACH: JSON.stringify(named) }).ach).toEqual(named)
})
