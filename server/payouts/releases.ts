import { takesBankFiles, type MonthReleases, type PayoutRelease } from '../../schemas/api/months/months.ts'
import type { Config } from '../config/config.ts'
import type { Sql } from '../db/db.ts'
import type { Caller } from '../http/call.ts'
import { dayInZone } from '../money/bankDays.ts'
import { cannotReturn, earliestReturn } from './returns/returns.ts'

type ReleaseRow = Omit<PayoutRelease, 'cannotreturn'> & { earliest: string | null }

/** What was released of a month (an ISO first day), by all its versions. */
export async function readReleases(
  sql: Sql,
  month: string,
  caller: Caller,
  config: Pick<Config, 'ach' | 'timeZone'>,
): Promise<MonthReleases> {
  const rows = await sql.query<ReleaseRow>(
    `select r.id, l.version, r.how, r.effective::text as effective, r.username,
        floor(extract(epoch from r.at))::bigint as at, count(p.id) as payments,
        coalesce(sum(p.amount), 0) as total, count(b.paymentid) as returned,
        coalesce(sum(p.amount) filter (where b.paymentid is not null), 0) as returnedtotal, r.filename,
        case when a.id is not null then json_build_object('username', a.username,
          'at', floor(extract(epoch from a.at))::bigint) end as approval,
        ${earliestReturn('min(p.effective)')} as earliest
      from payout_release r join month_lock l on l.id = r.lockid
        left join payout_approval a on a.id = r.approvalid
        left join payout_payment p on p.releaseid = r.id
        left join payout_return b on b.paymentid = p.id
      where r.month = $1 group by r.id, l.version, a.id order by r.id`,
    [month],
  )
  const today = dayInZone(config.timeZone, new Date())
  const releases = rows.map(({ earliest, ...row }): PayoutRelease => ({
    ...row,
    cannotreturn: cannotReturn({ ...row, earliest }, today),
  }))
  const takesfiles = takesBankFiles(caller)
  return { month: month.slice(0, 7), releases, takesfiles, canfile: config.ach !== null && takesfiles }
}
