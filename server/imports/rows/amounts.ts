import {
  amountPattern,
  isNegative,
  splitSigns,
  withoutBlanks,
  type AmountRules,
  type Decimal,
} from '../../../schemas/imports/mapping/decimal.ts'
import { displayText, isNumeric, type Cell } from '../formats/sheet.ts'
import { cellFault, type CellReading } from './cellReading.ts'

/** The most that an amount may be, in cents: its column is numeric(14,2). */
export const maxCents = 99_999_999_999_999
/** The most that a count may be: its column is an integer of PostgreSQL. */
export const maxCount = 2_147_483_647
const maxDecimals = 30

/** Formats cents as a decimal number of dollars: -1234.50. */
export const formatDollars = (amount: number | bigint): string => {
  const digits = String(amount).replace('-', '').padStart(3, '0')
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
/** The cents of '-1234.50', an amount as `readMoney` answers it, or of '0'. */
export const centsOf = (dollars: string): number => Number(dollars.replace('.', ''))

const shortNumber = /^-?\d+(?:\.\d{1,2})?$/
/**
 * The digits of a number of a spreadsheet, of which it keeps and shows 15. Further ones are noise of binary
 * fractions: the file has 1.0049999999999999 where its author sees 1.005.
 */
function numericText(cell: Cell): string {
  const text = displayText(cell)
  if (!isNumeric(cell) || cell.isPercent || shortNumber.test(text)) return text
  const value = Number(text)
  const digits = value.toPrecision(15)
  return digits.includes('e') ? value.toFixed(10) : digits
}

/** Whether decimals beyond the second are the noise of binary fractions, as in 0.1 + 0.2 as text. */
const isNoise = (rest: string) => rest.length >= 6 && /^(?:0000|9999)/.test(rest)

/**
 * An amount in whole cents. `rounding` is what rounding to the cent added to it, in dollars; null where it
 * had no more than two decimals.
 */
type Amount = { cents: number; rounding: Decimal | null }
/** The absolute amount of '1234.5' in whole cents, half a cent rounded up. */
function parseAbsolute(text: string): Amount {
  const [whole = '', decimals = ''] = text.split('.')
  const floor = Number(whole) * 100 + Number(decimals.slice(0, 2).padEnd(2, '0'))
  const rest = decimals.slice(2)
  if (rest === '' || /^0*$/.test(rest)) return { cents: floor, rounding: null }
  const isUp = rest >= '5'
  if (isNoise(rest)) return { cents: floor + Number(isUp), rounding: null }
  const part = BigInt(rest)
  const units = isUp ? 10n ** BigInt(rest.length) - part : -part
  return { cents: floor + Number(isUp), rounding: { units, places: decimals.length } }
}

const dateAsAmount = cellFault('is a date in the file, not an amount')

function parseAmount(cell: Cell, column: AmountRules): Amount | { fault: string } | null {
  if (isNumeric(cell) && cell.isDate) return dateAsAmount
  const text = withoutBlanks(numericText(cell)).replace('\u2212', '-')
  if (text === '') return null
  if (text === '-' || text === '$-') return { cents: 0, rounding: null }
  const signed = splitSigns(text)
  const { digits, minuses, side } = signed
  if (/^\d+(\.\d+)?e[+-]?\d+$/i.test(digits))
    return cellFault('has lost its digits in a spreadsheet (E-notation)')
  if (!amountPattern.test(digits)) return cellFault('is not an amount; write it like 1,234.56')
  const isMinus = isNegative(signed, column)
  if (isMinus === null)
    return cellFault(minuses > 1 ? 'is negative twice' : `has a minus and ${side!.toUpperCase()}; keep one`)
  if (digits.length - digits.indexOf('.') - 1 > maxDecimals && digits.includes('.'))
    return cellFault(`has more than ${maxDecimals} decimals`)
  const { cents, rounding } = parseAbsolute(digits.replaceAll(',', ''))
  if (cents > maxCents) return cellFault('is too large')
  if (!isMinus) return { cents, rounding }
  return { cents: -cents, rounding: rounding && { ...rounding, units: -rounding.units } }
}

/**
 * Reads an amount as dollars with two decimals (imports 10): 1234.5, $1,234.50, $(1,234.50), -1,234.50,
 * 1,234.50- and 1,234.50 DR. Half a cent is rounded away from zero. A lone '-' is 0, as accounting formats
 * show it. In a column of costs DR adds and CR subtracts (imports 34).
 */
export function readMoney(cell: Cell, column: AmountRules = {}): CellReading {
  const amount = parseAmount(cell, column)
  return amount === null || 'fault' in amount ? amount : formatDollars(amount.cents)
}

/**
 * What rounding an amount that readMoney has read to the cent adds to it; null where it has no more than two
 * decimals, or the noise of binary fractions alone (imports 35).
 */
export function roundingOf(cell: Cell, column: AmountRules): Decimal | null {
  const mayHaveMore = isNumeric(cell) ? !shortNumber.test(cell.number) : /\.\s*\d{3}/.test(String(cell))
  if (!mayHaveMore) return null
  const amount = parseAmount(cell, column)
  return amount === null || 'fault' in amount ? null : amount.rounding
}

/** Reads a count: a whole number that is not negative (imports 10). */
export function readCount(cell: Cell): CellReading {
  if (isNumeric(cell) && cell.isDate) return cellFault('is a date in the file, not a whole number')
  const text = withoutBlanks(displayText(cell))
  if (text === '') return null
  if (text === '-') return '0'
  const unsigned = text.replace(/^-\s*|-$|^\((.*)\)$/, '$1')
  if (!/^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.0*)?$/.test(unsigned)) return cellFault('is not a whole number')
  if (unsigned !== text) return cellFault('is negative; counts are 0 or more')
  const count = Number(text.replaceAll(',', ''))
  return count > maxCount ? cellFault('is too large') : String(count)
}
