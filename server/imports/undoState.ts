import { formatDateTime } from '../../schemas/dates.ts'
import type { ImportName } from '../../schemas/imports/imports.ts'
import type { Sql } from '../db/db.ts'
import { monthName } from '../money/months.ts'
import { importerOf } from './kinds/kinds.ts'

/**
 * What the undo of an import depends on besides its rows. `date` is an ISO day; `wrote`: it added or changed
 * a row; `known`: what it added and changed is recorded for the undo; `undoneat` is epoch seconds.
 */
export type StoredBatch = {
  id: number
  kind: ImportName
  date: string | null
  processor: string
  wrote: boolean
  known: boolean
  undoneby: string | null
  undoneat: number | null
}

export const readStoredBatches = (sql: Sql, ids: number[]) =>
  sql.query<StoredBatch>(
    `select id, kind, fordate::text as date, processor, inserted + updated > 0 as wrote,
        exists (select from import_added where batchid = b.id)
          or exists (select from import_change where batchid = b.id) as known,
        undone_by as undoneby, extract(epoch from undone_at)::bigint as undoneat
      from import_batch b where id = any($1)`,
    [ids],
  )

/**
 * The names of the tables in which an import added, changed or removed rows, in the order of the alphabet.
 */
export async function writtenTables(sql: Sql, batch: number): Promise<string[]> {
  const tables = await sql.query<{ name: string }>(
    `select tablename as name from import_added where batchid = $1
      union select tablename from import_change where batchid = $1 order by 1`,
    [batch],
  )
  return tables.map(({ name }) => name)
}

/**
 * Why a batch cannot be undone whatever became of its rows: it was undone, is unrecorded, or a later file
 * replaced it (imports 22). Null when nothing of that forbids it.
 */
export async function refusalOfState(
  sql: Sql,
  { id, kind, date, processor, wrote, known, undoneby, undoneat }: StoredBatch,
  timeZone: string,
): Promise<string | null> {
  if (undoneat !== null) return `${undoneby} undid it on ${formatDateTime(undoneat * 1000, timeZone)}`
  if (wrote && !known) return 'it was stored before the portal kept what an import changes'
  if (!importerOf(kind).replaces) return null
  const [later] = await sql.query<{ filename: string; username: string }>(
    `select filename, username from import_batch
      where kind = $1 and fordate = $2 and processor = $3 and id > $4 and undone_at is null
      order by id desc limit 1`,
    [kind, date, processor, id],
  )
  if (!later) return null
  const source = `${processor}, ${monthName(date!)}`
  return `${later.username} has imported ${later.filename} for ${source} since; undo that import first`
}
