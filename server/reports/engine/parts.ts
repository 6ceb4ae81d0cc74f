import type { Statement, Tx } from '../../db/db.ts'
import { batchSize } from './cursor.ts'

type Row = Record<string, unknown>

/** A column by which rows are ordered: a number, the greatest first, or a text by its bytes. */
type OrderColumn = { name: string; by: 'greatest' | 'bytes' }

/** How two connections read the rows of a report at the same time. */
export type Parts = {
  /** A statement of each part, in the order of the report; null where one connection is fast enough. */
  statements: (tx: Tx) => Promise<readonly [Statement, Statement] | null>
  /** The order of the report. */
  compare: (a: Row, b: Row) => number
}

/**
 * The indexes of two values of a statement, MIDs between which its rows are, `from` included; null is no
 * limit.
 */
type Bounds = { from: number; to: number }

/** Adds `Bounds`, null both, to the values of a statement; `isIn` is the condition of its rows. */
export function bindMids(values: unknown[]) {
  const bounds: Bounds = { from: values.push(null) - 1, to: values.push(null) - 1 }
  const isIn = (xmid: string) =>
    `($${bounds.from + 1}::text is null or ${xmid} >= $${bounds.from + 1})
      and ($${bounds.to + 1}::text is null or ${xmid} < $${bounds.to + 1})`
  return { bounds, isIn }
}

/** The rows of half of the MIDs each, where the statement has `bounds` and its rows this order. */
export const halves = (
  { sql, values }: Statement,
  { from, to }: Bounds,
  order: readonly OrderColumn[],
): Parts => ({
  async statements(tx) {
    const middle = (await isLarge(tx)) ? await middleMid(tx) : null
    if (middle === null) return null
    return [
      { sql, values: values.with(to, middle) },
      { sql, values: values.with(from, middle) },
    ]
  },
  compare: (a, b) => compareRows(order, a, b),
})

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

/** Merchants from which on a report is read in two parts. */
export const leastInParts = 100_000

/** Whether there are at least `leastInParts` merchants, by the statistics of PostgreSQL. */
export async function isLarge(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ large: boolean }>(
    `select reltuples >= $1 as large from pg_class where oid = 'merchant'::regclass`,
    [leastInParts],
  )
  return row!.large
}

/** The MID before which half of the merchants are, by statistics of PostgreSQL; null without them. */
export async function middleMid(tx: Tx): Promise<string | null> {
  const [row] = await tx.query<{ middle: string | null }>(
    `select bounds[1 + array_length(bounds, 1) / 2] as middle
      from (select histogram_bounds::text::text[] as bounds from pg_stats
        where schemaname = current_schema and tablename = 'merchant' and attname = 'xmid') s`,
  )
  return row?.middle ?? null
}

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
