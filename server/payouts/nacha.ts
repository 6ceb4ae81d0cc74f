import type { Bank } from '../config/bank.ts'
import { HttpError } from '../http/errors.ts'

/** One entry of a bank file, with unmasked numbers; `trace` has 15 digits, `cents` is a whole number. */
export type BankEntry = {
  displayid: string
  name: string
  routing: string
  account: string
  ischecking: boolean
  isbusiness: boolean
  cents: number
  trace: string
}

/**
 * `created` is the portal's local time, '2026-11-21T19:43'; `effective` the effective entry date, ISO;
 * `modifier` the file ID modifier, A to Z or 0 to 9.
 */
type BankFileOptions = { created: string; effective: string; modifier: string }
type BankFile = { text: string; entries: number; cents: number }

/** The largest amounts in cents that the fields of an entry and of a total hold. */
const limits = { entry: 9_999_999_999, file: 999_999_999_999 }

/** Letters and signs that are no others with an accent, and how ASCII writes them. */
const plainLetters: Readonly<Record<string, string>> = {
  Æ: 'AE',
  Ð: 'D',
  Đ: 'D',
  Ħ: 'H',
  Ł: 'L',
  Ø: 'O',
  Œ: 'OE',
  Þ: 'TH',
  '‘': "'",
  '’': "'",
  '–': '-',
  '—': '-',
}

/** Upper case without accents; characters outside the format become blanks. */
const toNachaText = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/[^\x20-\x7e]/g, (letter) => plainLetters[letter] ?? ' ')
    .replace(/[^A-Z0-9 .,&/()'#-]/g, ' ')
/** The name of a receiver, which may not be blank: a bank refuses a file with such an entry. */
const receiverName = ({ name, displayid }: Pick<BankEntry, 'name' | 'displayid'>) =>
  toNachaText(name).trim() || displayid
const alignLeft = (text: string, width: number) => toNachaText(text).slice(0, width).padEnd(width)
const alignRight = (text: string, width: number) => toNachaText(text).slice(0, width).padStart(width)
const zeroPad = (number: number, width: number) => String(number).padStart(width, '0').slice(-width)
const yymmdd = (day: string) => `${day.slice(2, 4)}${day.slice(5, 7)}${day.slice(8, 10)}`
const blanks = (width: number) => ' '.repeat(width)

/** The sum of the first eight digits of the routing numbers; a record keeps its last ten digits. */
const entryHash = (payments: readonly BankEntry[]) =>
  payments.reduce((sum, { routing }) => sum + Number(routing.slice(0, 8)), 0)
const totalCents = (payments: readonly BankEntry[]) => payments.reduce((sum, { cents }) => sum + cents, 0)

/** The service class code of batches that hold credits only. */
const serviceClass = '220'

/**
 * A NACHA file of credits (payouts 5): a CCD batch for business accounts and a PPD batch for personal ones,
 * each if it has entries, in the order of their trace numbers. Bank data must be valid. Throws an HttpError
 * (409) when an amount is not above 0 or does not fit its field.
 */
export function nachaFile(
  bank: Bank,
  payments: readonly BankEntry[],
  { created, effective, modifier }: BankFileOptions,
): BankFile {
  const tooLarge = payments.find(({ cents }) => cents <= 0 || cents > limits.entry)
  if (tooLarge)
    throw new HttpError(
      409,
      `The amount of ${tooLarge.displayid} - ${tooLarge.name} does not fit into the file`,
    )
  if (totalCents(payments) > limits.file) throw new HttpError(409, 'The sum does not fit into the file')
  const batches = (['CCD', 'PPD'] as const)
    .map((entryClass) => ({
      entryClass,
      entries: payments.filter(({ isbusiness }) => isbusiness === (entryClass === 'CCD')),
    }))
    .filter(({ entries }) => entries.length > 0)
  const company = alignRight(bank.companyId, 10)
  // Record 1 with the priority code 01; 094 is the size of a record, 10 the blocking factor, 1 the format.
  const header = [
    `101 ${bank.routing}${company}`,
    `${yymmdd(created)}${created.slice(11, 13)}${created.slice(14, 16)}${modifier}094101`,
    `${alignLeft(bank.bank, 23)}${alignLeft(bank.company, 23)}${blanks(8)}`,
  ].join('')
  const lines = batches.flatMap(({ entryClass, entries }, index) => {
    const number = `${bank.routing.slice(0, 8)}${zeroPad(index + 1, 7)}`
    return [
      batchHeader(bank, entryClass, effective, number),
      ...entries.map(entryRecord),
      `8${serviceClass}${zeroPad(entries.length, 6)}${sums(entries)}${company}${blanks(25)}${number}`,
    ]
  })
  const blocks = Math.ceil((lines.length + 2) / 10)
  const control = [
    `9${zeroPad(batches.length, 6)}${zeroPad(blocks, 6)}${zeroPad(payments.length, 8)}`,
    `${sums(payments)}${blanks(39)}`,
  ].join('')
  const padding = Array.from({ length: blocks * 10 - lines.length - 2 }, () => '9'.repeat(94))
  return {
    text: [header, ...lines, control, ...padding].map((line) => `${line}\n`).join(''),
    entries: payments.length,
    cents: totalCents(payments),
  }
}

/** Entry hash, debits (none) and credits of a batch control, record 8, and of the file control, record 9. */
const sums = (payments: readonly BankEntry[]) =>
  `${zeroPad(entryHash(payments), 10)}${zeroPad(0, 12)}${zeroPad(totalCents(payments), 12)}`

/** Record 5. The bank fills in the settlement date, the blanks before the originator status code 1. */
const batchHeader = (bank: Bank, entryClass: 'CCD' | 'PPD', effective: string, number: string) =>
  [
    `5${serviceClass}${alignLeft(bank.company, 16)}${blanks(20)}${alignRight(bank.companyId, 10)}`,
    `${entryClass}${alignLeft(entryClass === 'PPD' ? bank.ppd : bank.ccd, 10)}${blanks(6)}`,
    `${yymmdd(effective)}${blanks(3)}1${number}`,
  ].join('')

/** Record 6 with the transaction code of a credit; 0 before the trace number: no addenda follow. */
const entryRecord = (entry: BankEntry) => {
  const { ischecking, routing, account, cents, displayid, trace } = entry
  return [
    `6${ischecking ? '22' : '32'}${routing}${alignLeft(account, 17)}${zeroPad(cents, 10)}`,
    `${alignLeft(displayid, 15)}${alignLeft(receiverName(entry), 22)}${blanks(2)}0${trace}`,
  ].join('')
}
