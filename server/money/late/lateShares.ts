import type { Sql } from '../../db/db.ts'
import { readMonthSettings } from '../moneySettings.ts'
import { merchantCtes } from '../monthRecords.ts'
import type { ReopenedLock } from '../months.ts'
import {
  chainCtes,
  chainQuery,
  chainValues,
  flatAgentsOf,
  earningCte,
  flatTimeCte,
  hasProcessed,
  inactiveSql,
  lineCte,
  type ChainArrays,
} from '../openMonth.ts'

/**
 * What one agent of the chain would have earned by a row of a locked month whose MID became known later.
 * `amount` is dollars as the exact text of PostgreSQL, never 0.
 */
export type LateShare = {
  xmid: string
  processor: string
  masteragentid: number
  amount: string
  /** The amount holds the flat amount of the merchant's own agent. */
  hasflat: boolean
  reason: string
}

/** The longest text of an adjustment's reason. */
const maxReason = 200

/** Neither a line of the month nor a row that was decided about holds the flat amount already (money 4). */
const isNotPaidYet = `
  and not exists (select from decided d where d.hasflat and case $4 when 'perTransaction' then false
    when 'perAgentMonth' then d.masteragentid = m.masteragentid else d.xmid = r.xmid end)
  and not ($4 = 'perAgentMonth'
    and exists (select from flat_paid p where p.masteragentid = m.masteragentid))`

/**
 * The files of a month by its lock $13, or as they are while it is open again after that: `rows` are those of
 * MIDs that are not known, `flatPaid` the agents whose own merchants have the flat amount.
 */
type Files = { ctes: string; rows: string; flatPaid: string }
export type FilesOf = 'lock' | 'openMonth'
const files: Record<FilesOf, Files> = {
  lock: {
    ctes: '',
    rows: `select r.line as id, $1::date as month, r.xmid, r.processor, r.txncount, r.sales, r.net
      from locked_merchant r where r.lockid = $13::int and not r.isknown`,
    flatPaid: `select masteragentid from locked_pay
      where lockid = $13::int and fromagentid is null and flat <> 0`,
  },
  openMonth: {
    ctes: merchantCtes('$13'),
    rows: `select r.id, r.month, r.xmid, r.processor, r.txncount, r.sales, r.net
      from residual r where r.month = $1
        and not exists (select from merchant_record k where k.xmid = r.xmid)`,
    flatPaid: `select m.masteragentid from residual r join merchant_record m on m.xmid = r.xmid
      where r.month = $1 and m.masteragentid = any ($14::int[]) and ${hasProcessed} and not ${inactiveSql}`,
  },
}

/**
 * Parameters as in openMonth.ts; $2 are decided rows as JSON, $13 the lock, $14 the agents who have a flat
 * amount. Agents, parents and rates are those of the lock, the merchant is as its record is today.
 */
const sharesSql = ({ ctes, rows, flatPaid }: Files) => `
  with recursive ${chainCtes(5, '$13')},
    ${ctes}
    decided as materialized (select * from jsonb_to_recordset($2::jsonb)
      as d (xmid text, processor text, masteragentid int, hasflat boolean)),
    flat_paid as (${flatPaid}),
    late_row as materialized (
      ${rows}
        and not exists (select from decided d where d.xmid = r.xmid and d.processor = r.processor)),
    ${flatTimeCte({ from: 'late_row r join merchant m on m.xmid = r.xmid', where: isNotPaidYet })},
    ${earningCte({ name: 'late_earning', merchants: 'merchant', relation: 'late_row' })},
    ${lineCte('late_line', 'late_earning', 'chain')}
  select w.xmid, w.processor, w.masteragentid, w.amount::text as amount,
    w.fromagentid is null and w.flat <> 0 as hasflat,
    left('Late MID ' || w.xmid || ' at ' || w.processor || ', ' || to_char($1::date, 'FMMonth YYYY') || ': '
      || w.dba || coalesce(', through ' || v.name, ''), ${maxReason}) as reason
  from late_line w join master_agent a on a.id = w.masteragentid
    left join agent_month v on v.id = w.fromagentid
  where w.amount <> 0
  order by w.xmid collate "C", w.processor collate "C", w.masteragentid`

/**
 * The shares of the rows of a lock whose MID was unknown at it and is in the portfolio now, but for those
 * that were decided about (money 21). `from` 'openMonth' are those of the next lock of a month that is open
 * again, as it is now: `lock` is its last one.
 */
export async function lateShares(
  sql: Sql,
  lock: Pick<ReopenedLock, 'id' | 'month' | 'settings'>,
  decided: readonly LateShare[],
  from: FilesOf = 'lock',
): Promise<LateShare[]> {
  const { id, month } = lock
  const [chain] = await sql.query<ChainArrays>(chainQuery.copies, [month, id])
  const { netNegative, amountBasis } = await readMonthSettings(sql, lock)
  const values = [
    month,
    JSON.stringify(decided),
    netNegative,
    amountBasis,
    ...chainValues(chain!),
    id,
    flatAgentsOf(chain!),
  ]
  return sql.query<LateShare>(sharesSql(files[from]), values)
}
