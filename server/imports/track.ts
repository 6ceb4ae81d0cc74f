import type { Step } from './kinds.ts'

/** A column, what it holds and what it is to hold, in SQL. */
export type Change = readonly [column: string, before: string, after: string]

/** {"column": [before, after]} of what differs, as SQL; built as text, which is several times cheaper than as jsonb. */
export const changedBy = (changes: readonly Change[]): string => {
  const json = (value: string) => `coalesce(to_json(${value})::text, 'null')`
  const each = changes.map(
    ([column, before, after]) =>
      `case when ${before} is distinct from ${after} then '"${column}":[' || ${json(before)} || ',' || ${json(after)} || ']' end`,
  )
  return `('{' || concat_ws(',', ${each.join(', ')}) || '}')::jsonb`
}

/** An insert that notes the ids it gives and answers how many rows it made (n). */
export const tracedInsert = (table: string, insert: string, batch: number) => `
  with done as (${insert} returning id),
    kept as (insert into import_added (batchid, tablename, ids)
      select ${batch}, '${table}', range_agg(int8range(id, id, '[]')) from done having count(*) > 0)
  select count(*)::int as n from done`

/**
 * Removes the rows of a table (m) that meet a condition and keeps them for the undo; on a dry run it counts them.
 * Answers how many there were.
 */
export async function remove({ sql, batch }: Step, table: string, condition: string, values: unknown[]): Promise<number> {
  if (batch === null) return (await sql.query<{ n: number }>(`select count(*)::int as n from ${table} m where ${condition}`, values))[0]!.n
  const [gone] = await sql.query<{ n: number }>(
    `with gone as (delete from ${table} m where ${condition} returning m.*),
      kept as (insert into import_change (batchid, tablename, rowid, removed) select ${batch}, '${table}', gone.id, to_jsonb(gone) from gone)
    select count(*)::int as n from gone`,
    values,
  )
  return gone!.n
}
