import type { MonthState, MonthSummary } from '../../schemas/api/months/months.ts'
import type { Sql } from '../db/db.ts'
import { addBankDays, dayInZone } from '../money/bankDays.ts'
import { readMonthRun } from './approval.ts'

/** Bank days after which a payment that did not come back counts as settled. */
const settledAfter = 5

type MonthRow = {
  month: string
  version: number
  islocked: boolean
  isnewest: boolean
  released: number
  effective: string | null
}

const monthRows = `
  select m.month::text as month, coalesce(l.version, v.version, 0) as version, l.id is not null as islocked,
    l.id is not null and not exists (select from month_lock n where n.month > m.month) as isnewest,
    coalesce(r.released, 0) as released, r.effective::text as effective
  from (select month from month_with_data
      union select date_trunc('month', now())::date
      union select p.month from (select (date_trunc('month', now()) - interval '1 month')::date as month) p
        where not exists (select from month_lock n where n.month > p.month and n.reopened_at is null)
      union select (date_trunc('month', now()) + interval '1 month')::date) m
    left join month_lock l on l.month = m.month and l.reopened_at is null
    left join (select month, max(version) as version from month_lock group by month) v on v.month = m.month
    left join (select lockid, count(*) as released, max(effective) as effective from payout_release
      group by lockid) r on r.lockid = l.id
  where $1::date is null or m.month = $1
  order by m.month desc`

export type StateOptions = { secret: Buffer; fourEyes: boolean; timeZone: string; now: Date }

/** `released` counts the releases of the lock, `effective` is the newest day of theirs that is known. */
type LockFacts = { isapproved: boolean; released: number; effective: string | null }

/** The state of a locked month on an ISO day (months 2). */
export const stateOfLock = ({ isapproved, released, effective }: LockFacts, today: string): MonthState =>
  isapproved
    ? 'approved'
    : released === 0
      ? 'locked'
      : effective === null || addBankDays(effective, settledAfter) <= today
        ? 'settled'
        : 'released'

/**
 * The month that is worked on, an ISO first day: the oldest with files after the newest lock, else the
 * current one (cockpit 1).
 */
export async function readWorkMonth(sql: Sql): Promise<string> {
  const [work] = await sql.query<{ month: string }>(
    `select coalesce(
        (select min(month) from residual where month > coalesce(
          (select max(month) from month_lock where reopened_at is null), '-infinity')),
        date_trunc('month', now())::date)::text as month`,
  )
  return work!.month
}

/**
 * Every month that holds data, the current and the next one, newest first, and the one before the current
 * unless a later one is locked; or one month, which may hold nothing. `month` is an ISO first day, here and
 * in the answer.
 */
export async function readMonthStates(
  sql: Sql,
  options: StateOptions,
  month: string | null = null,
): Promise<MonthSummary[]> {
  const today = dayInZone(options.timeZone, options.now)
  const rows = await sql.query<MonthRow>(monthRows, [month])
  return Promise.all(
    rows.map(async ({ isnewest, islocked, released, effective, ...row }) => {
      if (!islocked) return { ...row, state: 'open' }
      const isapproved = isnewest && (await isApproved(sql, row.month, options))
      return { ...row, state: stateOfLock({ isapproved, released, effective }, today) }
    }),
  )
}

const isApproved = async (sql: Sql, month: string, { secret, fourEyes }: StateOptions) =>
  (await readMonthRun(sql, month, { secret, viewer: null, fourEyes })).approval !== null
