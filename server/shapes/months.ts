import type { Tx } from '../db.ts'
import { Refusal } from '../errors.ts'
import { closedBy, closedSentence, holdMonths } from '../months.ts'

/** Throws a Refusal (409) when one of the months ('2026-10') is locked, or comes before one that is; else nobody locks them until the transaction ends. */
export async function refuseClosed(tx: Tx, rule: string, ...months: unknown[]): Promise<void> {
  await holdMonths(tx)
  for (const month of months.filter((month) => typeof month === 'string').map((month) => `${month}-01`)) {
    const lock = await closedBy(tx, month)
    const message = lock && `${closedSentence(month, lock)}. ${rule}`
    if (message) throw new Refusal(409, message, { code: 'locked', fields: { month: message } })
  }
}
