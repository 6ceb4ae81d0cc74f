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
