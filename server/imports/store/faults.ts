import type { RefusedFile, RowFault } from '../../../schemas/imports/imports.ts'
import { maxListedFaults } from '../../config/importLimits.ts'
import { HttpError } from '../../http/errors.ts'
import type { ImportStep } from './step.ts'

/** Faults of a file so far: the first of them, in the order of the rows, and how many in all. */
export type FaultList = { rows: RowFault[]; count: number }

/**
 * Runs a query for faults; it answers row, value and, where the sentence needs them, more columns. Everything is
 * counted and its rows noted in `rejected`; `say` is asked for those that are listed.
 */
export async function collectFaults<R extends { row: number; value: string }>(
  { sql, faultLimit: listed }: ImportStep,
  column: string,
  query: string,
  values: unknown[],
  say: (row: R) => string,
): Promise<FaultList> {
  const found = await sql.query<R & { total: number }>(
    `with fault as (${query}), noted as (insert into rejected select row from fault)
      select *, (count(*) over ())::int as total from fault order by row limit ${listed ?? 'all'}`,
    values,
  )
  const rows = found.map((one) => ({
    row: one.row,
    column,
    value: one.value.slice(0, 100),
    message: say(one),
  }))
  return { rows, count: found[0]?.total ?? 0 }
}

/** The first faults of all, in the order of the rows, and how many there are beyond them. */
export function firstFaults(all: FaultList[]): { rows: RowFault[]; more: number } {
  const count = all.reduce((sum, faults) => sum + faults.count, 0)
  const rows = all
    .flatMap((faults) => faults.rows)
    .sort((one, other) => (one.row ?? 0) - (other.row ?? 0))
    .slice(0, maxListedFaults)
  return { rows, more: count - rows.length }
}

/** Refuses a file (422) that has any fault. */
export function refuseFaults(all: FaultList[]): void {
  const { rows, more } = firstFaults(all)
  const count = rows.length + more
  const first = rows[0]
  if (!first) return
  const where =
    count === 1
      ? `Row ${first.row}`
      : `The file has ${count.toLocaleString('en-US')} faults; the first is in row ${first.row}`
  throw new HttpError(422, `${where}: ${first.message}. Nothing was stored.`, { rows, more } satisfies Omit<
    RefusedFile,
    'error'
  >)
}
