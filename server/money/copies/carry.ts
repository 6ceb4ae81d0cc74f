import type { Sql } from '../../db/db.ts'
import type { MonthSource } from '../monthSource.ts'
import { copiesOfLock, keepsCarryMonths } from './lockCopies.ts'

/** SQL: what was earned and paid of each month before `month`, by agent and month (money 16). */
const balanceSql = (month: string) => `
  select masteragentid, month, sum(earned) as earned, sum(paid) as paid from (
    select masteragentid, month, amount as earned, 0 as paid from earned_statement where month < ${month}
    union all
    select masteragentid, month, 0, amount from paid_allocation where month < ${month}) b
  group by masteragentid, month`

/**
 * SQL: the rows of `months` from which something is carried. Up to a month after which an agent's balance was
 * 0, what one month left and another one paid is settled, so these are left out. The others add up to the
 * balance.
 */
const unsettledSql = (months: string) => `
  select masteragentid, month, earned, paid from (
    select *, max(month) filter (where balance = 0) over (partition by masteragentid) as settled from (
      select *, sum(earned - paid) over (partition by masteragentid order by month) as balance
      from (${months}) m) r) r
  where earned <> paid and (settled is null or month > settled)`

/**
 * The common table expression that copies what is carried into a month under its lock, by the months it comes
 * from (months 5), for a statement in which $1 is the month and `statement` its statements. `lock` is the
 * placeholder of the lock's id.
 */
export const carryCopy = (lock: string) => `
  copied_carry as (
    insert into locked_carry (lockid, masteragentid, month, earned, paid)
    select ${lock}, c.masteragentid, c.month, c.earned, c.paid
    from (${unsettledSql(balanceSql('$1::date'))}) c join statement s on s.masteragentid = c.masteragentid
    where not s.isofficeaccount)`

const partColumns = 'masteragentid, month, earned, paid, amount'

/** Of an open month: the views of today, and what the newest run still pays as paid of its own month. */
const openParts = (month: string) => `
  carry_month as materialized (${balanceSql(`${month}::date`)}),
  carry_rest as (
    select s.masteragentid, (select max(month) from month_lock where reopened_at is null) as month,
      coalesce(b.amount, 0) - s.carryin as paid
    from statement s left join (
      select masteragentid, sum(earned - paid) as amount from carry_month group by masteragentid) b
      on b.masteragentid = s.masteragentid
    where not s.isofficeaccount),
  carry_part (${partColumns}) as (
    select c.masteragentid, c.month, c.earned, c.paid, c.earned - c.paid
    from (${unsettledSql(`
      select masteragentid, month, sum(earned) as earned, sum(paid) as paid from (
        select * from carry_month union all select masteragentid, month, 0, paid from carry_rest) b
      group by masteragentid, month`)}) c
      join carry_rest s on s.masteragentid = c.masteragentid)`

const lockedParts = (lockid: string) => `
  carry_part (${partColumns}) as (
    select c.masteragentid, c.month, c.earned, c.paid, c.earned - c.paid
    from locked_carry c join statement s on s.masteragentid = c.masteragentid
    where c.lockid = ${lockid}::int)`

const partsWithoutMonth = `
  carry_part (${partColumns}) as (
    select masteragentid, null::date, null::numeric, null::numeric, carryin
    from statement where carryin <> 0)`

/**
 * The common table expression carry_part (masteragentid, month, earned, paid, amount) over the `statement` of
 * a MonthSource: what is carried into its month, an ISO first day, by the months it comes from (money 16).
 * Amounts are dollars; those of an agent add up to `carryin` of its statement, and none is 0. Of a lock that
 * kept no months, and where the carry is not known, `month`, `earned` and `paid` are null. `bind` appends a
 * value to those of the statement and answers its placeholder.
 */
export async function carryParts(
  sql: Sql,
  { lock, carryUnknownUntil }: MonthSource,
  { month, bind }: { month: string; bind: (value: unknown) => string },
): Promise<string> {
  if (carryUnknownUntil !== undefined) return partsWithoutMonth
  if (!lock) return openParts(bind(month))
  return keepsCarryMonths(await copiesOfLock(sql, lock)) ? lockedParts(bind(lock.id)) : partsWithoutMonth
}
