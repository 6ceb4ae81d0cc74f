import type { Import } from '../../../schemas/imports/imports.ts'
import { collectFaults, type FaultList } from '../store/faults.ts'
import type { ImportKind } from '../store/importKind.ts'
import { merchantsOutOfScope, unknownMids, duplicateKeys } from '../store/merchantChecks.ts'
import type { ImportStep } from '../store/step.ts'
import { createUpsert } from '../store/upsert.ts'

/** Where blank cells keep what is stored, a record that is new must bring what is required. */
async function missingInNewRecords(step: ImportStep, it: Import, matches: string): Promise<FaultList[]> {
  if (!it.blankKeepsStored) return []
  const heads = it.columns.filter((column) => column.required && !it.key.includes(column.field))
  const key = it.columns.find(({ field }) => field === it.key.at(-1))!
  const found: FaultList[] = []
  for (const { head, field } of heads)
    found.push(
      await collectFaults(
        step,
        head,
        `select s.row, s.${key.field} as value from staging s where s.${field} is null and not exists (select from ${it.table} m where ${matches})`,
        [],
        ({ value }) => `${head} is required: ${key.head} ${value} is new`,
      ),
    )
  return found
}

/** A kind that needs no more than its row: its records are told apart by its key and hang on a merchant by `xmid`. */
export function createKind(it: Import, more: Partial<ImportKind> = {}): ImportKind {
  const upsert = createUpsert(it, { stamp: { batchid: '$1::int' } })
  return {
    definition: it,
    upsert,
    parameters: ({ batch }) => [batch],
    check: async (step) => [
      await duplicateKeys(step, it),
      await merchantsOutOfScope(step),
      ...(await missingInNewRecords(step, it, upsert.matches)),
    ],
    warn: unknownMids,
    ...more,
  }
}
