import type { RefusedFile, RowFault } from '../../../schemas/imports/imports.ts'
import { maxListedFaults } from '../../config/importLimits.ts'
import { HttpError } from '../../http/errors.ts'
import type { ImportStep } from './step.ts'

/**
 * Faults that one check found: those that are listed, in the order of the rows, and how many there are in
 * all.
 */
export type FaultList = { rows: RowFault[]; count: number }

/**
 * Runs a query that returns row and value of each fault, and more columns where `describe` needs them for the
 * message. All faults are counted and their rows stored in `rejected`; messages are made for those that are
 * listed.
 */
export async function collectFaults<R extends { row: number; value: string }>(
  { sql, faultLimit }: ImportStep,
  column: string,
  query: string,
  values: unknown[],
  describe: (fault: R) => string,
): Promise<FaultList> {
  const found = await sql.query<R & { total: number }>(
    `with fault as (${query}), noted as (insert into rejected select row from fault)
      select *, (count(*) over ())::int as total from fault order by row limit ${faultLimit ?? 'all'}`,
    values,
  )
  const rows = found.map((fault) => ({
    row: fault.row,
    column,
    value: fault.value.slice(0, 100),
    message: describe(fault),
  }))
  return { rows, count: found[0]?.total ?? 0 }
}

/** The first faults of all checks, in the order of the rows, and how many more there are (imports 15). */
export function firstFaults(lists: FaultList[]): { rows: RowFault[]; more: number } {
  const count = lists.reduce((sum, faults) => sum + faults.count, 0)
  const rows = lists
    .flatMap((faults) => faults.rows)
    .sort((one, other) => (one.row ?? 0) - (other.row ?? 0))
    .slice(0, maxListedFaults)
  return { rows, more: count - rows.length }
}

/** Throws HttpError 422 with the first faults when there are any (imports 15). */
export function refuseFaults(lists: FaultList[]): void {
  const { rows, more } = firstFaults(lists)
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
