import type { Import, ImportColumn } from '../../../schemas/imports/imports.ts'
import type { ImportStep } from './step.ts'

/** A column, what it holds and what it is to hold, in SQL. */
export type Change = readonly [column: string, before: string, after: string]

/** {"column": [before, after]} of what differs, as SQL; built as text, which is several times cheaper than as jsonb. */
export const changesAsJson = (changes: readonly Change[]): string => {
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
export async function removeRows(
  { sql, batch }: ImportStep,
  table: string,
  condition: string,
  values: unknown[],
): Promise<number> {
  if (batch === null)
    return (
      await sql.query<{ n: number }>(`select count(*)::int as n from ${table} m where ${condition}`, values)
    )[0]!.n
  const [gone] = await sql.query<{ n: number }>(
    `with gone as (delete from ${table} m where ${condition} returning m.*),
      kept as (insert into import_change (batchid, tablename, rowid, removed) select ${batch}, '${table}', gone.id, to_jsonb(gone) from gone)
    select count(*)::int as n from gone`,
    values,
  )
  return gone!.n
}

/**
 * How the staged rows (s) meet the stored ones (m). `fixed` are columns that
 * are the same for the whole file; all are SQL.
 */
export type UpsertTarget = {
  fixed?: Record<string, string>
  /** Joined to the staged rows, and what it gives a column. */
  join?: string
  joined?: Record<string, string>
  /** Set on every row that is written, but no reason to write one. */
  stamp?: Record<string, string>
  versioned?: true
  /** Counts a stored row as changed although its own columns are not. */
  also?: string
}

type Defaults = Record<ImportColumn['kind'], string | null>
const defaults: Defaults = {
  text: `''`,
  id: `''`,
  agent: null,
  accountstatus: '1',
  date: null,
  count: '0',
  money: '0',
  percent: null,
  flag: null,
  choice: `''`,
  code: null,
  month: null,
  lastfour: `''`,
  tail: `''`,
}
/** Kinds that may be unknown: -1 is how a cleared cell is staged. */
const clearable = new Set<ImportColumn['kind']>(['date', 'code', 'percent'])

/** The statements of one kind of import; they share their parameters. */
export function createUpsert(definition: Import, target: UpsertTarget) {
  const { table, key } = definition
  const { fixed = {}, join = '', joined = {}, stamp = {}, versioned, also } = target
  const columns = definition.columns.filter((column) => !column.sameInEveryRow)
  const staged = `staging s ${join}`
  const said = ({ field, kind }: ImportColumn) =>
    joined[field] ?? (clearable.has(kind) ? `nullif(s.${field}, -1)` : `s.${field}`)
  const fresh = (column: ImportColumn) => {
    const otherwise =
      key.includes(column.field) || column.nullWhenBlank
        ? null
        : column.defaultValue
          ? `'${column.defaultValue}'`
          : defaults[column.kind]
    return otherwise === null ? said(column) : `coalesce(${said(column)}, ${otherwise})`
  }
  const kept = (column: ImportColumn) =>
    `case when s.${column.field} is null then m.${column.field} else ${said(column)} end`
  const renewed = definition.blankKeepsStored ? kept : fresh
  const others = columns.filter((column) => !key.includes(column.field))
  const extra = `nullif(coalesce(m.extra, '{}') || coalesce(s.extra, '{}'), '{}')`
  // Only plain equality can be looked up.
  const required = new Set(columns.flatMap((column) => (column.required ? [column.field] : [])))
  const equal = (field: string) =>
    required.has(field) ? `m.${field} = s.${field}` : `m.${field} is not distinct from s.${field}`
  const matches = [
    ...Object.entries(fixed).map(([field, value]) => `m.${field} = ${value}`),
    ...key.map(equal),
  ].join(' and ')
  const changes: Change[] = [
    ...others.map((column): Change => [column.field, `m.${column.field}`, renewed(column)]),
    ['extra', 'm.extra', extra],
  ]
  const stamps = Object.entries(stamp).map(([field, value]): Change => [field, `m.${field}`, value])
  const differs = `(${changes.map(([, before]) => before).join(', ')}) is distinct from (${changes.map(([, , after]) => after).join(', ')})`
  const sets = [...changes, ...stamps].map(([field, , value]) => `${field} = ${value}`)
  if (versioned) sets.push('version = m.version + 1')
  const all = {
    ...fixed,
    ...Object.fromEntries(columns.map((column) => [column.field, fresh(column)])),
    extra: 's.extra',
    ...stamp,
  }
  const insert = `insert into ${table} (${Object.keys(all).join(', ')}) select ${Object.values(all).join(', ')}
      from ${staged} where not exists (select from ${table} m where ${matches}) order by s.row`
  return {
    table,
    also,
    matches,
    /** How many rows are new and how many change something. */
    count: `select count(*) filter (where m.xmid is null)::int as inserted,
        count(*) filter (where m.xmid is not null and (${differs}${also ? ` or ${also}` : ''}))::int as updated
      from ${staged} left join ${table} m on ${matches}`,
    /** The first rows that change something: row, key and {"column": [before, after]}. */
    differences: `select s.row, array[${key.map((field) => `s.${field}`).join(', ')}] as key, ${changesAsJson(changes)} as changed
      from ${staged} join ${table} m on ${matches} where ${differs} order by s.row`,
    /** Notes what the update will change, and holds those rows until the transaction ends. */
    trace: (batch: number) => `insert into import_change (batchid, tablename, rowid, changed)
      select ${batch}, '${table}', m.id, ${changesAsJson([...changes, ...stamps])}
      from ${staged} join ${table} m on ${matches} where ${differs} for no key update of m`,
    update: `update ${table} m set ${sets.join(', ')} from ${staged} where ${matches} and ${differs}`,
    /**
     * In the order of the file. Without the order PostgreSQL may look into the table once more for every row while it
     * grows, which took minutes where the table was empty before.
     */
    insert: (batch: number) => tracedInsert(table, insert, batch),
  }
}
