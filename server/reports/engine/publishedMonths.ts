import type { MonthSource } from '../../money/monthSource.ts'

/** SQL: may a residual row of the alias `r` be told? To whoever does not see all (`scope` holds ids), a month is told once it is locked. */
export const published = (scope: string) =>
  `(${scope}::int[] is null or exists (select from month_lock l where l.month = r.month and l.reopened_at is null))`

export const publishedNote = (scope: number[] | null): string[] =>
  scope === null ? [] : ['Residual figures are of locked months alone.']

/** SQL: id, displayid and name of the master agents, as they were when the month was locked. */
export const agentNames = ({ lock }: MonthSource, put: (value: unknown) => string) =>
  lock
    ? `(select masteragentid as id, displayid, name from locked_statement where lockid = ${put(lock.id)})`
    : 'master_agent'
