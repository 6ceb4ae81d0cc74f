import type { Import } from '../../../schemas/imports/imports.ts'
import { collectFaults, type FaultList } from '../store/faults.ts'
import type { ImportKind } from '../store/importKind.ts'
import { merchantsOutOfScope, unknownMids, duplicateKeys } from '../store/merchantChecks.ts'
import type { ImportStep } from '../store/step.ts'
import { createUpsert } from '../store/upsert.ts'

/** Where blank cells keep what is stored, a record that is new must bring what is required. */
async function missingInNewRecords(step: ImportStep, definition: Import, matches: string): Promise<FaultList[]> {
  if (!definition.blankKeepsStored) return []
  const heads = definition.columns.filter((column) => column.required && !definition.key.includes(column.field))
  const key = definition.columns.find(({ field }) => field === definition.key.at(-1))!
  const found: FaultList[] = []
  for (const { head, field } of heads)
    found.push(
      await collectFaults(
        step,
        head,
        `select s.row, s.${key.field} as value from staging s where s.${field} is null and not exists (select from ${definition.table} m where ${matches})`,
        [],
        ({ value }) => `${head} is required: ${key.head} ${value} is new`,
      ),
    )
  return found
}

/** A kind that needs no more than its row: its records are told apart by its key and hang on a merchant by `xmid`. */
export function createKind(definition: Import, more: Partial<ImportKind> = {}): ImportKind {
  const upsert = createUpsert(definition, { stamp: { batchid: '$1::int' } })
  return {
    definition,
    upsert,
    parameters: ({ batch }) => [batch],
    check: async (step) => [
      await duplicateKeys(step, definition),
      await merchantsOutOfScope(step),
      ...(await missingInNewRecords(step, definition, upsert.matches)),
    ],
    warn: unknownMids,
    ...more,
  }
}
