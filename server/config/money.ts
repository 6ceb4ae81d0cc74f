import { failExpected, type ParseVariable, type ReadVariable } from './variables.ts'

const one =
  <T extends string>(...words: readonly T[]): ParseVariable<T> =>
  (text) =>
    words.find((word) => word === text) ?? failExpected(`one of ${words.join(', ')}`)
const dollars: ParseVariable<number> = (text) =>
  /^\d{1,9}(\.\d{1,2})?$/.test(text) ? Number(text) : failExpected('an amount such as 25 or 12.50')

/** What the reseller's contracts settle otherwise than usual (domain, section 6). */
export const moneySettings = (take: ReadVariable): MoneyTerms => ({
  netNegative: take('NET_NEGATIVE', standardTerms.netNegative, one('pass', 'floor')),
  amountBasis: take(
    'AMOUNT_BASIS',
    standardTerms.amountBasis,
    one('perActiveMerchant', 'perAgentMonth', 'perTransaction'),
  ),
  minimumPayout: take('MINIMUM_PAYOUT', standardTerms.minimumPayout, dollars),
})

/** What a reseller's contract may settle otherwise (domain, section 6). The same for every process on a database: rows of `setting`. */
export type MoneyTerms = {
  /** A merchant's loss is passed to the agents, or counts as 0. */
  netNegative: 'pass' | 'floor'
  /** What an agent's flat amount is paid for; a merchant counts while it is Active and processed something in the month. */
  amountBasis: 'perActiveMerchant' | 'perAgentMonth' | 'perTransaction'
  /** Dollars; what is due below it is carried forward. */
  minimumPayout: number
}

export const standardTerms: MoneyTerms = {
  netNegative: 'pass',
  amountBasis: 'perActiveMerchant',
  minimumPayout: 0,
}
