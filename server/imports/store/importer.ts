import type { ImportQuestion } from '../../../schemas/imports/answers.ts'
import type { Import, ImportName } from '../../../schemas/imports/imports.ts'
import type { Tx } from '../../db/db.ts'
import type { FaultList } from './faults.ts'
import type { DescribedFile, ImportStep, FileContext } from './step.ts'
import type { createUpsert } from './upsert.ts'

/** Who imports or undoes, and from which IP address. */
type ImportCause = { username: string; address: string }

/**
 * What a kind of import does: how its staged rows are checked against the stored ones, and how they
 * are stored.
 */
export type Importer = {
  definition: Import
  upsert: ReturnType<typeof createUpsert>
  /** The values of $1, $2 … in the statements of the upsert. */
  parameters: (step: ImportStep) => unknown[]
  /** Another kind that writes the same table: imports of both wait for each other (imports 19). */
  waitsFor?: ImportName
  /**
   * Finds out which date and processor a file is of. Throws HttpError 422 if two places disagree, and 409
   * with what is asked if none says it (processors 1).
   */
  describeFile?: (file: DescribedFile) => Promise<FileContext>
  /**
   * Throws HttpError 409 for a closed month (months 3); keeps an open one from being locked during the
   * transaction.
   */
  refuseClosedMonth?: (tx: Tx, date: string, timeZone: string) => Promise<void>
  /** Throws HttpError 422 for a month, an ISO first day, that is later than the current one. */
  refuseLaterMonth?: (month: string, now: Date, timeZone: string) => void
  /** Makes one row of several with the same key; where it is missing, they are faults (imports 15). */
  mergeRows?: (step: ImportStep) => Promise<{ faults: FaultList; warnings: string[] }>
  /** Checks the rows; `date` is null and `processor` blank while the file does not say them. */
  check: (step: ImportStep) => Promise<FaultList[]>
  /** Adds the processor of a file that is not known yet, before the rows are stored. */
  addProcessor?: (tx: Tx, name: string, by: ImportCause) => Promise<void>
  /** What is to be confirmed before the rows, which have no faults, are stored (imports 40). */
  ask?: (step: ImportStep) => Promise<ImportQuestion[]>
  /** Warnings, which stop nothing (imports 15). */
  warn?: (step: ImportStep) => Promise<string[]>
  /**
   * Removes the stored rows that the file replaces and returns warnings that count them; on a dry run only
   * counts.
   */
  removeReplacedRows?: (step: ImportStep) => Promise<string[]>
  /** Writes what follows from the rows into other tables, after they are stored. */
  afterStore?: (step: ImportStep & { batch: number }, tx: Tx, by: ImportCause) => Promise<void>
  /** Writes what follows from an undo of a batch into other tables, before the rows are restored. */
  beforeUndo?: (tx: Tx, batch: number) => Promise<void>
  /** Writes what follows from an undo into other tables, after the rows are restored. */
  afterUndo?: (tx: Tx, by: ImportCause) => Promise<void>
  /**
   * A file replaces all stored rows of its date and processor, so that it cannot be undone once a
   * later file has replaced its rows (imports 22).
   */
  replaces?: true
}
