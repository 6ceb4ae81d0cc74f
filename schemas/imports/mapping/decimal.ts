import type { ImportColumn } from '../importTypes.ts'

/** A number with decimals, exactly: `units` counts its last decimal place, of which there are `places`. */
export type Decimal = { units: bigint; places: number }

/** Blanks at the ends, and those that stand on one side beside something else than a digit. */
const looseBlanks = /(?<!\d)\s+|\s+(?!\d)/g
const blankGroups = /^(\D*\d{1,3})((?:\s\d{3})+)(?=\D*$|\.)/
/**
 * The text of a number without its blanks. Between digits they part groups of three, as in 1 234.56; others
 * stay, because 12 34 is not one number.
 */
export const withoutBlanks = (text: string): string =>
  /\s/.test(text)
    ? text
        .replace(looseBlanks, '')
        .replace(blankGroups, (_, first: string, groups: string) => first + groups.replace(/\s/g, ''))
    : text

/** What a text means as an amount: in a column of costs a debit adds and a credit subtracts (imports 34). */
export type AmountRules = Pick<ImportColumn, 'isCost'>

/**
 * Reads an amount in the notations of imports 10 without rounding it: 1234.5, $1,234.50, (1,234.50),
 * 1,234.50-, 1,234.50 CR, 1,234.50 DR (negative, but for costs). A lone '-' is 0. Null for any other text.
 */
export function parseDecimal(text: string, { isCost }: AmountRules = {}): Decimal | null {
  let rest = withoutBlanks(text).replace('\u2212', '-')
  if (rest.length > 60) return null
  if (rest === '-' || rest === '$-') return { units: 0n, places: 0 }
  let signs = 0
  const take = (pattern: RegExp, negative: boolean): boolean => {
    const found = pattern.exec(rest)
    if (!found) return false
    rest = found[1] ?? ''
    if (negative) signs += 1
    return true
  }
  take(/^(.+)usd$/i, false)
  const isSided = take(/^(.+)cr$/i, isCost === true) || take(/^(.+)dr$/i, !isCost)
  const sideSigns = signs
  take(/^(.+)usd$/i, false)
  take(/^\$(.*)$/, false)
  take(/^\((.+)\)$/, true)
  take(/^-(.+)$/, true)
  take(/^\+(.+)$/, false)
  take(/^(.+)-$/, true)
  take(/^\$(.*)$/, false)
  if (signs > 1 || (isSided && signs > sideSigns)) return null
  if (!/^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d*)?$|^\.\d+$/.test(rest)) return null
  const [whole = '', decimals = ''] = rest.replaceAll(',', '').split('.')
  const units = BigInt(whole + decimals || '0')
  return { units: signs === 1 ? -units : units, places: decimals.length }
}

/** Adds decimals, each times 1 or -1. */
export function sumDecimals(parts: readonly { value: Decimal; sign: 1 | -1 }[]): Decimal {
  const places = Math.max(0, ...parts.map(({ value }) => value.places))
  const units = parts.reduce(
    (sum, { value, sign }) => sum + BigInt(sign) * value.units * 10n ** BigInt(places - value.places),
    0n,
  )
  return { units, places }
}

/** Writes a decimal as '-1234.5' with all its places. */
export function formatDecimal({ units, places }: Decimal): string {
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  return `${units < 0n ? '-' : ''}${whole}${places ? `.${digits.slice(-places)}` : ''}`
}
