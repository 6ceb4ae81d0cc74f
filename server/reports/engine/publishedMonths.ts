import type { Sql } from '../../db/db.ts'
import { monthName } from '../../money/months.ts'
import type { MonthSource } from '../../money/monthSource.ts'

/**
 * SQL condition: the scope (a placeholder of agent ids) sees residual rows of the month. All agents (null)
 * see every month, a branch sees locked months alone (reports 8).
 */
export const isPublishedSql = (scope: string, month = 'r.month') =>
  `(${scope}::int[] is null
    or exists (select from month_lock l where l.month = ${month} and l.reopened_at is null))`

/** Of these months (ISO first days) those of which the scope sees no residual figure. */
export async function unknownMonths(
  sql: Sql,
  scope: number[] | null,
  months: readonly string[],
): Promise<string[]> {
  const known = await sql.query<{ month: string }>(
    `select m.month::text as month from unnest($2::date[]) m (month)
      where exists (select from residual r where r.month = m.month and ${isPublishedSql('$1')})`,
    [scope, months],
  )
  return months.filter((month) => !known.some((it) => it.month === month))
}

/** The newest month of pay before this one (ISO first days) that the scope sees; null for none. */
export async function monthBefore(sql: Sql, scope: number[] | null, month: string): Promise<string | null> {
  const [before] = await sql.query<{ month: string }>(
    `select m.month from month_with_data m where m.month < $2 and ${isPublishedSql('$1', 'm.month')}
      order by m.month desc limit 1`,
    [scope, month],
  )
  return before?.month ?? null
}

export const publishedNotes = (scope: number[] | null): string[] =>
  scope === null ? [] : ['Residual figures are of locked months alone.']

/** What an open month behind another open one cannot know (money 16). */
export const carryNotes = ({ carryUnknownUntil }: MonthSource): string[] =>
  carryUnknownUntil === undefined
    ? []
    : [`What is carried forward is not known until ${monthName(carryUnknownUntil)} is locked.`]

/**
 * SQL relation (id, displayid, name) of the master agents; of a locked month, as they were at its lock
 * (months 6).
 */
export const agentNamesSql = ({ lock }: MonthSource, bind: (value: unknown) => string) =>
  lock
    ? `(select masteragentid as id, displayid, name from locked_statement where lockid = ${bind(lock.id)})`
    : 'master_agent'
