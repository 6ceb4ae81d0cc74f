/** The days from 2025 to 2027 on which the Federal Reserve is closed, as it publishes them. */
const closed = new Set([
  '2025-01-01',
  '2025-01-20',
  '2025-02-17',
  '2025-05-26',
  '2025-06-19',
  '2025-07-04',
  '2025-09-01',
  '2025-10-13',
  '2025-11-11',
  '2025-11-27',
  '2025-12-25',
  '2026-01-01',
  '2026-01-19',
  '2026-02-16',
  '2026-05-25',
  '2026-06-19',
  '2026-07-04',
  '2026-09-07',
  '2026-10-12',
  '2026-11-11',
  '2026-11-26',
  '2026-12-25',
  '2027-01-01',
  '2027-01-18',
  '2027-02-15',
])

/** The ISO day that is `days` after another. */
export const dayAfter = (day: string, days = 1): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

const settles = (day: string) =>
  ![0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay()) && !closed.has(day)

/** The bank day that is `count` bank days after an ISO day of 2025 to 2027. */
export function bankDayAfter(day: string, count = 1): string {
  let at = day
  for (let left = count; left > 0;) {
    at = dayAfter(at)
    if (settles(at)) left -= 1
  }
  return at
}
