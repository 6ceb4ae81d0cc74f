import { shown, type Cell } from './book.ts'
import type { Read } from './amounts.ts'

const fault = (sentence: string) => ({ fault: sentence })
const notations = 'write it like 12/31/2025, 2025-12-31 or 20251231'
const secondsInDay = 86_400
/** Serial 25569 is 1970-01-01; serials count a 29 February 1900 that never was, which is long before that. */
const epochSerial = 25_569

/** Epoch seconds of a UTC midnight; null for a day that no calendar has. */
export const midnight = (year: number, month: number, day: number): number | null => {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() / 1000 : null
}
const checked = (seconds: number | null): Read => {
  if (seconds === null) return fault('is a day that no calendar has')
  return seconds <= 0 || seconds > 253_402_214_400 ? fault('is before 1970 or after 9999') : String(seconds)
}

const serial = (value: number): Read => checked((Math.floor(value) - epochSerial) * secondsInDay)

/** Files repeat their dates; so many of the last texts are remembered. */
const remembered = new Map<string, Read>()

/** M/D/YYYY, YYYY-MM-DD, YYYYMMDD and the serials of a spreadsheet; a time of day is left out. */
export function readDay(cell: Cell): Read {
  const text = shown(cell)
  if (text === '') return null
  if (cell !== null && typeof cell === 'object' && 'number' in cell && cell.day) return serial(Number(cell.number))
  const known = remembered.get(text)
  if (known !== undefined) return known
  if (remembered.size > 2000) remembered.clear()
  const read = readNotation(text)
  remembered.set(text, read)
  return read
}

function readNotation(text: string): Read {
  const bare = text.replace(/(?:[T ]+)\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s*[AP]M)?(?:Z|[+-]\d{2}:?\d{2})?$/i, '')
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(bare)
  if (american) {
    const [, month, day, year] = american.map(Number)
    return month! > 12 ? fault(`has the month ${month}; ${notations}`) : checked(midnight(year!, month!, day!))
  }
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(bare) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(bare)
  if (iso) {
    const [, year, month, day] = iso.map(Number)
    return checked(midnight(year!, month!, day!))
  }
  if (/^\d{5}(\.\d+)?$/.test(bare)) return serial(Number(bare))
  return fault(`is not a date; ${notations}`)
}
