import type { Sql } from '../db.ts'
import { Refusal } from '../errors.ts'
import type { Refused, RowFault } from '../../schemas/imports.ts'
import { faultsListed } from './limits.ts'

/** Faults of a file so far: the first of them, in the order of the rows, and how many in all. */
export type Faults = { rows: RowFault[]; count: number }

/**
 * Runs a query for faults; it answers row, value and, where the sentence needs them, more columns. Everything is
 * counted, `say` is asked for those that are listed.
 */
export async function faultsOf<R extends { row: number; value: string }>(
  sql: Sql,
  column: string,
  query: string,
  values: unknown[],
  say: (row: R) => string,
): Promise<Faults> {
  const first = `select *, (count(*) over ())::int as total from (${query}) as fault order by row limit ${faultsListed}`
  const found = await sql.query<R & { total: number }>(first, values)
  const rows = found.map((one) => ({ row: one.row, column, value: one.value.slice(0, 100), message: say(one) }))
  return { rows, count: found[0]?.total ?? 0 }
}

/** Refuses a file (422) that has any fault. */
export function refuseFaults(all: Faults[]): void {
  const count = all.reduce((sum, faults) => sum + faults.count, 0)
  if (count === 0) return
  const rows = all.flatMap((faults) => faults.rows).sort((one, other) => (one.row ?? 0) - (other.row ?? 0)).slice(0, faultsListed)
  const first = rows[0]!
  const where = count === 1 ? `Row ${first.row}` : `The file has ${count.toLocaleString('en-US')} faults; the first is in row ${first.row}`
  const sentence = `${where}: ${first.message}. Nothing was stored.`
  throw new Refusal(422, sentence, { rows, more: count - rows.length } satisfies Omit<Refused, 'error'>)
}
