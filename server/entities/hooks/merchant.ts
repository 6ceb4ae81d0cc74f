import { inactiveStatus } from '../../../schemas/entities/merchant.ts'
import { todaySql } from '../../db/today.ts'
import { HttpError } from '../../http/errors.ts'
import { refusalOfDelete } from '../merchantUse.ts'
import type { EntityHooks } from './hook.ts'

export const merchant: EntityHooks = {
  /** Stamps Date Closed of a merchant that becomes Inactive without one (merchants 8). */
  async check({ tx, body, row }) {
    if (body.accountstatus !== inactiveStatus) return
    const date = 'date_closed' in body ? body.date_closed : row?.date_closed
    if (date) return
    const [now] = await tx.query<{ today: number }>(`select ${todaySql} as today`)
    body.date_closed = now!.today
  },
  /** Refuses to delete a merchant with open income and other traces (merchants 9). */
  async remove({ tx, row }) {
    const refusal = await refusalOfDelete(tx, row.id)
    if (refusal) throw new HttpError(409, `This merchant cannot be deleted: ${refusal}`)
  },
}
