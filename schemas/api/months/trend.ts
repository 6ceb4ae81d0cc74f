import { seesOpenMonths } from '../../screenRules.ts'
import { arrayOf, integer, integerOrNull, number, objectOf, string, type ShapeOf } from '../../shapes.ts'
import type { Endpoint } from '../endpoint.ts'

/** So many months are compared, the chosen one included (cockpit 7). */
export const trendMonths = 24

const trendMonth = objectOf({
  /** '2026-10'. */
  month: string,
  /** Dollars. */
  net: number,
  /** The sales of the files, in dollars. */
  volume: number,
  /** MIDs of the files that are in the portfolio. */
  accounts: integer,
  /** Days from the last day of the month to the lock in force; null while it is open. */
  lockedafter: integerOrNull,
  /** Days from the last day of the month to the first release; null when none is known. */
  releasedafter: integerOrNull,
})
/** One month of those before and up to the chosen one. */
export type TrendMonth = ShapeOf<typeof trendMonth>

export const trendCalls = {
  /** Oldest first; months that hold nothing are left out. */
  trend: {
    route: 'GET /api/v1/month/:month/trend',
    task: 'get months before',
    allow: seesOpenMonths,
    quiet: true,
    reply: objectOf({ data: arrayOf(trendMonth) }),
    slow: true,
  },
} as const satisfies Record<string, Endpoint>
