import { msInDay } from '../../schemas/dates.ts'

/** The calendar day of an instant in a time zone, ISO. */
export function dayInZone(timeZone: string, now: Date): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(now)
  const part = (type: string) => parts.find((found) => found.type === type)!.value
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`
}

const utcDate = (year: number, month: number, date: number) => new Date(Date.UTC(year, month - 1, date))
const isoDay = (at: Date) => at.toISOString().slice(0, 10)

/** The nth weekday (0 is Sunday) of a month. */
const nthWeekday = (year: number, month: number, weekday: number, n: number) => {
  const first = utcDate(year, month, 1).getUTCDay()
  return utcDate(year, month, 1 + ((weekday - first + 7) % 7) + (n - 1) * 7)
}
const lastMonday = (year: number, month: number) => {
  const last = new Date(Date.UTC(year, month, 0))
  return utcDate(year, month, last.getUTCDate() - ((last.getUTCDay() + 6) % 7))
}

/**
 * The holidays of the Federal Reserve, ISO, sorted; one on a Sunday moves to the Monday after (payouts 6).
 */
export function bankHolidays(year: number): string[] {
  const fixed = [
    utcDate(year, 1, 1),
    utcDate(year, 6, 19),
    utcDate(year, 7, 4),
    utcDate(year, 11, 11),
    utcDate(year, 12, 25),
  ]
  const moving = [
    nthWeekday(year, 1, 1, 3),
    nthWeekday(year, 2, 1, 3),
    lastMonday(year, 5),
    nthWeekday(year, 9, 1, 1),
    nthWeekday(year, 10, 1, 2),
    nthWeekday(year, 11, 4, 4),
  ]
  return [...fixed.map((at) => (at.getUTCDay() === 0 ? new Date(at.getTime() + msInDay) : at)), ...moving]
    .map(isoDay)
    .sort()
}

/** Whether banks settle on this day, ISO (payouts 6). */
export function isBankDay(day: string): boolean {
  const at = new Date(`${day}T00:00:00Z`)
  return ![0, 6].includes(at.getUTCDay()) && !bankHolidays(at.getUTCFullYear()).includes(day)
}

/** The first day after `after` on which banks settle, both ISO (payouts 6). */
export function nextBankDay(after: string): string {
  for (let at = Date.parse(`${after}T00:00:00Z`) + msInDay; ; at += msInDay) {
    const next = isoDay(new Date(at))
    if (isBankDay(next)) return next
  }
}

/** The `count`th bank day after a day, both ISO. */
export const addBankDays = (day: string, count: number): string =>
  count === 0 ? day : addBankDays(nextBankDay(day), count - 1)
