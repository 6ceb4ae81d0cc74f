import { monthCalls } from '../../schemas/api/months/months.ts'
import type { Db } from '../db/db.ts'
import { inLargeTransaction } from '../db/largeWork.ts'
import type { Handlers } from '../http/call.ts'
import { dismissMissing, readMissing } from '../money/variance/missing.ts'
import { readRecovered } from '../money/variance/recovered.ts'
import { readVariance } from '../money/variance/variance.ts'
import { monthParam } from './handlers.ts'

/** The calls of variance and missing income. A month that is none answers 404. */
export const varianceHandlers = (db: Db): Handlers['variance'] => ({
  compare: ({ params, query }) =>
    inLargeTransaction(db, (tx) => readVariance(tx, { ...query, month: monthParam(params) })),

  async missing({ caller, params, query }) {
    const found = await inLargeTransaction(db, (tx) =>
      readMissing(tx, { ...query, month: monthParam(params) }),
    )
    return { ...found, candismiss: monthCalls.waive.allow(caller) }
  },

  recovered: ({ params, query }) => readRecovered(db, { ...query, month: monthParam(params) }),

  dismiss: ({ caller, address, params, body }) =>
    db.transaction((tx) =>
      dismissMissing(tx, { ...body, month: monthParam(params), username: caller.username, address }),
    ),
})
