/** A date field holds the epoch seconds of its UTC midnight, so a day is always this long. */
export const secondsInDay = 86_400
export const msInDay = secondsInDay * 1000

/** '2026-05-04' as '05/04/2026' and '2026-05' as '05/2026'; any other text unchanged (constants 5). */
export const formatUsDate = (day: string): string =>
  day.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$2/$3/$1').replace(/^(\d{4})-(\d\d)$/, '$2/$1')

/** Whether a text is a day that exists, written as '2026-10-31'; '2026-02-30' is none. */
export const isIsoDay = (text: string): boolean => {
  const midnight = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(text)
}

/** 'Oct 31, 2026, 5:04 PM' in a time zone of an instant, a Date or epoch milliseconds. */
export const formatDateTime = (instant: Date | number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(instant)
