import type { Batch, ImportName } from '../../schemas/imports/imports.ts'
import type { Sql } from '../db/db.ts'
import type { Caller } from '../http/call.ts'
import { offerUndos } from './undoOffer.ts'

/**
 * The columns of a Batch; a month of compensation data is written as 2026-10, a day of volume as 2026-10-31.
 */
const columns = `id, nullif(processor, '') as processor, filename, sha256, size, username,
  extract(epoch from imported_at)::bigint as importedat,
  case when kind = 'compdata' then to_char(fordate, 'YYYY-MM') else fordate::text end as date,
  rows, inserted, updated, unchanged, totals,
  case when undone_at is null then 'imported' else 'undone' end as state,
  undone_by as undoneby, extract(epoch from undone_at)::bigint as undoneat`

/** Who does not see all master agents sees their own imports alone (imports 21). */
const visible = 'kind = $1 and ($2::int[] is null or userid = $3)'
const visibilityValues = (kind: ImportName, { scope, userid }: Caller) => [kind, scope, userid]

/** A batch as it is stored; whether it can be undone depends on what came after it. */
type RecordedBatch = Omit<Batch, 'undo'>

/** Adds to each import whether it can be undone (imports 38). */
async function withUndo(
  sql: Sql,
  batches: RecordedBatch[],
  { scope }: Caller,
  timeZone: string,
): Promise<Batch[]> {
  const offers = await offerUndos(
    sql,
    batches.map(({ id }) => id),
    { scope, timeZone },
  )
  return batches.map((batch) => ({ ...batch, undo: offers.get(batch.id)! }))
}

/** One page of the imports of a kind, newest first, or `batch` alone; pages count from 1. */
export async function listImports(
  sql: Sql,
  kind: ImportName,
  caller: Caller,
  { page, size, batch, timeZone }: { page: number; size: number; batch?: number; timeZone: string },
) {
  const values = [...visibilityValues(kind, caller), batch ?? null]
  const wanted = `${visible} and ($4::int is null or id = $4)`
  const recorded = await sql.query<RecordedBatch>(
    `select ${columns} from import_batch where ${wanted}
      order by id desc limit ${size} offset ${(page - 1) * size}`,
    values,
  )
  const [count] = await sql.query<{ n: number }>(
    `select count(*)::int as n from import_batch where ${wanted}`,
    values,
  )
  return { data: await withUndo(sql, recorded, caller, timeZone), total_length: count!.n }
}

/** One import, or null when there is none of this kind that the caller may see. */
export async function findBatch(
  sql: Sql,
  kind: ImportName,
  caller: Caller,
  id: number,
): Promise<RecordedBatch | null> {
  const [batch] = await sql.query<RecordedBatch>(
    `select ${columns} from import_batch where ${visible} and id = $4`,
    [...visibilityValues(kind, caller), id],
  )
  return batch ?? null
}
