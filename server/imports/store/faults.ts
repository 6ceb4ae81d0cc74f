import type { RefusedFile, RowFault } from '../../../schemas/imports/imports.ts'
import { maxListedFaults } from '../../config/importLimits.ts'
import { HttpError } from '../../http/errors.ts'
import { placeOfRow } from '../formats/sheet.ts'
import type { ImportStep } from './step.ts'

/**
 * Faults that one check found: those that are listed, in the order of the rows, and how many there are in
 * all.
 */
export type FaultList = { rows: RowFault[]; count: number }

/** A check of the staged rows by SQL. */
type Check<R> = {
  /** The heading of the column that its faults name. */
  column: string
  /** Selects row and value of each fault, and more columns where `describe` needs them. */
  query: string
  values?: unknown[]
  describe: (fault: R) => string
}

/** Runs a check: counts all faults, stores their rows in `rejected`, and describes those that are listed. */
export async function collectFaults<R extends { row: number; value: string }>(
  { sql, faultLimit }: ImportStep,
  { column, query, values = [], describe }: Check<R>,
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

type FirstFaults = Omit<RefusedFile, 'error' | 'requestId'>

/**
 * A fault with its row as the file counts it and, where sheets are merged, the name of its sheet (mapping 6).
 */
function locateFault(fault: RowFault, sheets: readonly string[]): RowFault {
  if (fault.row === null) return fault
  const { row, sheet } = placeOfRow(fault.row, sheets)
  return sheet === null ? fault : { ...fault, row, message: `Sheet ${sheet}: ${fault.message}` }
}

/**
 * The first faults of all checks, in the order of the rows, and how many more there are (imports 15).
 * `sheets` are those of a file whose sheets are merged.
 */
export function firstFaults(lists: FaultList[], sheets: readonly string[] = []): FirstFaults {
  const count = lists.reduce((sum, faults) => sum + faults.count, 0)
  const rows = lists
    .flatMap((faults) => faults.rows)
    .sort((one, other) => (one.row ?? 0) - (other.row ?? 0))
    .slice(0, maxListedFaults)
    .map((fault) => locateFault(fault, sheets))
  return { rows, more: count - rows.length }
}

/** Throws HttpError 422 with the first faults when there are any (imports 15). */
export function refuseFaults(lists: FaultList[], sheets: readonly string[] = []): void {
  const refused = firstFaults(lists, sheets)
  if (refused.rows.length > 0)
    throw new HttpError(422, `${describeFaults(refused)}. Nothing was stored.`, refused)
}

/** 'Row 4: …', or how many faults there are and the first one. */
function describeFaults({ rows, more }: FirstFaults): string {
  const count = rows.length + more
  const { row, message } = rows[0]!
  return count === 1
    ? `Row ${row}: ${message}`
    : `The file has ${count.toLocaleString('en-US')} faults; the first is in row ${row}: ${message}`
}

/**
 * Throws the refusal of a whole file with the first faults of its rows beside it, so that one answer says
 * all that is wrong (imports 15).
 */
export function refuseWithFaults(
  refusal: HttpError,
  lists: FaultList[],
  sheets: readonly string[] = [],
): never {
  const refused = firstFaults(lists, sheets)
  if (refused.rows.length === 0) throw refusal
  const { status, message, fields, extra } = refusal
  const sentence = message.replace(/(?:\. Nothing was stored)?\.?$/, '')
  throw new HttpError(status, `${sentence}. ${describeFaults(refused)}. Nothing was stored.`, {
    ...extra,
    ...(fields && { fields }),
    ...refused,
  })
}
