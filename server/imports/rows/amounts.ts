import { displayText, type Cell } from '../formats/sheet.ts'
import { cellFault, type CellReading } from './cellReading.ts'

const maxCents = 99_999_999_999_999
const amountPattern = /^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d*)?$|^\.\d+$/

/**
 * The cents of '1234.5'; null when it has more than two decimals. The noise of binary fractions, as in 0.1 +
 * 0.2, is rounded away.
 */
const parseCents = (text: string): number | null => {
  const [whole = '', decimals = ''] = text.split('.')
  const rest = decimals.slice(2)
  if (/^0*$/.test(rest)) return Number(whole) * 100 + Number(decimals.slice(0, 2).padEnd(2, '0'))
  const rounded = Math.round(Number(text) * 100)
  return rest.length >= 6 && Math.abs(Number(text) * 100 - rounded) < 1e-4 ? rounded : null
}
/** Formats cents as a decimal number of dollars: -1234.50. */
export const formatDollars = (amount: number): string => {
  const size = Math.abs(amount)
  return `${amount < 0 ? '-' : ''}${Math.floor(size / 100)}.${String(size % 100).padStart(2, '0')}`
}

/**
 * Reads an amount as dollars with two decimals (imports 10): 1234.5, $1,234.50, (1,234.50), -1,234.50 and
 * 1,234.50-. A lone '-' is 0, as accounting formats show it.
 */
export function readMoney(cell: Cell): CellReading {
  const text = displayText(cell)
    .replace(/[\s\u00a0\u202f]/g, '')
    .replace('\u2212', '-')
  if (text === '') return null
  if (text === '-' || text === '$-') return '0.00'
  const inParentheses = text.startsWith('(') && text.endsWith(')')
  let digits = inParentheses ? text.slice(1, -1) : text
  digits = digits.replace('$', '').replace(/usd$/i, '')
  const signs =
    (digits.startsWith('-') ? 1 : 0) +
    (digits.length > 1 && digits.endsWith('-') ? 1 : 0) +
    (inParentheses ? 1 : 0)
  digits = digits.replace(/^[+-]/, '').replace(/-$/, '')
  if (signs > 1) return cellFault('is negative twice')
  if (typeof cell !== 'string' && /e/i.test(digits)) digits = Number(digits).toFixed(10)
  if (/^\d+(\.\d+)?e[+-]?\d+$/i.test(digits))
    return cellFault('has lost its digits in a spreadsheet (E-notation)')
  if (!amountPattern.test(digits)) return cellFault('is not an amount; write it like 1,234.56')
  const amount = parseCents(digits.replaceAll(',', ''))
  if (amount === null) return cellFault('has more than two decimals')
  if (amount > maxCents) return cellFault('is too large')
  return formatDollars(signs === 1 ? -amount : amount)
}

/** The cents of an amount that readMoney has read. */
export const centsOf = (dollars: string): number => Math.round(Number(dollars) * 100)

/** Reads a count: a whole number that is not negative (imports 10). */
export function readCount(cell: Cell): CellReading {
  const text = displayText(cell).replace(/[\s\u00a0]/g, '')
  if (text === '') return null
  if (text === '-') return '0'
  if (!/^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.0*)?$/.test(text)) return cellFault('is not a whole number')
  const count = Number(text.replaceAll(',', ''))
  return count > 2_147_483_647 ? cellFault('is too large') : String(count)
}
