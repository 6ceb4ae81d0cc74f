import { failExpected, type ParseVariable, type ReadVariable } from './variables.ts'

/**
 * What a reseller's contracts settle otherwise (money 17). Stored as rows of `setting`: the same for all
 * processes.
 */
export type MoneySettings = {
  /** A merchant's loss is passed to the agents, or counts as 0. */
  netNegative: 'pass' | 'floor'
  /**
   * What an agent's flat amount is paid for. A merchant counts that processed something in the month and is
   * not inactive in it (money 9).
   */
  amountBasis: 'perActiveMerchant' | 'perAgentMonth' | 'perTransaction'
  /** Dollars; a payee to whom less is due in all is paid nothing, and it is carried (payouts 1). */
  minimumPayout: number
}

export const defaultMoneySettings: MoneySettings = {
  netNegative: 'pass',
  amountBasis: 'perActiveMerchant',
  minimumPayout: 0,
}

/** NET_NEGATIVE, AMOUNT_BASIS and MINIMUM_PAYOUT. */
export const moneySettings = (read: ReadVariable): MoneySettings => ({
  netNegative: read('NET_NEGATIVE', defaultMoneySettings.netNegative, oneOf('pass', 'floor')),
  amountBasis: read(
    'AMOUNT_BASIS',
    defaultMoneySettings.amountBasis,
    oneOf('perActiveMerchant', 'perAgentMonth', 'perTransaction'),
  ),
  minimumPayout: read('MINIMUM_PAYOUT', defaultMoneySettings.minimumPayout, dollars),
})

const oneOf =
  <T extends string>(...words: readonly T[]): ParseVariable<T> =>
  (text) =>
    words.find((word) => word === text) ?? failExpected(`one of ${words.join(', ')}`)

const dollars: ParseVariable<number> = (text) =>
  /^\d{1,9}(\.\d{1,2})?$/.test(text) ? Number(text) : failExpected('an amount such as 25 or 12.50')
