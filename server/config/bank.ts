import { passesAbaChecksum } from '../../schemas/entities/masterAgent.ts'
import { failExpected, type ParseVariable, type ReadVariable } from './variables.ts'

/**
 * The bank that takes the payout files, and the company in whose name it pays (payouts 5). `routing` has nine
 * digits, `companyId` at most ten characters; `ppd` and `ccd`, what the payments to personal and to business
 * accounts are called, at most ten.
 */
export type Bank = {
  bank: string
  routing: string
  company: string
  companyId: string
  ppd: string
  ccd: string
}

/** ACH. Null: no payout files are made, payouts are taken as a table. */
export const bankSettings = (read: ReadVariable) => read<Bank | null>('ACH', null, bank)

const names = ['bank', 'routing', 'company', 'companyId'] as const
/** Consumer credits that are compensation are to be called PAYROLL (payouts 5). */
const descriptions = { ppd: 'PAYROLL', ccd: 'RESIDUALS' }

const bank: ParseVariable<Bank | null> = (text) => {
  const wanted =
    'JSON like {"bank": "First Bank", "routing": "091000019", "company": "Our Company", ' +
    '"companyId": "1234567890"}'
  let given: Record<string, unknown>
  try {
    given = JSON.parse(text) as Record<string, unknown>
  } catch {
    return failExpected(wanted)
  }
  const known: readonly string[] = [...names, ...Object.keys(descriptions)]
  const isComplete =
    typeof given === 'object' &&
    given !== null &&
    names.every((name) => name in given) &&
    Object.entries(given).every(([name, value]) => known.includes(name) && isFilled(value))
  if (!isComplete) return failExpected(wanted)
  const { routing, companyId } = given as Bank
  if (!passesAbaChecksum(routing))
    return failExpected('a bank whose routing has nine digits that pass the ABA checksum')
  if (!/^[A-Za-z0-9 ]{1,10}$/.test(companyId))
    return failExpected('a company whose companyId has at most ten letters and digits')
  const bank = { ...descriptions, ...given } as Bank
  for (const name of ['ppd', 'ccd'] as const)
    if (!/^[A-Za-z0-9 ]{1,10}$/.test(bank[name]))
      return failExpected(`a text of at most ten letters and digits as ${name}`)
  return bank
}

const isFilled = (value: unknown) => typeof value === 'string' && value.trim() !== ''
