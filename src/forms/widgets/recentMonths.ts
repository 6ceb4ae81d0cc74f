import { DateTime } from 'luxon'

/** The months from this many after the current one back, as '2026-10', newest first. */
export const recentMonths = (count: number, after: number): string[] => {
  const newest = DateTime.now().startOf('month').plus({ months: after })
  return Array.from({ length: count }, (_, back) => newest.minus({ months: back }).toFormat('yyyy-MM'))
}
