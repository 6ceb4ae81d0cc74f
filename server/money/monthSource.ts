import type { MoneySettings } from '../config/money.ts'
import type { Sql } from '../db/db.ts'
import { agentInScope } from '../db/scope.ts'
import { lockRelations } from './copies/lockLines.ts'
import { readMonthSettings } from './moneySettings.ts'
import { adjustedRelation, merchantRelation } from './monthRecords.ts'
import { currentLock, reopenedLock, type MonthLock, type ReopenedLock } from './months.ts'
import {
  chainQuery,
  chainValues,
  copiesParam,
  flatAgentsOf,
  openMonthRelations,
  originsOf,
  type ChainArrays,
} from './openMonth.ts'
import { isClosedSql, runCtes, statementHold } from './payoutRun.ts'

/** The columns of a statement that a lock keeps and no run changes. */
export const statedColumns = `masteragentid, displayid, name, parentid, payeeid, isofficeaccount, merchants,
  txncount, sales, net, own, override, withheld, equipment, adjustments, subscriptions, carryin, due`

/**
 * The relations of a locked month, from its snapshot, up to `month_statement`. `lock` and `agents` are the
 * placeholders of its id and of the agents.
 */
export const lockedMonthCtes = (lock: string, agents: string) => `
  merchant_month as (
    select xmid, dba, masteragentid, accountstatus, date_closed, processor, txncount, sales, income, expense,
      net, house, isknown
    from locked_merchant where lockid = ${lock}),
  pay_line as (
    select p.masteragentid, p.fromagentid, m.xmid, m.dba, m.processor, m.txncount, m.sales, m.net, p.percent,
      p.flat, p.amount, p.withheld, m.date_closed,
      case when p.fromagentid is null then 'own' else 'override' end as kind
    from locked_pay p join locked_merchant m on m.lockid = p.lockid and m.line = p.line
    where p.lockid = ${lock} and ${agentInScope(agents, 'p.masteragentid')}),
  withheld_line as (select * from pay_line where withheld <> 0),
  house_sum as (
    select masteragentid, count(distinct xmid) as merchants, sum(txncount) as txncount, sum(sales) as sales,
      sum(net) as net, sum(house) as house
    from locked_merchant where lockid = ${lock} group by masteragentid),
  statement_line as (
    select masteragentid, kind, label, amount, source from locked_statement_line
    where lockid = ${lock} and ${agentInScope(agents, 'masteragentid')}),
  month_statement as materialized (
    select ${statedColumns}, hold from locked_statement where lockid = ${lock})`

/** SQL of `statement`, with what the run pays; `s` are the rows of the month, `r` those of the run. */
const statementCte = (agents: string, hold: string) => `
  statement as (
    select ${statedColumns
      .split(',')
      .map((column) => `s.${column.trim()}`)
      .join(', ')},
      case when s.isofficeaccount then 0 else s.due - r.paid - r.topay end as carryout,
      r.paid + r.topay as payable, ${hold} as hold
    from month_statement s join run_statement r on r.masteragentid = s.masteragentid
    where ${agentInScope(agents, 's.masteragentid')})`

/**
 * Of a month whose run is closed only what was not paid can still be held. What held a statement at the lock
 * $1 ended when it was paid by that, also where the payment came back.
 */
const lockedHold = (isClosed: string) => `case when s.isofficeaccount or not ${isClosed} then r.hold
  when s.due <> r.paid then coalesce(${statementHold('$3::date')},
    case when s.hold is not null and not exists (
        select from payout_allocation a join month_lock l on l.id = $1
        where a.masteragentid = s.masteragentid and (a.month, a.version) = (l.month, l.version))
      then s.hold end) end`

/** The statements as they were when the lock was made. */
export const supersededStatement = (lock: string, agents: string) => `
  statement as (
    select ${statedColumns}, carryout, payable, hold from locked_statement
    where lockid = ${lock} and ${agentInScope(agents, 'masteragentid')})`

/**
 * What is carried into an open month (money 16): 'balance' is what was earned in the months before and not
 * paid; 'forecast' the same, if the run of the newest lock were paid as it is; 'unknown' is nothing, because
 * a month in between is open.
 */
type Carry = 'balance' | 'forecast' | 'unknown'

