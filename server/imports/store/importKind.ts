import type { Import, ImportName } from '../../../schemas/imports/imports.ts'
import type { Sql, Tx } from '../../db/db.ts'
import type { TableReport } from '../rows/table.ts'
import type { FaultList } from './faults.ts'
import type { ImportStep, FileContext } from './step.ts'
import type { createUpsert } from './upsert.ts'

/** One kind of import on the server: how its staged rows are checked against, and stored among, those that are there. */
export type ImportKind = {
  definition: Import
  upsert: ReturnType<typeof createUpsert>
  /** What $1, $2 … of the upsert's statements are. */
  parameters: (step: ImportStep) => unknown[]
  /** The kind whose imports wait for these too, because they write the same table. */
  waitsFor?: ImportName
  /** Finds out what a file is of, from its rows, its title lines or its name; throws a Refusal (422) when it does not say. */
  describeFile?: (sql: Sql, report: TableReport, filename: string) => Promise<FileContext>
  /** Refuses (409) to touch what is closed; held until the transaction ends. */
  refuseClosedMonth?: (tx: Tx, date: string, timeZone: string) => Promise<void>
  check: (step: ImportStep) => Promise<FaultList[]>
  /** What a person should know although nothing is wrong. */
  warn?: (step: ImportStep) => Promise<string[]>
  /** Makes room for the rows of the file; answers what it did, for a warning. Counts alone on a dry run. */
  removeReplacedRows?: (step: ImportStep) => Promise<string[]>
  /** Writes what else follows from the rows, once they are stored. */
  afterStore?: (step: ImportStep & { batch: number }) => Promise<void>
  /** The file stands for all there is of its date and part, so a later one of the same forbids its undo. */
  replaces?: true
}
