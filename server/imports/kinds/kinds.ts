import { imports, type ImportName } from '../../../schemas/imports/imports.ts'
import type { Tx } from '../../db/db.ts'
import type { ImportKind } from '../store/importKind.ts'
import { chargebacks } from './chargebacks.ts'
import { compensation } from './compensation.ts'
import { createKind } from './createKind.ts'
import { dailyVolume } from './dailyVolume.ts'
import { merchants } from './merchants.ts'
import { tinValidations } from './tinValidation.ts'

/** The kinds with rules of their own, by name. */
const specialKinds: Partial<Record<string, ImportKind>> = {
  merchant: merchants,
  chargeback: chargebacks,
  tinvalidation: tinValidations,
  compdata: compensation,
  dailyvolume: dailyVolume,
}

export const importKind = (name: ImportName): ImportKind => specialKinds[name] ?? createKind(imports[name])

/**
 * Waits for other imports and undos of this kind, and of the kind that it waits for, until the transaction
 * ends.
 */
export async function acquireImportLocks(tx: Tx, name: ImportName): Promise<void> {
  for (const lock of new Set([importKind(name).waitsFor ?? name, name]))
    await tx.query('select pg_advisory_xact_lock(hashtext($1))', [`import ${lock}`])
}
