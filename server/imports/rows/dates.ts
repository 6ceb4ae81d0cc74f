import { type Cell, displayText } from '../formats/sheet.ts'
import type { CellReading } from './amounts.ts'

const cellFault = (sentence: string) => ({ fault: sentence })
const dayNotations = 'write it like 12/31/2025, 2025-12-31 or 20251231'
const secondsInDay = 86_400
/** Serial 25569 is 1970-01-01; serials count a 29 February 1900 that never was, which is long before that. */
const epochSerial = 25_569

/** Epoch seconds of a UTC midnight; null for a day that no calendar has. */
export const utcMidnight = (year: number, month: number, day: number): number | null => {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() / 1000 : null
}
const checkRange = (seconds: number | null): CellReading => {
  if (seconds === null) return cellFault('is a day that no calendar has')
  return seconds <= 0 || seconds > 253_402_214_400
    ? cellFault('is before 1970 or after 9999')
    : String(seconds)
}

const fromSerial = (value: number): CellReading =>
  checkRange((Math.floor(value) - epochSerial) * secondsInDay)

/** Files repeat their dates; so many of the last texts are remembered. */
const dayCache = new Map<string, CellReading>()

/** M/D/YYYY, YYYY-MM-DD, YYYYMMDD and the serials of a spreadsheet; a time of day is left out. */
export function readDay(cell: Cell): CellReading {
  const text = displayText(cell)
  if (text === '') return null
  if (cell !== null && typeof cell === 'object' && 'number' in cell && cell.isDate)
    return fromSerial(Number(cell.number))
  const known = dayCache.get(text)
  if (known !== undefined) return known
  if (dayCache.size > 2000) dayCache.clear()
  const read = parseDay(text)
  dayCache.set(text, read)
  return read
}

function parseDay(text: string): CellReading {
  const bare = text.replace(
    /(?:[T ]+)\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s*[AP]M)?(?:Z|[+-]\d{2}:?\d{2})?$/i,
    '',
  )
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(bare)
  if (american) {
    const [, month, day, year] = american.map(Number)
    return month! > 12
      ? cellFault(`has the month ${month}; ${dayNotations}`)
      : checkRange(utcMidnight(year!, month!, day!))
  }
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(bare) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(bare)
  if (iso) {
    const [, year, month, day] = iso.map(Number)
    return checkRange(utcMidnight(year!, month!, day!))
  }
  if (/^\d{5}(\.\d+)?$/.test(bare)) return fromSerial(Number(bare))
  return cellFault(`is not a date; ${dayNotations}`)
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const name =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const between = String.raw`[\s,._'/-]{0,3}`
const year = '((?:19|20)\\d{2})'
const month = '(0?[1-9]|1[0-2])'
/** A month by name and year, or by year and number either way round; part of a longer number or date it is not. */
const monthNotations: [RegExp, (found: string[]) => [year: string, month: number]][] = [
  [
    new RegExp(`(?<![a-z])${name}${between}${year}(?!\\d)`, 'gi'),
    ([, word, of]) => [of!, monthNames.indexOf(word!.slice(0, 3).toLowerCase()) + 1],
  ],
  [
    new RegExp(`(?<!\\d)${year}${between}${name}(?![a-z])`, 'gi'),
    ([, of, word]) => [of!, monthNames.indexOf(word!.slice(0, 3).toLowerCase()) + 1],
  ],
  [
    new RegExp(`(?<!\\d|\\d[-/_. ])${year}[-/_. ]?${month}(?!\\d|[-/_.]\\d)`, 'gi'),
    ([, of, at]) => [of!, Number(at)],
  ],
  [
    new RegExp(`(?<!\\d|\\d[-/_. ])${month}[-/_. ]?${year}(?!\\d|[-/_.]\\d)`, 'gi'),
    ([, at, of]) => [of!, Number(at)],
  ],
]
const isoMonth = (of: string | number, at: number) => `${of}-${String(at).padStart(2, '0')}-01`
const daySpan = /(\d{1,2}\/\d{1,2}\/\d{4})\s*(?:-|–|to|through|thru)\s*(\d{1,2}\/\d{1,2}\/\d{4})/gi

const monthOfDay = (text: string): string | null => {
  const day = readDay(text)
  if (typeof day !== 'string') return null
  const date = new Date(Number(day) * 1000)
  return isoMonth(date.getUTCFullYear(), date.getUTCMonth() + 1)
}

/** The months a text names, as ISO first days, each once; a date alone names none, a span of days within a month does. */
export function findMonths(text: string): string[] {
  const found = new Set<string>()
  for (const [, from, to] of text.matchAll(daySpan)) {
    const month = monthOfDay(from!)
    if (month && month === monthOfDay(to!)) found.add(month)
  }
  const rest = text.replace(daySpan, ' ')
  for (const [notation, read] of monthNotations)
    for (const match of rest.matchAll(notation)) found.add(isoMonth(...read([...match])))
  return [...found]
}
/** The same text without its months. */
export const removeMonths = (text: string) =>
  monthNotations.reduce((rest, [notation]) => rest.replace(notation, ' '), text.replace(daySpan, ' '))

/** A cell of a Month column: 'May 2025', 2025-05, 05/2025, or any date of the month. */
export function readMonth(cell: Cell): CellReading {
  const text = displayText(cell)
  if (text === '') return null
  const isDate =
    (cell !== null && typeof cell === 'object') ||
    /^\d{1,2}\/\d{1,2}\/\d{4}|^\d{4}-\d{1,2}-\d{1,2}|^\d{8}$/.test(text)
  const day = isDate ? readDay(cell) : null
  if (typeof day === 'string') {
    const date = new Date(Number(day) * 1000)
    return isoMonth(date.getUTCFullYear(), date.getUTCMonth() + 1)
  }
  const [month, ...others] = findMonths(text)
  return month && others.length === 0 ? month : { fault: 'is not a month; write it like May 2025 or 2025-05' }
}
