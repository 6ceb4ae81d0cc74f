import type { Import } from '../../../schemas/imports/imports.ts'
import { collectFaults, type FaultList } from '../store/faults.ts'
import type { Importer } from '../store/importer.ts'
import { merchantsOutOfScope, unknownMids, duplicateKeys } from '../store/merchantChecks.ts'
import { isBlankCell } from '../store/staging.ts'
import type { ImportStep } from '../store/step.ts'
import { createUpsert } from '../store/upsert.ts'

/** Faults for new records without a required value, where blank cells keep what is stored (imports 13). */
async function missingInNewRecords(
  step: ImportStep,
  definition: Import,
  matches: string,
): Promise<FaultList[]> {
  if (!definition.blankKeepsStored) return []
  const requiredColumns = definition.columns.filter(
    (column) => column.required && !definition.key.includes(column.field),
  )
  const key = definition.columns.find(({ field }) => field === definition.key.at(-1))!
  const faults: FaultList[] = []
  for (const { head, field } of requiredColumns)
    faults.push(
      await collectFaults(step, {
        column: head,
        query: `select s.row, s.${key.field} as value from staging s where ${isBlankCell(field)}
          and not exists (select from ${definition.table} m where ${matches})`,
        describe: ({ value }) => `${head} is required: ${key.head} ${value} is new`,
      }),
    )
  return faults
}

/**
 * The importer of a kind with the rules that all kinds with a MID share; `more` adds to them or
 * replaces them.
 */
export function createImporter(definition: Import, more: Partial<Importer> = {}): Importer {
  const upsert = createUpsert(definition, { stamp: { batchid: '$1::int' } })
  return {
    definition,
    upsert,
    parameters: ({ batch }) => [batch],
    check: async (step) => [
      // Rows with the same key are one row already where the kind merges them.
      ...(more.mergeRows ? [] : [await duplicateKeys(step, definition)]),
      await merchantsOutOfScope(step),
      ...(await missingInNewRecords(step, definition, upsert.matches)),
    ],
    warn: unknownMids,
    ...more,
  }
}
