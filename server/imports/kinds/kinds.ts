import { imports, type ImportName } from '../../../schemas/imports/imports.ts'
import type { ImportKind } from '../store/importKind.ts'
import { chargebacks } from './chargebacks.ts'
import { compensation } from './compensation.ts'
import { dailyVolume } from './dailyVolume.ts'
import { merchants } from './merchants.ts'
import { createKind } from './plain.ts'
import { tinValidations } from './tinValidation.ts'

/** What a kind does beyond its row; the others need no more than that. */
const specialKinds: Partial<Record<string, ImportKind>> = {
  merchant: merchants,
  chargeback: chargebacks,
  tinvalidation: tinValidations,
  compdata: compensation,
  dailyvolume: dailyVolume,
}

/** How a kind of import is stored. */
export const importKind = (name: ImportName): ImportKind => specialKinds[name] ?? createKind(imports[name])
