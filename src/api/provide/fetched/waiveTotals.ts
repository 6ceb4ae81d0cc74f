import { monthCalls, singlyWaivedKind } from '../../../../schemas/api/months/months.ts'
import type { Call } from '../../http.ts'

/**
 * Waives each differing stated total with its reason, before the month is locked (months 10). Only the lock
 * shows a message.
 */
export async function waiveTotals(
  call: Call,
  month: string,
  stated: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  for (const [key, reason] of Object.entries(stated))
    await call(
      { ...monthCalls.waive, done: undefined },
      { params: { month }, body: { kind: singlyWaivedKind, key, reason }, signal },
    )
}
