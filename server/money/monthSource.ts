import type { Sql } from '../db/db.ts'
import { agentInScope } from '../db/scope.ts'
import { readMoneySettings } from './moneySettings.ts'
import { currentLock, type MonthLock } from './months.ts'
import { openMonthCtes } from './openMonth.ts'

/**
 * The relations of a locked month, from its snapshot. `lock` and `agents` are the placeholders of its id and
 * of the agents.
 */
export const lockedMonthCtes = (lock: string, agents: string) => `
  merchant_month as (
    select xmid, dba, masteragentid, accountstatus, processor, txncount, sales, income, expense, net, house,
      isknown
    from locked_merchant where lockid = ${lock}),
  pay_line as (
    select p.masteragentid, p.fromagentid, m.xmid, m.dba, m.processor, m.txncount, m.sales, m.net, p.percent,
      p.flat, p.amount, p.withheld,
      case when p.fromagentid is null then 'own' else 'override' end as kind
    from locked_pay p join locked_merchant m on m.lockid = p.lockid and m.line = p.line
    where p.lockid = ${lock} and ${agentInScope(agents, 'p.masteragentid')}),
  statement_line as (
    select masteragentid, kind, label, amount, source from locked_statement_line
    where lockid = ${lock} and ${agentInScope(agents, 'masteragentid')}),
  statement as (
    select masteragentid, displayid, name, parentid, payeeid, isofficeaccount, merchants, txncount, sales,
      net, own, override, withheld, equipment,
      adjustments, subscriptions, carryin, due, carryout, payable, hold
    from locked_statement where lockid = ${lock} and ${agentInScope(agents, 'masteragentid')})`

/**
 * Common table expressions to follow `with recursive`, and their parameters from $1 on. `lock` is null for an
 * open month.
 */
export type MonthSource = { ctes: string; values: unknown[]; lock: MonthLock | null }

/**
 * Who earned what in a month (an ISO first day): from the snapshot once it is locked (months 6), computed
 * from today's data before. `agents` narrows pay_line, statement and statement_line; `version` reads the
 * snapshot of an earlier lock. Amounts are dollars with cents. The relations:
 *
 * - merchant_month (xmid, dba, masteragentid, accountstatus, processor, txncount, sales, income, expense,
 *   net, house, isknown): one row for each row of a file. A MID that is not in the portfolio has no master
 *   agent, and its net is the house's (money 3).
 * - pay_line (masteragentid, fromagentid, xmid, dba, processor, txncount, sales, net, percent, flat, amount,
 *   withheld, kind): kind is 'own' or 'override'; fromagentid is the child through which an override comes.
 *   sum(amount) + sum(house) = sum(net).
 * - statement_line (masteragentid, kind, label, amount, source): kind is 'equipment', 'subscription',
 *   'adjustment' or 'carry'; amount is signed as it enters what is due, so a collected subscription is
 *   negative; source is the id of its record.
 * - statement (masteragentid, displayid, name, parentid, payeeid, isofficeaccount, merchants, txncount,
 *   sales, net, own, override, withheld, equipment, adjustments, subscriptions, carryin, due, carryout,
 *   payable, hold): one row for each agent; merchants to net count its own merchants. due and carryout as in
 *   money 15 and money 16.
 */
export async function monthSource(
  sql: Sql,
  month: string,
  { agents, version }: { agents: readonly number[] | null; version?: number },
): Promise<MonthSource> {
  const lock = version === undefined ? await currentLock(sql, month) : await lockVersion(sql, month, version)
  if (lock) return { ctes: lockedMonthCtes('$1', '$2'), values: [lock.id, agents], lock }
  const [before] = await sql.query<{ id: number | null; first: string }>(firstOpenMonth, [month])
  const { netNegative, amountBasis, minimumPayout } = await readMoneySettings(sql)
  return {
    ctes: agents ? openMonthCtes.someAgents : openMonthCtes.allAgents,
    values: [month, before!.first, before!.id, agents, netNegative, amountBasis, minimumPayout],
    lock: null,
  }
}

/** The newest lock before a month, and the first open month, where balances start (money 16). */
const firstOpenMonth = `
  select l.id, coalesce((l.month + interval '1 month')::date,
    least($1::date, (select min(month) from month_with_data))) as first
  from (select) one left join lateral (
    select id, month from month_lock where reopened_at is null and month < $1 order by month desc limit 1) l
      on true`

async function lockVersion(sql: Sql, month: string, version: number): Promise<MonthLock | null> {
  const [lock] = await sql.query<MonthLock>(
    'select id, month, version, hash, username, locked_at from month_lock where month = $1 and version = $2',
    [month, version],
  )
  return lock ?? null
}
