import type { Bank } from '../../config/bank.ts'
import type { Payment } from '../catalogue/payout.ts'

/** `created` is the portal's wall clock, '2026-11-21T19:43'; `settles` the next banking day, ISO; `modifier` A to Z, then 0 to 9. */
export type Making = { created: string; settles: string; modifier: string }
export type BankFile = { text: string; entries: number; cents: number }

/** Entry, batch and file amounts hold so many cents. */
const most = { entry: 9_999_999_999, file: 999_999_999_999 }

/** Upper case without accents; what the format does not know becomes a blank. */
const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/[^A-Z0-9 .,&/()'#-]/g, ' ')
const left = (text: string, width: number) => plain(text).slice(0, width).padEnd(width)
const right = (text: string, width: number) => plain(text).slice(0, width).padStart(width)
const digits = (number: number, width: number) => String(number).padStart(width, '0').slice(-width)
const compact = (day: string) => `${day.slice(2, 4)}${day.slice(5, 7)}${day.slice(8, 10)}`
const blank = (width: number) => ' '.repeat(width)

/** The sum of the banks' eight digits, its last ten digits. */
const hashOf = (payments: readonly Payment[]) =>
  payments.reduce((sum, { routing }) => sum + Number(routing.slice(0, 8)), 0)
const centsOf = (payments: readonly Payment[]) => payments.reduce((sum, { cents }) => sum + cents, 0)

const serviceClass = '220'

/**
 * A NACHA file that pays each payment: one batch for companies (CCD), one for persons (PPD), credits alone. Payments are more
 * than 0 cents with bank data that holds. Throws when an amount does not fit.
 */
export function nacha(
  bank: Bank,
  payments: readonly Payment[],
  { created, settles, modifier }: Making,
): BankFile {
  if (payments.some(({ cents }) => cents <= 0 || cents > most.entry) || centsOf(payments) > most.file)
    throw new Error('An amount does not fit into the file')
  const odfi = bank.routing.slice(0, 8)
  const company = right(bank.companyId, 10)
  const batches = (['CCD', 'PPD'] as const)
    .map((kind) => ({ kind, of: payments.filter(({ business }) => business === (kind === 'CCD')) }))
    .filter(({ of }) => of.length > 0)
  let sequence = 0
  const header =
    `101 ${bank.routing}${company}${compact(created)}${created.slice(11, 13)}${created.slice(14, 16)}${modifier}094101` +
    `${left(bank.bank, 23)}${left(bank.company, 23)}${blank(8)}`
  const lines = batches.flatMap(({ kind, of }, index) => {
    const number = `${odfi}${digits(index + 1, 7)}`
    return [
      `5${serviceClass}${left(bank.company, 16)}${blank(20)}${company}${kind}${left('RESIDUALS', 10)}${blank(6)}${compact(settles)}${blank(3)}1${number}`,
      ...of.map((payment) => entry(payment, `${odfi}${digits(++sequence, 7)}`)),
      `8${serviceClass}${digits(of.length, 6)}${digits(hashOf(of), 10)}${digits(0, 12)}${digits(centsOf(of), 12)}${company}${blank(19)}${blank(6)}${number}`,
    ]
  })
  const blocks = Math.ceil((lines.length + 2) / 10)
  const control =
    `9${digits(batches.length, 6)}${digits(blocks, 6)}${digits(payments.length, 8)}${digits(hashOf(payments), 10)}` +
    `${digits(0, 12)}${digits(centsOf(payments), 12)}${blank(39)}`
  const padding = Array.from({ length: blocks * 10 - lines.length - 2 }, () => '9'.repeat(94))
  return {
    text: [header, ...lines, control, ...padding].map((line) => `${line}\n`).join(''),
    entries: payments.length,
    cents: centsOf(payments),
  }
}

const entry = ({ checking, routing, account, cents, displayid, name }: Payment, trace: string) =>
  `6${checking ? '22' : '32'}${routing}${left(account, 17)}${digits(cents, 10)}${left(displayid, 15)}${left(name, 22)}${blank(2)}0${trace}`