/** `carry`; the parameters of the forecast begin with number `first`. */
const carryCtes: Record<Carry, (first: number) => string> = {
  unknown: () => `
  carry as (select null::int as masteragentid, 0::numeric as amount where false)`,
  balance: () => `
  carry as (
    select masteragentid, sum(amount) as amount from (
      select masteragentid, amount from earned_statement where month < $1
      union all select masteragentid, -amount from paid_allocation where month < $1) c
    group by masteragentid)`,
  forecast: (first) => `
  last_statement as materialized (
    select ${statedColumns}, hold from locked_statement where lockid = $${first}::int),
  ${runCtes({
    prefix: 'last_',
    stated: 'last_statement',
    month: `$${first + 1}::date`,
    lock: `$${first}`,
    minimum: `$${first + 2}`,
    isClosed: isClosedSql(`$${first + 1}::date`),
  })},
  carry as (
    select masteragentid, sum(amount) as amount from (
      select masteragentid, amount from earned_statement where month < $1
      union all select masteragentid, -amount from paid_allocation where month < $1
      union all select masteragentid, -topay from last_run_statement) c
    group by masteragentid)`,
}

/** The statements of an open month, with what is carried into it. */
const openStatementCtes = `
  month_statement as materialized (
    select e.*, c.amount as carryin,
      e.own + e.override + e.equipment + e.adjustments - e.subscriptions + c.amount as due
    from earned e left join carry k on k.masteragentid = e.masteragentid
      cross join lateral (
        select case when e.isofficeaccount then 0 else coalesce(k.amount, 0) end as amount) c),
  ${runCtes({
    prefix: '',
    stated: 'month_statement',
    month: '$1',
    lock: 'null',
    minimum: '$13',
    isClosed: 'false',
  })},
  ${statementCte('$2', 'r.hold')},
  statement_line as (
    select masteragentid, kind, label, amount, source from extra where ${agentInScope('$2', 'masteragentid')}
    union all
    select masteragentid, 'carry', 'Carried forward', carryin, null from statement where carryin <> 0)`

/**
 * Common table expressions to follow `with recursive`, and their parameters from $1 on. `lock` is null for an
 * open month. `carryUnknownUntil` is the open month that must be locked before what is carried is known.
 */
export type MonthSource = {
  ctes: string
  values: unknown[]
  lock: MonthLock | null
  carryUnknownUntil?: string
}

/**
 * `merchants` is the relation of the merchants that count, `adjusted` that of those adjusted; `settings` are
 * those that count for the month (money 17); `base` is the lock whose copies count, null where the records of
 * today do. `chain` is the tree of agents by which the month is worked out, read by a statement before.
 */
export type OpenMonthSource = MonthSource & {
  merchants: string
  adjusted: string
  settings: MoneySettings
  base: ReopenedLock | null
  chain: ChainArrays
}

/** `version` reads the snapshot of an earlier lock. */
type SourceOptions = { agents: readonly number[] | null; version?: number }

/**
 * Who earned what in a month (an ISO first day): from the snapshot once it is locked (months 6), computed
 * from today's data before, and from the records that its last lock copied once it was opened again
 * (months 9). `agents` narrows pay_line, statement and statement_line. Amounts are dollars with cents. The
 * relations:
 *
 * - merchant_month (xmid, dba, masteragentid, accountstatus, date_closed, processor, txncount, sales, income,
 *   expense, net, house, isknown): one row for each row of a file. A MID that is not in the portfolio has no
 *   master agent, and its net is the house's (money 3).
 * - house_sum (masteragentid, merchants, txncount, sales, net, house): its sums by master agent.
 * - pay_line (masteragentid, fromagentid, xmid, dba, processor, txncount, sales, net, percent, flat, amount,
 *   withheld, date_closed, kind): date_closed is the merchant's, in epoch seconds; kind is 'own' or
 *   'override'; fromagentid is the child through which an override comes.
 *   sum(amount) + sum(house) = sum(net).
 * - withheld_line: the lines of pay_line of which something is withheld.
 * - statement_line (masteragentid, kind, label, amount, source): kind is 'equipment', 'subscription',
 *   'adjustment' or 'carry'; amount is signed as it enters what is due, so a collected subscription is
 *   negative; source is the id of its record.
 * - statement (masteragentid, displayid, name, parentid, payeeid, isofficeaccount, merchants, txncount,
 *   sales, net, own, override, withheld, equipment, adjustments, subscriptions, carryin, due, carryout,
 *   payable, hold): one row for each agent; merchants to net count its own merchants. payable is what was
 *   paid of it and what the run still pays (payouts 1), carryout the rest of what is due.
 * - run_statement and run_payee of the lock in force and of open months, as in `runCtes`.
 */
