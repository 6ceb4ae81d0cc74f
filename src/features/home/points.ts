import type { ProfitDay } from '../../../schemas/api/home.ts'

/** One bar: `name` is the UTC day as MM-dd-yyyy, `value` its dollars. */
export type Point = { name: string; value: number }

/** MM-dd-yyyy of epoch seconds, in UTC (constants 5). */
export const formatReportDate = (seconds: number): string => {
  const [year, month, day] = new Date(seconds * 1000).toISOString().slice(0, 10).split('-')
  return `${month}-${day}-${year}`
}

/** Whether the day of a point, MM-dd-yyyy, is a Saturday or Sunday. */
export const isWeekend = ({ name }: Point): boolean => {
  const [month, day, year] = name.split('-').map(Number) as [number, number, number]
  return [0, 6].includes(new Date(Date.UTC(year, month - 1, day)).getUTCDay())
}

/** The bars from the oldest day to the newest; the server answers the newest first (shell 8). */
export const pointsOf = (days: readonly ProfitDay[]): Point[] =>
  days.map(({ processdate, amount }) => ({ name: formatReportDate(processdate), value: amount })).reverse()

/** '$1,234.50', '-$20.00' */
export const formatMoney = (amount: number): string =>
  amount.toLocaleString('en-US', { style: 'currency', currency: 'USD' })

/** '$12K', '$1.2M', short enough for an axis; with `digits`, for a label on a bar. */
export const formatCompactMoney = (
  amount: number,
  digits: Intl.NumberFormatOptions = { minimumFractionDigits: 0, maximumFractionDigits: 1 },
): string =>
  amount.toLocaleString('en-US', { style: 'currency', currency: 'USD', notation: 'compact', ...digits })
