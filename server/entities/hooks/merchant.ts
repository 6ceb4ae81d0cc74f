import { inactiveStatus } from '../../../schemas/entities/merchant.ts'
import type { Tx } from '../../db/db.ts'
import { todaySql } from '../../db/today.ts'
import { HttpError } from '../../http/errors.ts'
import { blockMonthLocksOf, syncLateMids } from '../../money/late/lateMids.ts'
import { refusalOfDelete } from '../merchantUse.ts'
import type { EntityHooks, EntityWrite, RecordDeletion } from './hook.ts'

const syncOne = ({ tx, caller: { username }, address, row }: RecordDeletion) =>
  syncLateMids(tx, { username, address }, [String(row.xmid)])

/** What decides what a late MID pays, and to whom, of the fields that a stored merchant's form changes. */
const lateFields = ['masteragentid', 'date_closed']

/** Takes what a file of TIN results said of the MID, unless a status is typed. */
async function takeTinStatus(tx: Tx, body: EntityWrite['body']) {
  const [checked] = await tx.prepared<{ tinstatus: string; description: string }>(
    'select tinstatus, description from tin_validation where xmid = $1',
    [body.xmid],
  )
  if (!checked) return
  body.tinstatus = checked.tinstatus
  body.tinstatusdescription ||= checked.description
}

export const merchant: EntityHooks = {
  read: {
    latemonths: `(select count(distinct (j.latemonth, j.lateprocessor)) from adjustment j
      where j.latexmid = t.xmid)`,
  },
  /**
   * Gives a new merchant the TIN status that a file brought before it (imports 33), and stamps Date Closed of
   * one that becomes Inactive without it (merchants 8).
   */
  async beforeWrite({ tx, body, row }) {
    if (!row && !body.tinstatus) await takeTinStatus(tx, body)
    if (body.accountstatus !== inactiveStatus) return
    const date = 'date_closed' in body ? body.date_closed : row?.date_closed
    if (date) return
    const [now] = await tx.query<{ today: number }>(`select ${todaySql} as today`)
    body.date_closed = now!.today
  },
  /** Refuses to delete a merchant with open income and other traces (merchants 9). */
  async beforeDelete({ tx, row }) {
    const refusal = await refusalOfDelete(tx, row.id)
    if (refusal) throw new HttpError(409, `This merchant cannot be deleted: ${refusal}`)
  },
  /** Proposes what a MID that was unknown at a lock would have brought (money 21). */
  async afterWrite({ tx, caller: { username }, address, body, row }) {
    if (row && !lateFields.some((field) => field in body)) return
    const xmid = String(row?.xmid ?? body.xmid)
    if (!row) await blockMonthLocksOf(tx, 'select $1::text', [xmid])
    await syncLateMids(tx, { username, address }, [xmid])
  },
  afterDelete: syncOne,
  async afterRestore(write) {
    await blockMonthLocksOf(write.tx, 'select $1::text', [String(write.row.xmid)])
    await syncOne(write)
  },
}
