import type { Tx } from '../../db/db.ts'
import { HttpError } from '../../http/errors.ts'
import { blockMonthLock, closedMessage, closingLock } from '../../money/months.ts'

/**
 * Throws an HttpError (409) when one of the months ('2026-10') is locked or comes before one that is (months
 * 3), or while it is being locked (months 13). Otherwise it is not locked until the transaction ends. `rule`
 * ends the message.
 */
export async function refuseClosedMonths(tx: Tx, rule: string, ...months: unknown[]): Promise<void> {
  const firstDays = months.filter((month) => typeof month === 'string').map((month) => `${month}-01`)
  for (const month of firstDays) {
    await blockMonthLock(tx, month, 'month')
    const lock = await closingLock(tx, month)
    const message = lock && `${closedMessage(month, lock)}. ${rule}`
    if (message) throw new HttpError(409, message, { code: 'locked', fields: { month: message } })
  }
}
