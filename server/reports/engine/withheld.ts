import type { Sql } from '../../db/db.ts'
import { copiesOfLock, keepsClosingDates } from '../../money/copies/lockCopies.ts'
import type { MonthSource } from '../../money/monthSource.ts'

const payOff = ', and Pay on Inactive is off'

/**
 * The common table expression explained_line over `lines`, a relation of a MonthSource: its columns, and
 * `why`, why it pays nothing (money 9), null where nothing is withheld.
 */
export async function explainedLineCte(
  sql: Sql,
  { lock }: MonthSource,
  lines: 'pay_line' | 'withheld_line',
): Promise<string> {
  const isDateKept = !lock || keepsClosingDates(await copiesOfLock(sql, lock))
  const without = isDateKept ? 'Inactive without a closing date' : 'Inactive, closing date not kept'
  return `
  explained_line as (
    select p.*,
      case when p.withheld <> 0 then
        case when p.date_closed > 0
          then 'Closed on ' || to_char(to_timestamp(p.date_closed) at time zone 'UTC', 'MM/DD/YYYY')
          else '${without}' end || '${payOff}' end as why
    from ${lines} p)`
}

/**
 * SQL aggregate over lines `p` of explained_line of one processor, each of another merchant: the reason of
 * the only one, or how many there are.
 */
export const commonReasonSql = `
  case count(*) filter (where p.withheld <> 0) when 0 then null when 1 then max(p.why)
    else count(*) filter (where p.withheld <> 0) || ' inactive merchants${payOff}' end`
