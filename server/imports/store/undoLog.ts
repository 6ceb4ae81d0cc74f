import type { Sql } from '../../db/db.ts'
import type { StoredColumn } from '../../db/storedColumns.ts'
import type { ImportStep } from './step.ts'

/**
 * The column that names the last import which wrote a row. Each import that changes a row changes it too, so
 * that two imports which share no other column do not stand in each other's way (imports 22).
 */
export const stampColumn = 'batchid'

/** The columns of a table that describe one state of a record and are undone together (imports 31). */
const undoneTogether: Partial<Record<string, string[]>> = { chargeback: ['casetype', 'status', 'amount'] }

/**
 * SQL of an array of columns: a later import that changed one of them forbids the undo of a change of
 * `table` (imports 22). They are those of the change and those that are undone together with them. `changed`
 * is the SQL of the change, {"column": [before, after]}.
 */
export function undoneColumns(table: string, changed: string): string {
  const own = `select jsonb_object_keys(${changed} - '${stampColumn}')`
  const together = undoneTogether[table]?.map((column) => `'${column}'`).join(', ')
  return together
    ? `array(${own} union select unnest(array[${together}]) where ${changed} ?| array[${together}])`
    : `array(${own})`
}

/** A column of the table m, and in SQL its value before and after an import. */
export type Change = readonly [column: string, before: string, after: string]

/**
 * {"column": [before, after]} of the columns that differ, as an SQL expression. It is built as text, which is
 * several times cheaper than with the functions of jsonb.
 */
export const changesAsJson = (changes: readonly Change[]): string => {
  const json = (value: string) => `coalesce(to_json(${value})::text, 'null')`
  const pairs = changes.map(
    ([column, before, after]) =>
      `case when ${before} is distinct from ${after}
        then '"${column}":[' || ${json(before)} || ',' || ${json(after)} || ']' end`,
  )
  return `('{' || concat_ws(',', ${pairs.join(', ')}) || '}')::jsonb`
}

/** A table that a batch wrote, with the columns that it has today. */
export type WrittenTable = { name: string; columns: StoredColumn[] }

/** The columns of a table that a batch changed, but for those that the table has no more. */
export async function changedColumns(
  sql: Sql,
  batch: number,
  { name, columns }: WrittenTable,
): Promise<StoredColumn[]> {
  const found = await sql.query<{ key: string }>(
    `select distinct jsonb_object_keys(changed) as key from import_change
      where batchid = $1 and tablename = $2 and changed is not null`,
    [batch, name],
  )
  const keys = new Set(found.map(({ key }) => key))
  return columns.filter(({ key }) => keys.has(key))
}

/**
 * SQL of the value of a column before (0) or after (1) a change, null where it did not change.
 * jsonb_populate_record would make a whole row of each change.
 */
export const changedValue = ({ key, type }: StoredColumn, changed: string, place: 0 | 1): string =>
  type === 'jsonb'
    ? `nullif(${changed} #> '{${key},${place}}', 'null')`
    : `(${changed} #>> '{${key},${place}}')::${type}`

/** An insert that records the new ids for the undo and returns the number of rows (n). */
export const recordedInsert = (table: string, insert: string, batch: number) => `
  with done as (${insert} returning id),
    recorded as (insert into import_added (batchid, tablename, ids)
      select ${batch}, '${table}', range_agg(int8range(id, id, '[]')) from done having count(*) > 0)
  select count(*)::int as n from done`

/** `condition` is on the rows m, with `values`; `summed` is a column of amounts. */
type RemovedRows = { table: string; condition: string; values: unknown[]; summed?: string }

/**
 * Deletes rows and records them for the undo; on a dry run only counts them. Returns how many there were, and
 * the sum of `summed` in dollars.
 */
export async function removeRows(
  { sql, batch }: ImportStep,
  { table, condition, values, summed = '0' }: RemovedRows,
): Promise<{ rows: number; sum: number }> {
  const counted = `count(*)::int as rows, coalesce(sum(${summed}), 0) as sum`
  const statement =
    batch === null
      ? `select ${counted} from ${table} m where ${condition}`
      : `with gone as (delete from ${table} m where ${condition} returning m.*),
          recorded as (insert into import_change (batchid, tablename, rowid, removed)
            select ${batch}, '${table}', gone.id, to_jsonb(gone) from gone)
        select ${counted} from gone`
  const [removed] = await sql.query<{ rows: number; sum: number }>(statement, values)
  return removed!
}
