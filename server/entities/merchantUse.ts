import { sumDollars } from '../../schemas/dollars.ts'
import { countNoun, joinWithAnd } from '../../schemas/wording.ts'
import type { Sql } from '../db/db.ts'
import { formatAmount } from '../money/amounts.ts'
import { monthName } from '../money/months.ts'

/** How many months a sentence names; the income of earlier ones is given as one sum. */
const maxNamedMonths = 12

/** The residuals r of a merchant m in the months that are not locked. */
const openResiduals = `residual r where r.xmid = m.xmid
  and not exists (select from month_lock l where l.month = r.month and l.reopened_at is null)`

/** SQL condition that a merchant m has what forbids to delete it (merchants 9). */
const isUsed = `(exists (select from ${openResiduals})
  or exists (select from chargeback c where c.xmid = m.xmid)
  or exists (select from daily_volume v where v.xmid = m.xmid)
  or exists (select from equipment e where e.merchantid = m.id)
  or exists (select from adjustment j where j.merchantid = m.id))`

type Income = { month: string; income: number }

function describeIncome(months: readonly Income[]): string[] {
  if (months.length === 0) return []
  const named = months.slice(0, maxNamedMonths)
  const rest = months.slice(maxNamedMonths)
  const sums = named.map(({ month, income }) => `${monthName(month)} (${formatAmount(income)})`)
  const restSum = sumDollars(rest.map(({ income }) => income))
  if (rest.length > 0) sums.push(`${countNoun(rest.length, 'earlier month')} (${formatAmount(restSum)})`)
  return [`income in ${joinWithAnd(sums)}`]
}

/**
 * What of a merchant would belong to nobody without it, newest month first, as 'income in October 2026
 * ($1,204.10), 2 terminals and 31 days of volume'; null for nothing. A month that is being locked counts as
 * open.
 */
async function describeUse(sql: Sql, merchant: number): Promise<string | null> {
  const months = await sql.query<Income>(
    `select r.month, sum(r.income) as income from merchant m, lateral (select * from ${openResiduals}) r
      where m.id = $1 group by r.month order by r.month desc`,
    [merchant],
  )
  const [counts] = await sql.query<Record<'terminals' | 'chargebacks' | 'adjustments' | 'days', number>>(
    `select (select count(*) from equipment e where e.merchantid = m.id) as terminals,
        (select count(*) from chargeback c where c.xmid = m.xmid) as chargebacks,
        (select count(*) from adjustment j where j.merchantid = m.id) as adjustments,
        (select count(distinct v.volumedate) from daily_volume v where v.xmid = m.xmid) as days
      from merchant m where m.id = $1`,
    [merchant],
  )
  const { terminals, chargebacks, adjustments, days } = counts!
  const parts = [
    ...describeIncome(months),
    terminals > 0 && countNoun(terminals, 'terminal'),
    chargebacks > 0 && countNoun(chargebacks, 'chargeback'),
    adjustments > 0 && countNoun(adjustments, 'adjustment'),
    days > 0 && countNoun(days, 'day of volume', 'days of volume'),
  ].filter((part) => part !== false)
  return parts.length === 0 ? null : joinWithAnd(parts)
}

/** Why a merchant cannot be deleted (merchants 9): 'it has income in …'; null when it can. */
export async function refusalOfDelete(sql: Sql, merchant: number): Promise<string | null> {
  const use = await describeUse(sql, merchant)
  return use && `it has ${use}. An import of merchants can set it to Inactive instead.`
}

/**
 * The first merchant of those that an import added which could not be deleted, what it has, and how many
 * such merchants there are; null when there is none.
 */
export async function findUsedMerchant(
  sql: Sql,
  batch: number,
): Promise<{ xmid: string; count: number; use: string } | null> {
  const [found] = await sql.query<{ id: number; xmid: string; count: number }>(
    `select m.id, m.xmid, (count(*) over ())::int as count
      from import_added a join merchant m on m.id::bigint <@ a.ids
      where a.batchid = $1 and a.tablename = 'merchant' and ${isUsed} order by m.id limit 1`,
    [batch],
  )
  if (!found) return null
  return { xmid: found.xmid, count: found.count, use: (await describeUse(sql, found.id))! }
}

/**
 * As `findUsedMerchant`, but looks at the first `limit` merchants alone that the import added, and answers
 * any one of them with `count` 1. `offset 0` keeps PostgreSQL from joining the subqueries: it would read
 * whole tables instead of looking each merchant up by an index.
 */
export async function findAnyUsedMerchant(
  sql: Sql,
  batch: number,
  limit: number,
): Promise<{ xmid: string; count: 1; use: string } | null> {
  const [found] = await sql.query<{ id: number; xmid: string }>(
    `select m.id, m.xmid from (
        select m.id, m.xmid from import_added a cross join unnest(a.ids) as range
          cross join lateral (
            select id, xmid from merchant where id >= lower(range) and id < upper(range)
            order by id offset 0) m
        where a.batchid = $1 and a.tablename = 'merchant' limit $2) m
      cross join lateral (select true where ${isUsed} offset 0) used limit 1`,
    [batch, limit],
  )
  if (!found) return null
  return { xmid: found.xmid, count: 1, use: (await describeUse(sql, found.id))! }
}
