import type { Sql } from '../../db/db.ts'

/**
 * What the steps of an import are given once the rows of the file are in `staging`. `batch` is null on a dry run,
 * `listed` is how many faults are told, null for all.
 */
export type ImportStep = {
  sql: Sql
  scope: number[] | null
  date: string | null
  part: string
  batch: number | null
  faultLimit: number | null
}

/** What a file is of: a day or month (ISO), and a part of it, the processor. */
export type FileContext = { date: string | null; part: string; warnings: string[] }
