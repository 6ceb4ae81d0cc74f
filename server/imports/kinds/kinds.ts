import { imports, type ImportName } from '../../../schemas/imports/imports.ts'
import type { Tx } from '../../db/db.ts'
import type { Importer } from '../store/importer.ts'
import { chargebacks } from './chargebacks.ts'
import { compensation } from './compensation.ts'
import { createImporter } from './createImporter.ts'
import { dailyVolume } from './dailyVolume.ts'
import { merchants } from './merchants.ts'
import { tinValidations } from './tinValidation.ts'

/** The importers of the kinds with rules of their own, by name. */
const specialImporters: Partial<Record<string, Importer>> = {
  merchant: merchants,
  chargeback: chargebacks,
  tinvalidation: tinValidations,
  compdata: compensation,
  dailyvolume: dailyVolume,
}

export const importerOf = (name: ImportName): Importer =>
  specialImporters[name] ?? createImporter(imports[name])

/**
 * Waits for other imports and undos of this kind, and of the kind that it waits for, until the transaction
 * ends.
 */
export async function acquireImportLocks(tx: Tx, name: ImportName): Promise<void> {
  for (const lock of new Set([importerOf(name).waitsFor ?? name, name]))
    await tx.query('select pg_advisory_xact_lock(hashtext($1))', [`import ${lock}`])
}
