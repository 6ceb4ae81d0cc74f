import { escapeIdentifier } from 'pg'
import type { Entity } from '../../schemas/entities/entity.ts'
import type { Db, Sql } from '../db/db.ts'

/**
 * SQL of a number that each write of merchants, agents, equipment and what their lists show of them raises
 * (migrations 037, 042): where two snapshots have the same, their lists are equal, so that cached pages and
 * totals may be answered (decision 31).
 */
export const stateSql = 'select coalesce(sum(n), 0) from merchant_tally where agent = 0 and bucket = -9'

/** The entities whose lists read no other tables than those whose writes raise `stateSql`. */
const numbered: ReadonlySet<string> = new Set(['merchant', 'masteragent', 'equipment'])

/** Whether `stateSql` says that a list of the entity, and the names it shows, may have changed. */
export const isStateNumbered = ({ name }: Pick<Entity, 'name'>) => numbered.has(name)

/**
 * Row counts of a large table that triggers maintain: exact totals, and the id at which a distant page
 * begins, without counting rows. Only for lists by id without a search. In `merchant_tally` an agent's
 * bucket n counts the ids from 1024 n on, bucket -1 all ids, and bucket -1 - status those of an
 * account status; agent 0 stands for all agents, and its bucket -9 is the number of `stateSql`
 * (migrations 005, 037).
 */
type RowCounts = {
  /** How many rows are in the scope, and the state of the records in which they are so many. */
  total(sql: Sql, scope: number[] | null): Promise<{ n: number; state: number }>
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
/** How many ids a bucket from 0 on spans. */
const bucketSize = 1024

const merchant: RowCounts = {
  async total(sql, scope) {
    const [sum] = await sql.prepared<{ n: number; state: number }>(
      `select coalesce(sum(n), 0) as n, (${stateSql}) as state from merchant_tally
        where bucket = -1 and agent = any ($1)`,
      [countedAgents(scope)],
    )
    return sum!
  },
  async seek(sql, scope, offset) {
    // Skipping so few rows along the index takes no longer.
    if (offset < 4 * bucketSize) return { from: 0, rest: offset }
    const [bucketRow] = await sql.prepared<{ bucket: number; before: number }>(
      `select bucket, before from (
          select bucket, sum(sum(n)) over (order by bucket) - sum(n) as before
          from merchant_tally where bucket >= 0 and agent = any ($1) group by bucket) runs
        where before <= $2 order by bucket desc limit 1`,
      [countedAgents(scope), offset],
    )
    return bucketRow
      ? { from: bucketRow.bucket * bucketSize, rest: offset - bucketRow.before }
      : { from: 0, rest: offset }
  },
  async agentsAt(sql, scope, { name, isDown, offset, size }) {
    const rows = await sql.prepared<{ id: number; before: number }>(
      `select id, before from (
          select a.id, s.n,
            sum(s.n) over (order by a.${escapeIdentifier(name)}${isDown ? ' desc' : ''}) - s.n as before
          from master_agent a cross join lateral (
            select sum(n) as n from merchant_tally t where t.agent = a.id and t.bucket = -1) s
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
export const mergeRowCounts = (db: Db) => merge(db, 'select merchant_tally_merge(), volume_sum_merge()')

/** With so few rows the state of the records is read as quickly as from one. */
const fewStates = 50

/**
 * Merges the rows of the state of the records alone, which every list adds up: a portal that saves 200
 * times a second appends 12,000 between two merges of all counts.
 */
export const mergeStates = (db: Db) =>
  merge(
    db,
    `with gone as (
        delete from merchant_tally where agent = 0 and bucket = -9 and (
          select count(*) from merchant_tally where agent = 0 and bucket = -9) > ${fewStates}
        returning n)
      insert into merchant_tally (agent, bucket, n) select 0, -9, sum(n) from gone having count(*) > 0`,
  )
