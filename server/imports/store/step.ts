import type { ImportAnswers } from '../../../schemas/imports/answers.ts'
import type { Sql } from '../../db/db.ts'
import type { TableReport } from '../rows/table.ts'

/** What the steps of an import work with once the rows of the file are in `staging`. */
export type ImportStep = {
  sql: Sql
  /** The master agents whose merchants the caller may import; null for all (imports 25). */
  scope: number[] | null
  /** An ISO day; for a month its first one. */
  date: string | null
  /** The processor of compensation data; '' for the other kinds. */
  processor: string
  /** Null on a dry run. */
  batch: number | null
  /** How many faults of a check are listed; null for all. */
  faultLimit: number | null
}

/** What a file is recognised by: rows in `staging`, the lines above the heading, its name, the answers. */
export type DescribedFile = { sql: Sql; report: TableReport; filename: string; answers: ImportAnswers }

/** What a file is of; `date` and `processor` as in ImportStep. */
export type FileContext = {
  date: string | null
  processor: string
  warnings: string[]
  /** The sender said that the processor is not known yet and is to be added. */
  isNewProcessor?: boolean
}
