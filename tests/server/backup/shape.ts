import type { Db } from '../../../server/db/db.ts'

/** What the tables are made of: columns, indexes, constraints, triggers, functions, views. */
export const shapeOf = (db: Db) =>
  db.query<{ part: string }>(`
    select table_name || '.' || column_name || ' ' || data_type || ' ' || coalesce(column_default, '') || is_nullable
        || coalesce(generation_expression, '') as part
      from information_schema.columns where table_schema = 'public'
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
      from pg_constraint
      where connamespace = 'public'::regnamespace
    union all select pg_get_triggerdef(oid) || tgenabled::text from pg_trigger where not tgisinternal
    union all select prosrc from pg_proc where pronamespace = 'public'::regnamespace
    union all select definition from pg_views where schemaname = 'public'
    order by 1`)
