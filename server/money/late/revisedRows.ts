import type { Tx } from '../../db/db.ts'
import { copiedAgentCte } from '../monthRecords.ts'
import type { ReopenedLock } from '../months.ts'
import { lateShares, type LateShare } from './lateShares.ts'

/** A late adjustment as it is stored; `isopen`: no lock closes its month. */
export type Stored = LateShare & { id: number; month: string; state: string; isopen: boolean }

type FileRow = Pick<LateShare, 'xmid' | 'processor'>
export const rowOf = ({ xmid, processor }: FileRow) => JSON.stringify([processor, xmid])

/**
 * What differs between two locks, $1 and $2: the rows of the MIDs in $3, also those that one of them lacks,
 * and the agents who earn otherwise by their rates, parents and Pay on Inactive, or by a flat amount a month.
 */
const changedRowsSql = `
  select xmid, processor from (
      select xmid, processor, net, txncount, sales from locked_merchant
      where lockid = $1 and not isknown and xmid = any ($3)) b
    full join (
      select xmid, processor, net, txncount, sales from locked_merchant
      where lockid = $2 and not isknown and xmid = any ($3)) n using (xmid, processor)
  where (b.net, b.txncount, b.sales) is distinct from (n.net, n.txncount, n.sales)`
const earning = (lock: string) => `
  select a.id, a.parentid, a.payoninactive, a.percent, a.flat,
    l.terms ->> 'amountBasis' = 'perAgentMonth' and exists (select from locked_pay p
      where p.lockid = l.id and p.masteragentid = a.id and p.fromagentid is null and p.flat <> 0) as hasflat
  from month_lock l join copied_agent a on true where l.id = ${lock}`
const changedAgentsSql = `
  with was as (with ${copiedAgentCte('$1')} ${earning('$1')}),
    now as (with ${copiedAgentCte('$2')} ${earning('$2')})
  select coalesce(b.id, n.id) as id from was b full join now n on n.id = b.id where b is distinct from n`

/**
 * What was accepted of a month and may be another sum by this version of it: the file has another row, or the
 * copies hold that an agent earns otherwise whom it pays or would pay. The merchant is not asked: one that
 * was moved or closed since changes nothing of what was accepted.
 */
export async function revisedRows(tx: Tx, lock: ReopenedLock, stored: readonly Stored[]) {
  const accepted = stored.filter(({ state, isopen }) => state === 'accepted' && isopen)
  if (accepted.length === 0) return []
  const [before] = await tx.query<{ id: number }>(
    'select id from month_lock where month = $1 and version = $2',
    [lock.month, lock.version - 1],
  )
  if (!before) return []
  const mids = [...new Set(accepted.map(({ xmid }) => xmid))]
  const rows = await tx.query<FileRow>(changedRowsSql, [before.id, lock.id, mids])
  const agents = await tx.query<{ id: number }>(changedAgentsSql, [before.id, lock.id])
  const ids = new Set(agents.map(({ id }) => id))
  const paid = [...accepted, ...(ids.size > 0 ? await lateShares(tx, lock, []) : [])]
  const changed = new Set([...rows, ...paid.filter((it) => ids.has(it.masteragentid))].map(rowOf))
  return accepted.filter((it) => changed.has(rowOf(it)))
}
