import type { Sql } from '../../db/db.ts'
import { agentMonthCtes, copiedAgentCte, merchantCtes } from '../monthRecords.ts'
import type { ReopenedLock } from '../months.ts'
import { hasProcessed, inactiveSql } from '../openMonth.ts'
import { rowOf, type FileRow, type Stored } from './lateRows.ts'
import { lateShares, type FilesOf, type LateShare } from './lateShares.ts'

/** A row of the file that is another one now; dollars, null where there is no row. */
export type ChangedRow = FileRow & { was: number | null; net: number | null }
/** The version `before` of a month, and the next one: the lock `now`, or the month as it is open again. */
export type Versions = { before: Pick<ReopenedLock, 'id' | 'month' | 'settings'>; now: ReopenedLock | null }

const fileColumns = 'xmid, processor, net, txncount, sales'
const lockedRows = (lock: string) => `
  select ${fileColumns} from locked_merchant
  where lockid = ${lock}::int and not isknown and xmid = any ($1)`
const openRows = `select ${fileColumns} from residual where xmid = any ($1) and month = $3`

/** What differs between the rows of these MIDs, also those that one of the versions lacks. */
const changedRowsSql = (now: string) => `
  select xmid, processor, b.net as was, n.net
  from (${lockedRows('$2')}) b full join (${now}) n using (xmid, processor)
  where (b.net, b.txncount, b.sales) is distinct from (n.net, n.txncount, n.sales)`

async function changedRows(sql: Sql, { before, now }: Versions, mids: readonly string[]) {
  return now === null
    ? sql.query<ChangedRow>(changedRowsSql(openRows), [mids, before.id, before.month])
    : sql.query<ChangedRow>(changedRowsSql(lockedRows('$3')), [mids, before.id, now.id])
}

const earnedBy = 'a.id, a.parentid, a.payoninactive, a.percent, a.flat'
const isPerAgentMonth = `l.terms ->> 'amountBasis' = 'perAgentMonth'`
/** The copies of a version, after `copiedAgentCte`. */
const copiedEarning = (lock: string) => `
  select ${earnedBy}, ${isPerAgentMonth} and exists (select from locked_pay p
      where p.lockid = l.id and p.masteragentid = a.id and p.fromagentid is null and p.flat <> 0) as hasflat
  from month_lock l join copied_agent a on true where l.id = ${lock}`
const changedAgentsSql = {
  lock: `
    with was as (with ${copiedAgentCte('$1')} ${copiedEarning('$1')}),
      now as (with ${copiedAgentCte('$2')} ${copiedEarning('$2')})
    select coalesce(b.id, n.id) as id from was b full join now n on n.id = b.id
    where b is distinct from n`,
  openMonth: `
    with ${agentMonthCtes('$2')}, ${merchantCtes('$2')}
      was as (${copiedEarning('$2')}),
      now as (
        select ${earnedBy}, ${isPerAgentMonth} and a.flat <> 0 and exists (
          select from residual r join merchant_record m on m.xmid = r.xmid
          where r.month = $1 and m.masteragentid = a.id and ${hasProcessed} and not ${inactiveSql}) as hasflat
        from month_lock l join agent_month a on a.isused where l.id = $2)
    select coalesce(b.id, n.id) as id from was b full join now n on n.id = b.id
    where b is distinct from n`,
} satisfies Record<FilesOf, string>

/** The agents who earn otherwise by their rates, parents and Pay on Inactive, or by a flat amount a month. */
async function changedAgents(sql: Sql, { before, now }: Versions): Promise<Set<number>> {
  const rows = await (now === null
    ? sql.query<{ id: number }>(changedAgentsSql.openMonth, [before.month, before.id])
    : sql.query<{ id: number }>(changedAgentsSql.lock, [before.id, now.id]))
  return new Set(rows.map(({ id }) => id))
}

/** The shares of the later version. */
export const sharesOf = (sql: Sql, { before, now }: Versions, decided: readonly LateShare[]) =>
  now === null ? lateShares(sql, before, decided, 'openMonth') : lateShares(sql, now, decided)

export type Revision = { revised: Stored[]; files: ChangedRow[] }

/**
 * What was decided of a month and may be another sum by its next version: the file has another row, or an
 * agent earns otherwise whom it pays or would pay. The merchant is not asked: one that was moved or closed
 * since changes nothing of what was decided. `files` are the rows of the file that are others.
 */
export async function revisedRows(
  sql: Sql,
  versions: Versions,
  stored: readonly Stored[],
): Promise<Revision> {
  const decided = stored.filter(({ state, isopen }) => state !== 'proposed' && isopen)
  if (decided.length === 0) return { revised: [], files: [] }
  const files = await changedRows(sql, versions, [...new Set(decided.map(({ xmid }) => xmid))])
  const ids = await changedAgents(sql, versions)
  const paid = [...decided, ...(ids.size > 0 ? await sharesOf(sql, versions, []) : [])]
  const changed = new Set([...files, ...paid.filter((it) => ids.has(it.masteragentid))].map(rowOf))
  return { revised: decided.filter((it) => changed.has(rowOf(it))), files }
}
