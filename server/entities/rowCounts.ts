import { escapeIdentifier } from 'pg'
import type { Entity } from '../../schemas/entities/entity.ts'
import type { Db, Sql } from '../db/db.ts'
import { everyMerchant, idsPerBucket, writeCountSql, writesBucket } from '../db/merchantCount.ts'

/** The entities whose lists read no other tables than those whose writes are counted (`writeCountSql`). */
const writeCounted: ReadonlySet<string> = new Set(['merchant', 'masteragent', 'equipment'])

/** Whether a list of the entity, and the names it shows, are the same as long as the number of writes is. */
export const isWriteCounted = ({ name }: Pick<Entity, 'name'>) => writeCounted.has(name)

/**
 * Row counts of a large table that triggers maintain: exact totals, and the id at which a distant page
 * begins, without counting rows. Only for lists by id without a search.
 */
type RowCounts = {
  /** How many rows are in the scope, and the number of writes up to then. */
  total(sql: Sql, scope: number[] | null): Promise<{ n: number; writes: number }>
  /** The rows after `offset` rows of the scope are those from id `from` after `rest` rows. */
  seek(sql: Sql, scope: number[] | null, offset: number): Promise<{ from: number; rest: number }>
  /**
   * In the order of `name`, a column that differs for each agent: the agents who have the rows of a
   * page, and how many rows come before those of the first of them.
   */
  agentsAt(
    sql: Sql,
    scope: number[] | null,
    page: { name: string; isDown: boolean; offset: number; size: number },
  ): Promise<{ agents: number[]; before: number }>
}

/** Agent 0 has the counts of all rows. */
const countedAgents = (scope: number[] | null) => scope ?? [0]

const merchant: RowCounts = {
  async total(sql, scope) {
    const [sum] = await sql.prepared<{ n: number; writes: number }>(
      `select coalesce(sum(n), 0) as n, (${writeCountSql}) as writes from merchant_count
        where bucket = ${everyMerchant} and agent = any ($1)`,
      [countedAgents(scope)],
    )
    return sum!
  },
  async seek(sql, scope, offset) {
    // Skipping so few rows along the index takes no longer.
    if (offset < 4 * idsPerBucket) return { from: 0, rest: offset }
    const [bucketRow] = await sql.prepared<{ bucket: number; before: number }>(
      `select bucket, before from (
          select bucket, sum(sum(n)) over (order by bucket) - sum(n) as before
          from merchant_count where bucket >= 0 and agent = any ($1) group by bucket) runs
        where before <= $2 order by bucket desc limit 1`,
      [countedAgents(scope), offset],
    )
    return bucketRow
      ? { from: bucketRow.bucket * idsPerBucket, rest: offset - bucketRow.before }
      : { from: 0, rest: offset }
  },
  async agentsAt(sql, scope, { name, isDown, offset, size }) {
    const rows = await sql.prepared<{ id: number; before: number }>(
      `select id, before from (
          select a.id, s.n,
            sum(s.n) over (order by a.${escapeIdentifier(name)}${isDown ? ' desc' : ''}) - s.n as before
          from master_agent a cross join lateral (
            select sum(n) as n from merchant_count t where t.agent = a.id and t.bucket = ${everyMerchant}) s
          where s.n > 0 and ${scope ? 'a.id = any ($1)' : '$1::int[] is null'}) c
        where before < $2 and before + n > $3 order by before`,
      [scope, offset + size, offset],
    )
    return { agents: rows.map(({ id }) => id), before: rows[0]?.before ?? offset }
  },
}

export const rowCounts: Readonly<Record<string, RowCounts>> = { merchant }

/** Runs a statement that merges rows, unless another process merges at the moment. */
const merge = (db: Db, statement: string): Promise<void> =>
  db.transaction(async (tx) => {
    const [lock] = await tx.query<{ acquired: boolean }>(
      `select pg_try_advisory_xact_lock(hashtext('merge counts')) as acquired`,
    )
    if (lock?.acquired) await tx.query(statement)
  })

/**
 * Merges the rows that writes appended to the counts and to the sums of volume. Writes nothing when
 * there are none.
 */
export const mergeRowCounts = (db: Db) => merge(db, 'select merchant_count_merge(), volume_sum_merge()')

/** With so few rows the number of writes is read as quickly as from one. */
const fewRows = 50

/**
 * Merges the rows of the number of writes alone, which every list adds up: a portal that saves 200
 * times a second appends 12,000 between two merges of all counts.
 */
export const mergeWriteCount = (db: Db) =>
  merge(
    db,
    `with gone as (
        delete from merchant_count where agent = 0 and bucket = ${writesBucket} and (
          select count(*) from merchant_count where agent = 0 and bucket = ${writesBucket}) > ${fewRows}
        returning n)
      insert into merchant_count (agent, bucket, n)
        select 0, ${writesBucket}, sum(n) from gone having count(*) > 0`,
  )
