import type { Sql } from '../db.ts'
import type { MonthLock } from '../months.ts'
import type { Lock } from '../../schemas/reports.ts'

/** '2026-10' of the server's '2026-10-01'. */
export const monthOnWire = (month: string) => month.slice(0, 7)

export const lockOnWire = ({ month, version, hash, username, locked_at }: MonthLock): Lock => ({
  month: monthOnWire(month),
  version,
  hash,
  username,
  lockedat: Math.floor(locked_at.getTime() / 1000),
})

/** A lock that was reopened, with who did it, when and why. */
export async function reopenedOnWire(sql: Sql, lock: MonthLock): Promise<Lock> {
  const [known] = await sql.query<{ reopenedat: number; reopenedby: string; reason: string }>(
    'select floor(extract(epoch from reopened_at))::bigint as reopenedat, reopened_by as reopenedby, reason from month_lock where id = $1',
    [lock.id],
  )
  return { ...lockOnWire(lock), ...known }
}
