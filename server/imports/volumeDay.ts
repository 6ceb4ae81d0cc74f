import { isIsoDay, msInDay } from '../../schemas/dates.ts'
import { HttpError } from '../http/errors.ts'

/** Converts an instant to the date and time that clocks in the zone show then, as if they were UTC. */
const clockOf = (timeZone: string) => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return (instant: number): number => {
    const parts = format.formatToParts(instant)
    const valueOf = (type: string) => Number(parts.find((part) => part.type === type)!.value)
    return Date.UTC(
      valueOf('year'),
      valueOf('month') - 1,
      valueOf('day'),
      valueOf('hour'),
      valueOf('minute'),
      valueOf('second'),
    )
  }
}

/** The day that begins with the midnight of the zone nearest to an instant; of two as near, the earlier. */
function nearestDay(instant: number, timeZone: string): string {
  const clock = clockOf(timeZone)
  const instantOf = (shown: number) => {
    const guess = shown - (clock(shown) - shown)
    // The clocks may have been changed between the two.
    return guess - (clock(guess) - shown)
  }
  const distance = (midnight: number) => Math.abs(instantOf(midnight) - instant)
  const before = Math.floor(clock(instant) / msInDay) * msInDay
  const after = before + msInDay
  return new Date(distance(after) < distance(before) ? after : before).toISOString().slice(0, 10)
}

const isCalendarDay = (day: string): boolean => isIsoDay(day) && day >= '1970'

/**
 * The ISO day that a daily volume is stored for (imports 30): `day`, 'YYYY-MM-DD', which rules; without it
 * the day of the portal whose midnight is nearest to `date`, the epoch seconds of the sender's midnight.
 * Throws HttpError 400 without either, and when the one that counts is no day from 1970 to 9999.
 */
export function volumeDayOf(
  { day, date }: { day?: string | undefined; date?: string | undefined },
  timeZone: string,
): string {
  const invalidDate = (message: string) => new HttpError(400, message, { fields: { date: message } })
  if (day) {
    if (!isCalendarDay(day)) throw invalidDate('Day must be a day from 1970 to 9999 written like 2025-12-31')
    return day
  }
  if (!date) throw invalidDate('Date is required')
  const nearest = /^\d{1,12}$/.test(date) && Number(date) > 0 ? nearestDay(Number(date) * 1000, timeZone) : ''
  if (!isCalendarDay(nearest)) throw invalidDate('Date must be the epoch seconds of a midnight')
  return nearest
}
