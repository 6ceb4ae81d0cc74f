import type { Sql } from './db.ts'

/** A column of a table: its quoted name, its plain name, its type in SQL, and the SQL of its default. */
export type StoredColumn = { name: string; key: string; type: string; preset: string }

/** The columns of a table, except generated ones, in their order. */
export const storedColumns = (sql: Sql, table: string) =>
  sql.query<StoredColumn>(
    `select quote_ident(a.attname) as name, a.attname as key,
        format_type(a.atttypid, a.atttypmod) as type,
        coalesce(pg_get_expr(d.adbin, d.adrelid), 'null') as preset
      from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = quote_ident($1)::regclass and a.attnum > 0
        and not a.attisdropped and a.attgenerated = ''
      order by a.attnum`,
    [table],
  )

/**
 * SQL of the value of a column in a deleted row that is stored as jsonb. `json` is the SQL of the jsonb,
 * `was` the alias of the row made of it. A column that was added to the table after the deletion has its
 * default.
 */
export const storedValue = ({ name, key, preset }: StoredColumn, json: string) =>
  `case when ${json} ? '${key}' then was.${name} else ${preset} end`
