import { monthCalls } from '../../schemas/api/months/months.ts'
import { inLargeTransaction } from '../db/largeWork.ts'
import type { Handlers } from '../http/call.ts'
import { monthParam } from '../money/months.ts'
import { dismissMissing, readMissing } from '../money/variance/missing.ts'
import { missingWindow } from '../money/variance/missingSql.ts'
import { refreshPresence } from '../money/variance/presence.ts'
import { readRecovered } from '../money/variance/recovered.ts'
import { comparedMonth, earlierMonth, readVariance } from '../money/variance/variance.ts'
import { sendMissingFile, sendVarianceFile, type FileSettings } from './file.ts'

/** The calls of variance and missing income. An invalid month answers 404. */
export const varianceHandlers = ({ db, ...settings }: FileSettings): Handlers['variance'] => ({
  compare: ({ params, query }) =>
    inLargeTransaction(db, (tx) => readVariance(tx, { ...query, month: monthParam(params) })),

  compareFile(call) {
    const month = monthParam(call.params)
    const earlier = comparedMonth(month, call.query.against)
    return sendVarianceFile({ db, ...settings }, call, { month, earlier })
  },

  async missingFile(call) {
    const month = monthParam(call.params)
    await refreshPresence(db, earlierMonth(month, missingWindow - 1), month)
    return sendMissingFile({ db, ...settings }, call, month)
  },

  async missing({ caller, params, query }) {
    const month = monthParam(params)
    await refreshPresence(db, earlierMonth(month, missingWindow - 1), month)
    const found = await inLargeTransaction(db, (tx) => readMissing(tx, { ...query, month }))
    return { ...found, candismiss: monthCalls.waive.allow(caller) }
  },

  recovered: ({ params, query }) => readRecovered(db, { ...query, month: monthParam(params) }),

  dismiss: ({ caller, address, params, body }) =>
    db.transaction((tx) =>
      dismissMissing(tx, { ...body, month: monthParam(params), username: caller.username, address }),
    ),
})
