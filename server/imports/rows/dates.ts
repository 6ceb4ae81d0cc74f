import { serialDayStart } from '../../files/serialDays.ts'
import { type Cell, displayText, isNumeric } from '../formats/sheet.ts'
import { cellFault, type CellReading } from './cellReading.ts'

const dayNotations = 'write it like 12/31/2025, 2025-12-31 or 20251231'
/** A number of days as a spreadsheet stores it where its format does not show a date. */
const serial = /^\d{5}(?:\.\d+)?$/

/** Epoch seconds of a UTC midnight; null for a day that does not exist. */
const utcMidnight = (year: number, month: number, day: number): number | null => {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() / 1000 : null
}
const checkRange = (seconds: number | null): CellReading => {
  if (seconds === null) return cellFault('is a day that no calendar has')
  return seconds <= 0 || seconds > 253_402_214_400
    ? cellFault('is before 1970 or after 9999')
    : String(seconds)
}

const fromSerial = (value: number): CellReading => checkRange(serialDayStart(value))

/** What texts were read as: files repeat their dates. Cleared when it holds more than 2,000. */
const dayCache = new Map<string, CellReading>()

/**
 * Reads a date as epoch seconds of its UTC midnight: M/D/YYYY, YYYY-MM-DD, YYYYMMDD and serial numbers, of
 * a workbook by its own day 0; a time of day is left out (imports 11).
 */
export function readDay(cell: Cell): CellReading {
  const text = displayText(cell)
  if (text === '') return null
  if (isNumeric(cell)) {
    if (cell.isDate) return fromSerial(Number(cell.number))
    if (cell.dayOffset && serial.test(text)) return fromSerial(Number(text) + cell.dayOffset)
  }
  const known = dayCache.get(text)
  if (known !== undefined) return known
  if (dayCache.size > 2000) dayCache.clear()
  const read = parseDay(text)
  dayCache.set(text, read)
  return read
}

function parseDay(text: string): CellReading {
  const date = text.replace(
    /(?:[T ]+)\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s*[AP]M)?(?:Z|[+-]\d{2}:?\d{2})?$/i,
    '',
  )
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(date)
  if (american) {
    const [, month, day, year] = american.map(Number)
    return month! > 12
      ? cellFault(`has the month ${month}; ${dayNotations}`)
      : checkRange(utcMidnight(year!, month!, day!))
  }
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(date) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(date)
  if (iso) {
    const [, year, month, day] = iso.map(Number)
    return checkRange(utcMidnight(year!, month!, day!))
  }
  if (serial.test(date)) return fromSerial(Number(date))
  return cellFault(`is not a date; ${dayNotations}`)
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const monthNumber = (name: string) => monthNames.indexOf(name.slice(0, 3).toLowerCase()) + 1

// Sources of regular expressions.
const nameGroup =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|' +
  'sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const gap = String.raw`[\s,._'/-]{0,3}`
const yearGroup = '((?:19|20)\\d{2})'
const monthGroup = '(0?[1-9]|1[0-2])'
const notWithinDate = ['(?<!\\d|\\d[-/_. ])', '(?!\\d|[-/_.]\\d)'] as const
type MonthNotation = [RegExp, (groups: string[]) => [year: string, month: number]]
/** A month by name and year, in either order. */
const namedMonths: MonthNotation[] = [
  [
    new RegExp(`(?<![a-z])${nameGroup}${gap}${yearGroup}(?!\\d)`, 'gi'),
    ([, name, year]) => [year!, monthNumber(name!)],
  ],
  [
    new RegExp(`(?<!\\d)${yearGroup}${gap}${nameGroup}(?![a-z])`, 'gi'),
    ([, year, name]) => [year!, monthNumber(name!)],
  ],
]
/** A month by number and year, in either order; never part of a longer number or date. */
const numberedMonths: MonthNotation[] = [
  [
    new RegExp(`${notWithinDate[0]}${yearGroup}[-/_. ]?${monthGroup}${notWithinDate[1]}`, 'gi'),
    ([, year, month]) => [year!, Number(month)],
  ],
  [
    new RegExp(`${notWithinDate[0]}${monthGroup}[-/_. ]?${yearGroup}${notWithinDate[1]}`, 'gi'),
    ([, month, year]) => [year!, Number(month)],
  ],
]
const withoutMatches = (text: string, notations: MonthNotation[]) =>
  notations.reduce((rest, [notation]) => rest.replace(notation, ' '), text)
const isoMonth = (year: string | number, month: number) => `${year}-${String(month).padStart(2, '0')}-01`
const monthOfSeconds = (seconds: number) => {
  const date = new Date(seconds * 1000)
  return isoMonth(date.getUTCFullYear(), date.getUTCMonth() + 1)
}
const daySpan = /(\d{1,2}\/\d{1,2}\/\d{4})\s*(?:-|–|to|through|thru)\s*(\d{1,2}\/\d{1,2}\/\d{4})/gi

const monthOfDay = (text: string): string | null => {
  const day = readDay(text)
  return typeof day === 'string' ? monthOfSeconds(Number(day)) : null
}

/**
 * The months that a text names, as ISO first days, each once. A single date names none, a span of days within
 * one month does (imports 28).
 */
export function findMonths(text: string): string[] {
  const found = new Set<string>()
  for (const [, from, to] of text.matchAll(daySpan)) {
    const month = monthOfDay(from!)
    if (month && month === monthOfDay(to!)) found.add(month)
  }
  const rest = text.replace(daySpan, ' ')
  const take = (within: string, notations: MonthNotation[]) => {
    for (const [notation, read] of notations)
      for (const match of within.matchAll(notation)) found.add(isoMonth(...read([...match])))
  }
  take(rest, namedMonths)
  // The year of 'Oct2026 1' is taken, so that '2026 1' is no month beside it.
  take(withoutMatches(rest, namedMonths), numberedMonths)
  return [...found]
}
/** The text without the months that it names. */
export const removeMonths = (text: string) =>
  withoutMatches(text.replace(daySpan, ' '), [...namedMonths, ...numberedMonths])

/**
 * Reads a month as its ISO first day: 'May 2025', 2025-05, 05/2025, or any date of the month (imports 11).
 */
export function readMonth(cell: Cell): CellReading {
  const text = displayText(cell)
  if (text === '') return null
  const isDate =
    (cell !== null && typeof cell === 'object') ||
    /^\d{1,2}\/\d{1,2}\/\d{4}|^\d{4}-\d{1,2}-\d{1,2}|^\d{8}$/.test(text)
  const day = isDate ? readDay(cell) : null
  if (typeof day === 'string') return monthOfSeconds(Number(day))
  const [month, ...others] = findMonths(text)
  return month && others.length === 0 ? month : cellFault('is not a month; write it like May 2025 or 2025-05')
}
