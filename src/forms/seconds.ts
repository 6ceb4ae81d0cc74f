import { isIsoDay } from '../../schemas/dates.ts'

/** The UTC calendar day of epoch seconds as '2026-10-31'; '' for 0 and null (lists 10). */
export const dayOf = (seconds: number | null | undefined): string => {
  const date = new Date((seconds ?? 0) * 1000)
  return seconds && !Number.isNaN(date.getTime()) ? date.toISOString().slice(0, 10) : ''
}

/** Epoch seconds of the UTC midnight that begins an ISO day; null if the text is no existing day. */
export const secondsOf = (day: string): number | null =>
  isIsoDay(day) ? Date.parse(`${day}T00:00:00Z`) / 1000 : null
