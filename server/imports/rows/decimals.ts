/** An exact decimal number: `units` times 10 to the power of minus `scale`. */
export type Decimal = { units: bigint; scale: number }

export const zero: Decimal = { units: 0n, scale: 0 }

const unitsAt = ({ units, scale }: Decimal, wanted: number) => units * 10n ** BigInt(wanted - scale)

export function addDecimals(one: Decimal, other: Decimal): Decimal {
  const scale = Math.max(one.scale, other.scale)
  return { units: unitsAt(one, scale) + unitsAt(other, scale), scale }
}

/** The cents of an exact number of dollars, half a cent rounded away from zero. */
export function roundToCents(value: Decimal): bigint {
  const { units, scale } = value
  if (scale <= 2) return unitsAt(value, 2)
  const divisor = 10n ** BigInt(scale - 2)
  const half = units < 0n ? -divisor / 2n : divisor / 2n
  return (units + half) / divisor
}

/** The number as text with at least two decimals and no zeros behind them: -0.01, 0.00, 1234.5675. */
export function formatDecimal(value: Decimal): string {
  const { units, scale } = value.scale < 2 ? { units: unitsAt(value, 2), scale: 2 } : value
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  const decimals = digits.slice(-scale)
  const shown = decimals.slice(0, 2) + decimals.slice(2).replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -scale)}.${shown}`
}
