import type { Sql } from '../db.ts'
import type { Import, ImportName } from '../../schemas/imports.ts'
import { dailyVolume } from './daily.ts'
import type { Faults } from './faults.ts'
import { merchants } from './merchants.ts'
import type { upsertOf } from './upsert.ts'

/** What the steps of an import are given once the rows of the file are in `staging`. `batch` is null on a dry run. */
export type Step = { sql: Sql; scope: number[] | null; date: string | null; batch: number | null }

/** One kind of import on the server: how its staged rows are checked against, and stored among, those that are there. */
export type Kind = {
  it: Import
  upsert: ReturnType<typeof upsertOf>
  /** What $1, $2 … of the upsert's statements are. */
  parameters: (step: Step) => unknown[]
  check: (step: Step) => Promise<Faults[]>
  /** What a person should know although nothing is wrong. */
  warn?: (step: Step) => Promise<string[]>
  /** Makes room for the rows of the file; answers what it did, for a warning. Counts alone on a dry run. */
  clear?: (step: Step) => Promise<string[]>
  /** Names of the control totals and the staged column each sums, in dollars. */
  totals: Record<string, string>
}

export const kinds: Record<ImportName, Kind> = { merchant: merchants, dailyvolume: dailyVolume }
