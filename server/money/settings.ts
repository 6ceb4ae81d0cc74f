import { expected, type Parse, type Take } from '../settings.ts'
import { standardTerms, type MoneyTerms } from './terms.ts'

const one = <T extends string>(...words: readonly T[]): Parse<T> => (text) => words.find((word) => word === text) ?? expected(`one of ${words.join(', ')}`)
const dollars: Parse<number> = (text) => (/^\d{1,9}(\.\d{1,2})?$/.test(text) ? Number(text) : expected('an amount such as 25 or 12.50'))

/** What the reseller's contracts settle otherwise than usual (domain, section 6). */
export const moneySettings = (take: Take): MoneyTerms => ({
  netNegative: take('NET_NEGATIVE', standardTerms.netNegative, one('pass', 'floor')),
  amountBasis: take('AMOUNT_BASIS', standardTerms.amountBasis, one('perActiveMerchant', 'perAgentMonth', 'perTransaction')),
  minimumPayout: take('MINIMUM_PAYOUT', standardTerms.minimumPayout, dollars),
})
