/** The calendar day of an instant in a time zone, ISO. */
export function dayIn(timeZone: string, now: Date): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(now)
  const of = (type: string) => parts.find((part) => part.type === type)!.value
  return `${of('year').padStart(4, '0')}-${of('month')}-${of('day')}`
}

/** SQL: epoch seconds of the UTC midnight of a date. */
export const seconds = (day: string) => `extract(epoch from (${day})::date::timestamp)::bigint`

const day = (year: number, month: number, date: number) => new Date(Date.UTC(year, month - 1, date))
const iso = (at: Date) => at.toISOString().slice(0, 10)

/** The nth weekday (0 is Sunday) of a month. */
const nth = (year: number, month: number, weekday: number, n: number) => {
  const first = day(year, month, 1).getUTCDay()
  return day(year, month, 1 + ((weekday - first + 7) % 7) + (n - 1) * 7)
}
const lastMonday = (year: number, month: number) => {
  const last = new Date(Date.UTC(year, month, 0))
  return day(year, month, last.getUTCDate() - ((last.getUTCDay() + 6) % 7))
}

/** The holidays of the Federal Reserve, ISO; one that falls on a Sunday is kept on the Monday after. */
export function bankHolidays(year: number): string[] {
  const fixed = [day(year, 1, 1), day(year, 6, 19), day(year, 7, 4), day(year, 11, 11), day(year, 12, 25)]
  const moving = [
    nth(year, 1, 1, 3),
    nth(year, 2, 1, 3),
    lastMonday(year, 5),
    nth(year, 9, 1, 1),
    nth(year, 10, 1, 2),
    nth(year, 11, 4, 4),
  ]
  return [...fixed.map((at) => (at.getUTCDay() === 0 ? new Date(at.getTime() + 86_400_000) : at)), ...moving]
    .map(iso)
    .sort()
}

/** The first day after this one on which banks settle, ISO. */
export function nextBankDay(after: string): string {
  for (let at = Date.parse(`${after}T00:00:00Z`) + 86_400_000; ; at += 86_400_000) {
    const next = new Date(at)
    if (![0, 6].includes(next.getUTCDay()) && !bankHolidays(next.getUTCFullYear()).includes(iso(next)))
      return iso(next)
  }
}
