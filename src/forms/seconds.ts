/** The calendar day of epoch seconds, in UTC whatever the browser's zone; 0 and null are no day (D10). */
export const dayOf = (seconds: number | null | undefined): string => {
  const date = new Date((seconds ?? 0) * 1000)
  return seconds && !Number.isNaN(date.getTime()) ? date.toISOString().slice(0, 10) : ''
}

/** Epoch seconds of the UTC midnight that begins an ISO day; null for an empty, half-typed or impossible one. */
export const secondsOf = (day: string): number | null => {
  const seconds = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) / 1000 : NaN
  const stays = !Number.isNaN(seconds) && new Date(seconds * 1000).toISOString().startsWith(day)
  return stays ? seconds : null
}