export async function monthSource(
  sql: Sql,
  month: string,
  { agents, version }: SourceOptions,
): Promise<MonthSource> {
  const current = await currentLock(sql, month)
  const lock = version === undefined ? current : await lockVersion(sql, month, version)
  if (!lock) return openMonthSource(sql, month, { agents })
  if (lock.id !== current?.id) {
    const ctes = `${lockedMonthCtes('$1', '$2')},${supersededStatement('$1', '$2')}`
    return { ctes, values: [lock.id, agents], lock }
  }
  return {
    ctes: lockInForceCtes,
    values: [lock.id, agents, month, await minimumPayoutOf(sql, lock.id)],
    lock,
  }
}

const isRunClosed = isClosedSql('$3::date')
const lockInForceCtes = `${lockedMonthCtes('$1', '$2')},
  ${runCtes({
    prefix: '',
    stated: 'month_statement',
    month: '$3::date',
    lock: '$1',
    minimum: '$4',
    isClosed: isRunClosed,
  })},
  ${statementCte('$2', lockedHold(isRunClosed))}`

/**
 * `monthSource` of an open month. With `isForLock` it carries only what was really paid, and has the
 * relations of `lockRelations` instead of merchant_month, house_sum, pay_line and withheld_line.
 */
export async function openMonthSource(
  sql: Sql,
  month: string,
  { agents = null, isForLock = false }: { agents?: readonly number[] | null; isForLock?: boolean } = {},
): Promise<OpenMonthSource> {
  const [before] = await sql.query<{ id: number | null; month: string | null; first: string }>(
    firstOpenMonth,
    [month],
  )
  const base = await reopenedLock(sql, month)
  const records = base ? 'copies' : 'today'
  const baseValues = base ? [base.id] : []
  const [chain] = await sql.query<ChainArrays>(chainQuery[records], [month, ...baseValues])
  const settings = await readMonthSettings(sql, base)
  const { id, month: lastMonth, first } = before!
  const isForecast = id !== null && lastMonth! < month
  const carry: Carry = first < month ? 'unknown' : isForecast && !isForLock ? 'forecast' : 'balance'
  const values = [
    month,
    agents,
    settings.netNegative,
    settings.amountBasis,
    ...chainValues(chain!),
    settings.minimumPayout,
    flatAgentsOf(chain!),
    ...baseValues,
    ...(agents && !isForLock ? [originsOf(chain!, agents)] : []),
  ]
  const relations = isForLock
    ? lockRelations(chain!, base && copiesParam)
    : openMonthRelations[records][agents ? 'someAgents' : 'allAgents']
  const carried = carryCtes[carry](values.length + 1)
  if (carry === 'forecast') values.push(id, lastMonth, await minimumPayoutOf(sql, id!))
  return {
    ctes: `${relations},${carried},${openStatementCtes}`,
    values,
    lock: null,
    merchants: merchantRelation(base && copiesParam),
    adjusted: adjustedRelation(base && copiesParam),
    settings,
    base,
    chain: chain!,
    ...(carry === 'unknown' && { carryUnknownUntil: first }),
  }
}

/** The newest lock, and the first month with data after it, or this month if there is none before it. */
const firstOpenMonth = `
  select l.id, l.month, least($1::date, coalesce(
    (select min(month) from month_with_data where month > coalesce(l.month, '-infinity')), $1::date)) as first
  from (select) one left join lateral (
    select id, month from month_lock where reopened_at is null order by month desc limit 1) l on true`

async function minimumPayoutOf(sql: Sql, lockid: number): Promise<number> {
  const [row] = await sql.query<{ minimum: number | null }>(
    `select (terms->>'minimumPayout')::numeric as minimum from month_lock where id = $1`,
    [lockid],
  )
  return row?.minimum ?? 0
}

async function lockVersion(sql: Sql, month: string, version: number): Promise<MonthLock | null> {
  const [lock] = await sql.query<MonthLock>(
    'select id, month, version, hash, username, locked_at from month_lock where month = $1 and version = $2',
    [month, version],
  )
  return lock ?? null
}
