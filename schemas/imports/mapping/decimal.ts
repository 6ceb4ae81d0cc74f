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

/** The digits of an amount without its signs, as they may be written. */
export const amountPattern = /^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d*)?$|^\.\d+$/

/**
 * The digits of an amount without its signs. `minuses` counts the marks of a negative one: a minus before it,
 * a minus behind it, parentheses. `side` is the CR (credit) or DR (debit) behind it, in small letters.
 */
type Signed = { digits: string; minuses: number; side: 'cr' | 'dr' | null }

/** Takes the signs off an amount without blanks; what is left is an amount if `amountPattern` matches it. */
export function splitSigns(text: string): Signed {
  const [, amount = '', letters] = /^(.*?)(cr|dr)?$/is.exec(text.replace(/usd$/i, ''))!
  // A dollar sign may stand before or behind the sign of the amount.
  let digits = amount.replace(/usd$/i, '').replace(/^([+-]?)\$/, '$1')
  let minuses = 0
  const take = (isThere: boolean, from: number, to?: number) => {
    if (!isThere) return
    minuses += 1
    digits = digits.slice(from, to)
  }
  const isFirst = digits.startsWith('-')
  take(isFirst, 1)
  take(digits.startsWith('(') && digits.endsWith(')'), 1, -1)
  digits = digits.replace(/^\$/, '')
  take(!isFirst && digits.startsWith('-'), 1)
  digits = digits.replace(/^\+/, '')
  take(digits.length > 1 && digits.endsWith('-'), 0, -1)
  return { digits, minuses, side: letters ? (letters.toLowerCase() as 'cr' | 'dr') : null }
}

/** Whether the amount is negative; null for two signs, or a sign beside CR or DR. */
export function isNegative({ minuses, side }: Signed, { isCost }: AmountRules): boolean | null {
  if (minuses > 1 || (minuses === 1 && side !== null)) return null
  return side === null ? minuses === 1 : side === (isCost ? 'cr' : 'dr')
}

/**
 * Reads an amount in the notations of imports 10 without rounding it: 1234.5, $1,234.50, (1,234.50),
 * 1,234.50-, 1,234.50 CR, 1,234.50 DR (negative, but for costs). A lone '-' is 0. Null for any other text.
 * The import itself reads amounts by `readMoney`, which rounds them to cents and says what is wrong.
 */
export function parseDecimal(text: string, rules: AmountRules = {}): Decimal | null {
  const amount = withoutBlanks(text).replace('\u2212', '-')
  if (amount.length > 60) return null
  if (amount === '-' || amount === '$-') return { units: 0n, places: 0 }
  const signed = splitSigns(amount)
  const isMinus = isNegative(signed, rules)
  if (isMinus === null || !amountPattern.test(signed.digits)) return null
  const [whole = '', decimals = ''] = signed.digits.replaceAll(',', '').split('.')
  const units = BigInt(whole + decimals || '0')
  return { units: isMinus ? -units : units, places: decimals.length }
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
