import { DateTime } from 'luxon'

/** `count` months as '2026-10', newest first, beginning `after` months after the current one. */
export const recentMonths = (count: number, after: number): string[] => {
  const newest = DateTime.now().startOf('month').plus({ months: after })
  return Array.from({ length: count }, (_, back) => newest.minus({ months: back }).toFormat('yyyy-MM'))
}
