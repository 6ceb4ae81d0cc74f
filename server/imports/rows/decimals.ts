import { formatDecimal, sumDecimals, type Decimal } from '../../../schemas/imports/mapping/decimal.ts'

export const zero: Decimal = { units: 0n, places: 0 }

export const addDecimals = (one: Decimal, other: Decimal): Decimal =>
  sumDecimals([
    { value: one, sign: 1 },
    { value: other, sign: 1 },
  ])

/** The cents of an exact number of dollars, half a cent rounded away from zero. */
export function roundToCents({ units, places }: Decimal): bigint {
  if (places <= 2) return units * 10n ** BigInt(2 - places)
  const divisor = 10n ** BigInt(places - 2)
  const half = units < 0n ? -divisor / 2n : divisor / 2n
  return (units + half) / divisor
}

/** Dollars as text with at least two decimals, and no zeros behind those: -0.01, 0.00, 1234.5675. */
export function formatExactDollars(dollars: Decimal): string {
  const [whole, decimals = ''] = formatDecimal(dollars).split('.')
  return `${whole}.${decimals.replace(/0+$/, '').padEnd(2, '0')}`
}
