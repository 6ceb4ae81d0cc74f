import { type Batch, imports, type ImportName } from '../../schemas/imports/imports.ts'
import type { Sql } from '../db/db.ts'
import { findAnyUsedMerchant } from '../entities/merchantUse.ts'
import { HttpError } from '../http/errors.ts'
import { assertMonthOpen } from '../money/months.ts'
import { importerOf } from './kinds/kinds.ts'
import { stampColumn, undoneColumns } from './store/undoLog.ts'
import {
  explainConflict,
  describeScopeConflict,
  findReplacement,
  recordLabel,
  type ConflictSearch,
  type LaterEdit,
  type LaterImport,
} from './undoConflicts.ts'
import { readStoredBatches, refusalOfState, writtenTables, type StoredBatch } from './undoState.ts'

/** Whether an import can be undone now; `reason` is a sentence when it cannot. */
type UndoOffer = Batch['undo']

/** The kinds of import that write a table. TIN validations write merchants too (imports 33). */
const writersOf = (table: string) =>
  (Object.keys(imports) as ImportName[]).filter((name) =>
    [name, importerOf(name).waitsFor ?? name].some((written) => imports[written].table === table),
  )

/**
 * The newest later import that changed what a batch changed, of those that may have: imports of a day or
 * month write no row of another one.
 */
async function findLaterImport(
  sql: Sql,
  batch: number,
  table: string,
  limit: number,
): Promise<LaterImport | null> {
  const [found] = await sql.query<LaterImport>(
    `select b.filename, b.username, extract(epoch from b.imported_at)::bigint as at, 1 as count, first.record
      from import_batch mine
        join import_batch b on b.id > mine.id and b.undone_at is null and b.kind = any($3)
          and b.fordate is not distinct from mine.fordate
        cross join lateral (
          select coalesce('MID ' || coalesce(m.xmid, c.removed ->> 'xmid'), 'a record') as record
          from (
              select * from import_change where batchid = b.id and tablename = $2 order by rowid limit $4) c
            left join ${table} m on m.id = c.rowid
          where (
            exists (select from import_added a
              where a.batchid = $1 and a.tablename = $2 and c.rowid <@ a.ids)
            or exists (select from import_change i
              where i.batchid = $1 and i.tablename = $2 and i.rowid = c.rowid
                and (c.removed is not null or i.removed is not null
                  or c.changed ?| ${undoneColumns(table, 'i.changed')})))
          limit 1) first
      where mine.id = $1 order by b.id desc limit 1`,
    [batch, table, writersOf(table), limit],
  )
  return found ?? null
}

/**
 * A record that was edited or deleted since a batch wrote it. The audit names those of merchants; the rows of
 * the other tables are changed by imports alone.
 */
async function findLaterEdit(sql: Sql, batch: number, table: string): Promise<LaterEdit | null> {
  const [found] = await sql.query<LaterEdit>(
    `with edited as (
        select d.entityid::bigint as id, bool_or(d.action = 'update') as isupdated from audit d
        where d.entity = $2 and d.action in ('update', 'delete') and d.entityid ~ '^\\d{1,18}$'
          and d.at >= (select imported_at from import_batch where id = $1)
        group by 1),
      first as (
        select e.id, ${recordLabel} as record from edited e left join ${table} m on m.id = e.id
        where exists (
            select from import_change c
            where c.batchid = $1 and c.tablename = $2 and c.rowid = e.id and c.changed is not null
              and (m.id is null or m is distinct from jsonb_populate_record(m,
                (select jsonb_object_agg(key, value -> 1) from jsonb_each(c.changed - '${stampColumn}')))))
          or e.isupdated and m.id is not null and exists (
            select from import_added a where a.batchid = $1 and a.tablename = $2 and e.id <@ a.ids)
        limit 1)
      select first.record, 1 as count, d.username, extract(epoch from d.at)::bigint as at
      from first cross join lateral (
        select username, at from audit where entity = $2 and entityid = first.id::text
        order by id desc limit 1) d`,
    [batch, table],
  )
  return found ?? null
}

/** How many rows of an import are checked for a conflict; the undo itself checks all (imports 38). */
const mostChecked = 20_000
const quickSearch = (limit: number): ConflictSearch => ({
  findLaterImport: (sql, batch, table) => findLaterImport(sql, batch, table, limit),
  findLaterEdit,
  findUsedMerchant: (sql, batch) => findAnyUsedMerchant(sql, batch, limit),
  findReplacement: (sql, batch) => findReplacement(sql, batch, limit),
})

async function refusalOfMonth(
  sql: Sql,
  { kind, date }: StoredBatch,
  timeZone: string,
): Promise<string | null> {
  if (!date || !importerOf(kind).refuseClosedMonth) return null
  try {
    await assertMonthOpen(sql, date, timeZone)
    return null
  } catch (error) {
    if (error instanceof HttpError) return error.message
    throw error
  }
}

/** `limit` is how many rows of an import are checked. */
type OfferOptions = { scope: number[] | null; timeZone: string; limit: number }

async function offerOf(
  sql: Sql,
  batch: StoredBatch,
  { scope, timeZone, limit }: OfferOptions,
): Promise<UndoOffer> {
  const tables = await writtenTables(sql, batch.id)
  const reason =
    (batch.undoneat === null ? await refusalOfMonth(sql, batch, timeZone) : null) ??
    (await refusalOfState(sql, batch, timeZone)) ??
    (await describeScopeConflict(sql, batch.id, { tables, scope, limit })) ??
    (await explainConflict(sql, batch.id, { tables, timeZone, search: quickSearch(limit) }))
  return { allowed: reason === null, reason }
}

/**
 * Whether a caller who sees these agents can undo each of these imports, by the rules of the undo itself
 * (imports 38). The first conflict that is found is named and the others are not counted; of the rows of an
 * import `limit` are checked, so that a large one costs no more.
 */
export async function offerUndos(
  sql: Sql,
  ids: number[],
  { scope, timeZone, limit = mostChecked }: Pick<OfferOptions, 'scope' | 'timeZone'> & Partial<OfferOptions>,
): Promise<Map<number, UndoOffer>> {
  const offers = new Map<number, UndoOffer>()
  for (const batch of await readStoredBatches(sql, ids))
    offers.set(batch.id, await offerOf(sql, batch, { scope, timeZone, limit }))
  return offers
}
