import { passesAbaChecksum } from '../../schemas/entities/masterAgent.ts'
import { failExpected, type ParseVariable, type ReadVariable } from './variables.ts'

/**
 * The bank that takes the payout files, and the company in whose name it pays (payouts 5). `routing` has nine
 * digits, `companyId` at most ten characters.
 */
export type Bank = { bank: string; routing: string; company: string; companyId: string }

/** ACH. Null: no payout files are made, payouts are taken as a table. */
export const bankSettings = (read: ReadVariable) => read<Bank | null>('ACH', null, bank)

const names = ['bank', 'routing', 'company', 'companyId'] as const

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
  const isComplete = typeof given === 'object' && given !== null && Object.keys(given).length === names.length
  if (!isComplete || names.some((name) => typeof given[name] !== 'string' || !(given[name] as string).trim()))
    return failExpected(wanted)
  const { routing, companyId } = given as Bank
  if (!passesAbaChecksum(routing))
    return failExpected('a bank whose routing has nine digits that pass the ABA checksum')
  if (!/^[A-Za-z0-9 ]{1,10}$/.test(companyId))
    return failExpected('a company whose companyId has at most ten letters and digits')
  return given as Bank
}
