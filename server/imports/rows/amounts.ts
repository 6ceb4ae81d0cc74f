import { displayText, type Cell } from '../formats/sheet.ts'

/** What a reader of cells answers: the text to store, null for a blank cell, or what is wrong with it. */
export type CellReading = string | null | { fault: string }
const cellFault = (sentence: string) => ({ fault: sentence })

const maxCents = 99_999_999_999_999
const amountPattern = /^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d*)?$|^\.\d+$/

/** Whole cents of '1234.5'; null when it is no exact amount. The noise of binary fractions (0.1 + 0.2) is rounded away. */
const parseCents = (text: string): number | null => {
  const [whole = '', decimals = ''] = text.split('.')
  const rest = decimals.slice(2)
  if (/^0*$/.test(rest)) return Number(whole) * 100 + Number(decimals.slice(0, 2).padEnd(2, '0'))
  const rounded = Math.round(Number(text) * 100)
  return rest.length >= 6 && Math.abs(Number(text) * 100 - rounded) < 1e-4 ? rounded : null
}
/** Cents as SQL and people write them: -1234.50. */
export const formatDollars = (amount: number): string => {
  const size = Math.abs(amount)
  return `${amount < 0 ? '-' : ''}${Math.floor(size / 100)}.${String(size % 100).padStart(2, '0')}`
}

/** 1234.5, $1,234.50, (1,234.50), -1,234.50 and 1,234.50-; '-' alone is nought, as accounting formats show it. */
export function readMoney(cell: Cell): CellReading {
  const text = displayText(cell)
    .replace(/[\s\u00a0\u202f]/g, '')
    .replace('\u2212', '-')
  if (text === '') return null
  if (text === '-' || text === '$-') return '0.00'
  const inParentheses = text.startsWith('(') && text.endsWith(')')
  let bare = inParentheses ? text.slice(1, -1) : text
  bare = bare.replace('$', '').replace(/usd$/i, '')
  const signs =
    (bare.startsWith('-') ? 1 : 0) + (bare.length > 1 && bare.endsWith('-') ? 1 : 0) + (inParentheses ? 1 : 0)
  bare = bare.replace(/^[+-]/, '').replace(/-$/, '')
  if (signs > 1) return cellFault('is negative twice')
  if (typeof cell !== 'string' && /e/i.test(bare)) bare = Number(bare).toFixed(10)
  if (/^\d+(\.\d+)?e[+-]?\d+$/i.test(bare))
    return cellFault('has lost its digits in a spreadsheet (E-notation)')
  if (!amountPattern.test(bare)) return cellFault('is not an amount; write it like 1,234.56')
  const amount = parseCents(bare.replaceAll(',', ''))
  if (amount === null) return cellFault('has more than two decimals')
  if (amount > maxCents) return cellFault('is too large')
  return formatDollars(signs === 1 ? -amount : amount)
}

/** The cents of what readMoney answered. */
export const centsOf = (dollars: string): number => Math.round(Number(dollars) * 100)

/** A number of things: whole, not negative. */
export function readCount(cell: Cell): CellReading {
  const text = displayText(cell).replace(/[\s\u00a0]/g, '')
  if (text === '') return null
  if (text === '-') return '0'
  if (!/^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.0*)?$/.test(text)) return cellFault('is not a whole number')
  const count = Number(text.replaceAll(',', ''))
  return count > 2_147_483_647 ? cellFault('is too large') : String(count)
}
