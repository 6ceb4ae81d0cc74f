import type { Import, ImportName } from '../../../schemas/imports/imports.ts'
import type { Sql, Tx } from '../../db/db.ts'
import type { TableReport } from '../rows/table.ts'
import type { FaultList } from './faults.ts'
import type { ImportStep, FileContext } from './step.ts'
import type { createUpsert } from './upsert.ts'

/** A kind of import: how its staged rows are checked against the stored ones, and how they are stored. */
export type ImportKind = {
  definition: Import
  upsert: ReturnType<typeof createUpsert>
  /** The values of $1, $2 … in the statements of the upsert. */
  parameters: (step: ImportStep) => unknown[]
  /** Another kind that writes the same table: imports of both wait for each other (imports 19). */
  waitsFor?: ImportName
  /**
   * Finds out which date and part a file is of, from its rows, title lines or name. Throws HttpError 422 if
   * none says.
   */
  describeFile?: (sql: Sql, report: TableReport, filename: string) => Promise<FileContext>
  /**
   * Throws HttpError 409 for a closed month (months 3); keeps an open one from being locked during the
   * transaction.
   */
  refuseClosedMonth?: (tx: Tx, date: string, timeZone: string) => Promise<void>
  check: (step: ImportStep) => Promise<FaultList[]>
  /** Warnings, which stop nothing (imports 15). */
  warn?: (step: ImportStep) => Promise<string[]>
  /**
   * Removes the stored rows that the file replaces and returns warnings that count them; on a dry run only
   * counts.
   */
  removeReplacedRows?: (step: ImportStep) => Promise<string[]>
  /** Writes what follows from the rows into other tables, after they are stored. */
  afterStore?: (step: ImportStep & { batch: number }) => Promise<void>
  /**
   * The file is all there is of its date and part, so a later file of the same forbids its undo (imports 22).
   */
  replaces?: true
}
