import type { Lock } from '../../../schemas/api/reports.ts'
import type { Sql } from '../../db/db.ts'
import { type MonthLock, monthName, months } from '../../money/months.ts'
import type { Input } from './inputs.ts'

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

/** A month, newest first; given to the report as its ISO first day. `locked`: only a locked month will do, whoever asks. */
const monthOf = (datatype: 'Query' | 'Query3', locked: boolean): Input<string> => ({
  displayname: 'Month',
  datatype,
  isrequired: true,
  offers: async ({ sql, lockedOnly }) =>
    (await months(sql))
      .filter(({ state }) => state === 'Locked' || !(locked || lockedOnly))
      .map(({ month, state }) => ({
        id: monthOnWire(month),
        displayname: monthName(month),
        ...(datatype === 'Query3' && { state }),
      })),
  read: (sent) => `${sent}-01`,
  told: monthOnWire,
})

/** The month of a report about money: its state is shown, and it can be locked. */
export const month = monthOf('Query3', false)
export const lockedMonth = monthOf('Query3', true)
/** The month of a report that has nothing to do with its lock. */
export const plainMonth = monthOf('Query', false)
