import type { Lock } from '../../schemas/api/reports.ts'
import type { Sql } from '../db/db.ts'
import type { MonthLock } from './months.ts'

/** A lock as the API answers it; `lockedat` is epoch seconds. */
export const lockReply = ({ month, version, hash, username, locked_at }: MonthLock): Lock => ({
  month: month.slice(0, 7),
  version,
  hash,
  username,
  lockedat: Math.floor(locked_at.getTime() / 1000),
})

/** A lock that was reopened, with who reopened it, when (epoch seconds) and why. */
export async function reopenedLockReply(sql: Sql, lock: MonthLock): Promise<Lock> {
  const [reopening] = await sql.query<{ reopenedat: number; reopenedby: string; reason: string }>(
    `select floor(extract(epoch from reopened_at))::bigint as reopenedat, reopened_by as reopenedby, reason
      from month_lock where id = $1`,
    [lock.id],
  )
  return { ...lockReply(lock), ...reopening }
}
