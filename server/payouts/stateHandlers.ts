import { pageSizes } from '../../schemas/constants.ts'
import { seesOpenMonths } from '../../schemas/screenRules.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/db.ts'
import { inLargeTransaction, inTwoTransactions } from '../db/largeWork.ts'
import type { Handlers } from '../http/call.ts'
import { lockMonth, reopenMonth, waiveFindings } from '../money/lock.ts'
import { lockReply, reopenedLockReply } from '../money/lockReply.ts'
import { currentLock, monthActionOf, monthParam } from '../money/months.ts'
import { readMonthTrend } from '../money/monthTrend.ts'
import { readDifferences, takeOver } from '../money/reopening/differences.ts'
import { refreshPresence } from '../money/variance/presence.ts'
import { readMonthDetail } from './monthDetail.ts'
import { readMonthStates, readWorkMonth } from './monthStates.ts'

/** The calls that show a month, lock it and reopen it (months). */
export const stateHandlers = (db: Db, config: Config, secret: Buffer) => {
  /** `scope` is that of readMonthDetail. */
  const readDetail = async (month: string, scope: readonly number[] | null) => {
    // The checklist of an open month asks who is in no file of it; a lock keeps the answer.
    const isChecked = scope === null && !(await currentLock(db, month))
    if (isChecked) await refreshPresence(db, month, month)
    const asked = { ...config, secret, now: new Date(), month, scope }
    return isChecked
      ? inTwoTransactions(db, (tx, second) => readMonthDetail(tx, asked, second))
      : inLargeTransaction(db, (tx) => readMonthDetail(tx, asked))
  }
  return {
    /** Callers who see a branch alone get the locked months only. */
    async list({ caller }) {
      const states = await readMonthStates(db, { ...config, secret, now: new Date() })
      const seesOpen = seesOpenMonths(caller)
      const shown = seesOpen ? states : states.filter((it) => it.state !== 'open')
      const work = seesOpen ? await readWorkMonth(db) : (shown[0]?.month ?? null)
      return {
        data: shown.map(({ month, state, version }) => ({ month: month.slice(0, 7), state, version })),
        work: work && work.slice(0, 7),
      }
    },

    detail: ({ caller, params }) =>
      readDetail(monthParam(params), seesOpenMonths(caller) ? null : caller.scope),

    /** Answers the month with the findings as they are waived now. */
    async waive(call) {
      const action = monthActionOf(call)
      const { month } = action
      await refreshPresence(db, month, month)
      await inLargeTransaction(db, (tx) => waiveFindings(tx, config.timeZone, { ...call.body, ...action }))
      return readDetail(month, null)
    },

    lock: async (call) => lockReply(await lockMonth(db, { ...call.body, ...monthActionOf(call) })),

    async reopen(call) {
      const lock = await reopenMonth(db, { ...monthActionOf(call), reason: call.body.reason })
      return reopenedLockReply(db, lock)
    },

    trend: async ({ params }) => ({
      data: await readMonthTrend(db, monthParam(params), config.timeZone),
    }),

    differences: ({ params, query }) => readDifferences(db, monthParam(params), query),

    /** Answers the differences that are left. */
    takeover: (call) =>
      db.transaction(async (tx) => {
        const action = monthActionOf(call)
        const { chain, scope } = call.caller
        await takeOver(tx, { ...call.body, ...action, chain, isOfBranch: scope !== null })
        return readDifferences(tx, action.month, { kind: '', page: 1, size: pageSizes[3] })
      }),
  } satisfies Partial<Handlers['months']>
}
