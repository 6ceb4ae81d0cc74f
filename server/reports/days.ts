/** The calendar day of an instant in a time zone, ISO. */
export function dayIn(timeZone: string, now: Date): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).formatToParts(now)
  const of = (type: string) => parts.find((part) => part.type === type)!.value
  return `${of('year').padStart(4, '0')}-${of('month')}-${of('day')}`
}

/** SQL: epoch seconds of the UTC midnight of a date. */
export const seconds = (day: string) => `extract(epoch from (${day})::date::timestamp)::bigint`
