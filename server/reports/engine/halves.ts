import type { Tx } from '../../db/db.ts'
import { batchSize } from './cursor.ts'

type Row = Record<string, unknown>

/** A column by which rows are ordered: a number, the greatest first, or a text by its bytes. */
type OrderColumn = { name: string; by: 'greatest' | 'bytes' }

/**
 * How a statement is read in two halves, each by a connection of its own: `from` and `to` are the indexes of
 * two of its values, MIDs between which its rows are, `from` included; null is no limit.
 */
export type Halves = { from: number; to: number; order: readonly OrderColumn[] }

/** Adds the values of `Halves`, null both, to those of a statement; `isIn` is the condition of its rows. */
export function bindHalves(values: unknown[]) {
  const [from, to] = [values.push(null) - 1, values.push(null) - 1]
  const isIn = (xmid: string) =>
    `($${from + 1}::text is null or ${xmid} >= $${from + 1})
      and ($${to + 1}::text is null or ${xmid} < $${to + 1})`
  return { from, to, isIn }
}

/** SQL: what the rows are ordered by. */
export const orderSql = (order: readonly OrderColumn[]) =>
  order.map(({ name, by }) => (by === 'greatest' ? `${name} desc` : `${name} collate "C"`)).join(', ')

/** The same order of two rows that were read; neither has a blank in its columns. */
export function compareRows(order: readonly OrderColumn[], a: Row, b: Row): number {
  for (const { name, by } of order) {
    const compared =
      by === 'greatest'
        ? Number(b[name]) - Number(a[name])
        : Buffer.compare(Buffer.from(String(a[name])), Buffer.from(String(b[name])))
    if (compared !== 0) return compared
  }
  return 0
}

/** Merchants from which on a report is read in two halves. */
export const leastHalved = 100_000

/**
 * The MID before which half of the merchants are, by the statistics of PostgreSQL; null for fewer merchants
 * than `leastHalved`, which one connection reads soon enough.
 */
export async function middleMid(tx: Tx): Promise<string | null> {
  const [row] = await tx.query<{ middle: string | null }>(
    `select bounds[1 + array_length(bounds, 1) / 2] as middle
      from (select histogram_bounds::text::text[] as bounds from pg_stats
        where schemaname = current_schema and tablename = 'merchant' and attname = 'xmid') s
      where (select reltuples from pg_class where oid = 'merchant'::regclass) >= $1`,
    [leastHalved],
  )
  return row?.middle ?? null
}

/** The values of the statement of each half. */
export const valuesOfHalves = (values: readonly unknown[], { from, to }: Halves, middle: string) =>
  [values.with(to, middle), values.with(from, middle)] as const

/**
 * The rows of two generators of batches, each in the order of `compare`, as batches of at most `batchSize`
 * in that order. Both work on their first batch at the same time.
 */
export async function* mergeBatches<T>(
  generators: readonly [AsyncGenerator<T[]>, AsyncGenerator<T[]>],
  compare: (a: T, b: T) => number,
): AsyncGenerator<T[]> {
  try {
    let [a, b] = (await Promise.all(generators.map(nextRows))) as [T[], T[]]
    while (a.length > 0 && b.length > 0) {
      const merged: T[] = []
      let [i, j] = [0, 0]
      while (i < a.length && j < b.length && merged.length < batchSize)
        merged.push(compare(a[i]!, b[j]!) <= 0 ? a[i++]! : b[j++]!)
      yield merged
      a = i < a.length ? a.slice(i) : await nextRows(generators[0])
      b = j < b.length ? b.slice(j) : await nextRows(generators[1])
    }
    for (const rest of [a, b]) if (rest.length > 0) yield rest
    for (const generator of generators) yield* generator
  } finally {
    await Promise.all(generators.map((generator) => generator.return(undefined)))
  }
}

const nextRows = async <T>(generator: AsyncGenerator<T[]>): Promise<T[]> => {
  const next = await generator.next()
  return next.done ? [] : next.value
}
