import type { Sql } from '../db/db.ts'
import { agentInScope } from '../db/scope.ts'
import { lockOf, type MonthLock } from './months.ts'
import { openMonth } from './openMonth.ts'
import { readTerms } from './terms.ts'

/** The same relations from the snapshot of a lock; given the parameters that hold the lock's id and the agents asked for or null. */
export const lockedMonth = (lock: string, agents: string) => `
  merchant_month as (
    select xmid, dba, masteragentid, accountstatus, processor, txncount, sales, income, expense, net, house, isknown
    from locked_merchant where lockid = ${lock}),
  pay_line as (
    select p.masteragentid, p.fromagentid, m.xmid, m.dba, m.processor, m.txncount, m.sales, m.net, p.percent, p.flat, p.amount, p.withheld,
      case when p.fromagentid is null then 'own' else 'override' end as kind
    from locked_pay p join locked_merchant m on m.lockid = p.lockid and m.line = p.line
    where p.lockid = ${lock} and ${agentInScope(agents, 'p.masteragentid')}),
  statement_line as (
    select masteragentid, kind, label, amount, source from locked_statement_line where lockid = ${lock} and ${agentInScope(agents, 'masteragentid')}),
  statement as (
    select masteragentid, displayid, name, parentid, payeeid, isofficeaccount, merchants, txncount, sales, net, own, override, withheld, equipment,
      adjustments, subscriptions, carryin, due, carryout, payable, hold
    from locked_statement where lockid = ${lock} and ${agentInScope(agents, 'masteragentid')})`

/** Common table expressions to follow `with recursive`; their parameters are `values`, $1 and on. `lock` is null while the month is open. */
export type MonthSource = { ctes: string; values: unknown[]; lock: MonthLock | null }

/**
 * Who earned what in a month (an ISO first day): from the snapshot once it is locked, computed from today's data before.
 * `agents` narrows pay_line, statement and statement_line; `version` reads the snapshot of an earlier lock. The relations:
 *
 * - merchant_month (xmid, dba, masteragentid, accountstatus, processor, txncount, sales, income, expense, net, house, isknown): one row for
 *   each row of a file; without master agent when the MID is not in the portfolio, then all of it is the house's.
 * - pay_line (masteragentid, fromagentid, xmid, dba, processor, txncount, sales, net, percent, flat, amount, withheld, kind): kind 'own' or
 *   'override'; fromagentid is the child through whom an override comes. sum(amount) + sum(house) = sum(net).
 * - statement_line (masteragentid, kind, label, amount, source): 'equipment', 'subscription', 'adjustment' and 'carry', signed as they enter
 *   what is due: a subscription that is collected is negative. source is the id of the record it comes from.
 * - statement (masteragentid, displayid, name, parentid, payeeid, isofficeaccount, merchants, txncount, sales, net, own, override, withheld,
 *   equipment, adjustments, subscriptions, carryin, due, carryout, payable, hold): one row an agent; merchants to net are of its own merchants.
 *   due = own + override + equipment + adjustments - subscriptions + carryin; carryout = what of it is not payable, 0 for an office account.
 */
export async function monthSource(
  sql: Sql,
  month: string,
  { agents, version }: { agents: readonly number[] | null; version?: number },
): Promise<MonthSource> {
  const lock = version === undefined ? await lockOf(sql, month) : await versionOf(sql, month, version)
  if (lock) return { ctes: lockedMonth('$1', '$2'), values: [lock.id, agents], lock }
  const [before] = await sql.query<{ id: number | null; first: string }>(firstOpen, [month])
  const { netNegative, amountBasis, minimumPayout } = await readTerms(sql)
  return {
    ctes: agents ? openMonth.ofSome : openMonth.ofAll,
    values: [month, before!.first, before!.id, agents, netNegative, amountBasis, minimumPayout],
    lock: null,
  }
}

/** The newest lock below a month, and the first month after it that holds data: from there on balances are carried. */
const firstOpen = `
  select l.id, coalesce((l.month + interval '1 month')::date, least($1::date, (select min(month) from month_with_data))) as first
  from (select) one left join lateral (
    select id, month from month_lock where reopened_at is null and month < $1 order by month desc limit 1) l on true`

async function versionOf(sql: Sql, month: string, version: number): Promise<MonthLock | null> {
  const [lock] = await sql.query<MonthLock>(
    'select id, month, version, hash, username, locked_at from month_lock where month = $1 and version = $2',
    [month, version],
  )
  return lock ?? null
}
