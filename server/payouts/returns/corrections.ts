import { accountTitles, passesAbaChecksum, type AccountField } from '../../../schemas/entities/masterAgent.ts'
import { maskSecret } from '../../db/encryption.ts'
import type { PayAccount } from '../../money/bankChanges.ts'

/** What the change codes of banks correct. */
export const changeCodes: Readonly<Record<string, string>> = {
  C01: 'Incorrect account number',
  C02: 'Incorrect routing number',
  C03: 'Incorrect routing number and account number',
  C05: 'Incorrect transaction code',
  C06: 'Incorrect account number and transaction code',
  C07: 'Incorrect routing number, account number and transaction code',
}

/** The fields of an account that a notification of change corrects. */
export type Correction = Partial<
  Pick<PayAccount, 'routingnumber' | 'bankaccountnumber' | 'isbankaccounttypechecking'>
>

/**
 * Where each code has its values in the corrected data: routing number, account number, transaction code. An
 * account before a transaction code has 17 places, or ends with a blank: the last two digits of an account
 * without a code behind it would else be read as one, and the rest as the account.
 */
const layouts: Readonly<Record<string, RegExp>> = {
  C01: /^(?<account>.{1,17})/,
  C02: /^(?<routing>.{9})/,
  C03: /^(?<routing>.{9})(?<account>.+)$/,
  C05: /^(?<kind>\d\d)/,
  C06: /^(?<account>.{17}|\S{1,16}(?=\s))\s*(?<kind>\d\d)\s*$/,
  C07: /^(?<routing>.{9})(?<account>.{17}|\S{1,16}(?=\s))\s*(?<kind>\d\d)\s*$/,
}

/**
 * Reads the corrected data of a notification of change (payouts 18), 29 characters. Answers a sentence where
 * it cannot be used: a code that is not about the account, or values that no account has.
 */
export function readCorrection(code: string, corrected: string): Correction | string {
  const layout = layouts[code]
  if (!layout) return `${code} is not about the account: correct the record by hand`
  const { routing, account: given, kind } = layout.exec(corrected)?.groups ?? {}
  const account = given?.trim()
  if (routing === undefined && account === undefined && kind === undefined)
    return 'The corrected data cannot be read'
  if (routing !== undefined && !passesAbaChecksum(routing))
    return `The corrected routing number ${routing.trim()} fails its check`
  if (account !== undefined && !/^\d{4,17}$/.test(account))
    return 'The corrected account number is not 4 to 17 digits'
  if (kind !== undefined && !/^[23][1-4]$/.test(kind))
    return `The corrected transaction code ${kind} is neither checking nor savings`
  return {
    ...(routing !== undefined && { routingnumber: routing }),
    ...(account !== undefined && { bankaccountnumber: account }),
    ...(kind !== undefined && { isbankaccounttypechecking: kind.startsWith('2') }),
  }
}

/** 'Bank Account # *****4321, Account Type Savings': the corrected fields that differ. */
export const describeCorrection = (entered: PayAccount, fields: readonly AccountField[]): string =>
  fields
    .map((field) => {
      const value = entered[field]
      const shown =
        field === 'bankaccountnumber' ? maskSecret(String(value)) : value === true ? 'Checking' : 'Savings'
      return `${accountTitles[field]} ${field === 'routingnumber' ? String(value) : shown}`
    })
    .join(', ')
