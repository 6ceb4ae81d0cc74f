import type { Sql } from '../db/db.ts'

/** Records for the undo which rows of a table each import added (imports 22), as an import does. */
export const recordAdded = (sql: Sql, table: string) =>
  sql.query(
    `insert into import_added (batchid, tablename, ids)
      select batchid, '${table}', range_agg(int8range(id, id, '[]')) from ${table} group by batchid`,
  )
