import type { Batch, ImportName } from '../../schemas/imports/imports.ts'
import type { Sql } from '../db/db.ts'
import type { Caller } from '../http/call.ts'

/**
 * The columns of a Batch; a month of compensation data is written as 2026-10, a day of volume as 2026-10-31.
 */
const columns = `id, filename, sha256, size, username, extract(epoch from imported_at)::bigint as importedat,
  case when kind = 'compdata' then to_char(fordate, 'YYYY-MM') else fordate::text end as date,
  rows, inserted, updated, unchanged, totals,
  case when undone_at is null then 'imported' else 'undone' end as state,
  undone_by as undoneby, extract(epoch from undone_at)::bigint as undoneat`

/** Who does not see all master agents sees their own imports alone (imports 21). */
const visible = 'kind = $1 and ($2::int[] is null or userid = $3)'
const visibilityValues = (kind: ImportName, { scope, userid }: Caller) => [kind, scope, userid]

/** One page of the imports of a kind, newest first; pages count from 1. */
export async function listImports(
  sql: Sql,
  kind: ImportName,
  caller: Caller,
  { page, size }: { page: number; size: number },
) {
  const values = visibilityValues(kind, caller)
  const data = await sql.query<Batch>(
    `select ${columns} from import_batch where ${visible}
      order by id desc limit ${size} offset ${(page - 1) * size}`,
    values,
  )
  const [count] = await sql.query<{ n: number }>(
    `select count(*)::int as n from import_batch where ${visible}`,
    values,
  )
  return { data, total_length: count!.n }
}

/** One import, or null when there is none of this kind that the caller may see. */
export async function findBatch(
  sql: Sql,
  kind: ImportName,
  caller: Caller,
  id: number,
): Promise<Batch | null> {
  const [batch] = await sql.query<Batch>(`select ${columns} from import_batch where ${visible} and id = $4`, [
    ...visibilityValues(kind, caller),
    id,
  ])
  return batch ?? null
}
