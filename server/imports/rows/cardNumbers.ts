import type { Import } from '../../../schemas/imports/imports.ts'

/** The first digits of cards of Visa, Mastercard, American Express, Discover, JCB, Diners and UnionPay. */
const issuerPrefix =
  /^(?:4|5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)|3[47]|6011|64[4-9]|65|352[89]|35[3-8]|30[0-5]|3[689]|62)/
const candidate = /(?<![\dA-Za-z])\d(?:[ -]?\d){12,18}(?![\dA-Za-z])/g

const passesLuhn = (digits: string): boolean => {
  let sum = 0
  for (let index = 0; index < digits.length; index += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 48
    sum += index % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2
  }
  return sum % 10 === 0
}
const isCardNumber = (found: string): boolean => {
  const digits = found.replace(/[ -]/g, '')
  return issuerPrefix.test(digits) && passesLuhn(digits)
}

/**
 * Whether a text holds a full card number: 13 to 19 digits, a known issuer, a valid check digit (imports 14).
 */
export const containsCardNumber = (text: string): boolean =>
  text.length >= 13 && (text.match(candidate)?.some(isCardNumber) ?? false)

/** Replaces all but the last four digits of every full card number by '*'. */
export const maskCardNumbers = (text: string): string =>
  text.length < 13
    ? text
    : text.replace(candidate, (found) => {
        if (!isCardNumber(found)) return found
        const digits = found.replace(/[ -]/g, '')
        return '*'.repeat(digits.length - 4) + digits.slice(-4)
      })

const taxId = /(?<![\dA-Za-z-])(?:\d{3}-\d{2}-|\d{2}-\d{3}|\d{5})(\d{4})(?![\dA-Za-z-])/g
/**
 * Replaces all but the last four digits of full card numbers and, in the kinds of import that hold them, of
 * tax ids (imports 14).
 */
export const redactNumbers = (text: string, { hidesTaxIds }: Pick<Import, 'hidesTaxIds'>): string =>
  hidesTaxIds ? maskCardNumbers(text).replace(taxId, '*****$1') : maskCardNumbers(text)
