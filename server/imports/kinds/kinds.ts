import { imports, type ImportName } from '../../../schemas/imports/imports.ts'
import type { Kind } from '../store/importKind.ts'
import { chargebacks } from './chargebacks.ts'
import { compensation } from './compensation.ts'
import { dailyVolume } from './dailyVolume.ts'
import { merchants } from './merchants.ts'
import { plain } from './plain.ts'
import { tins } from './tinValidation.ts'

/** What a kind does beyond its row; the others need no more than that. */
const special: Partial<Record<string, Kind>> = {
  merchant: merchants,
  chargeback: chargebacks,
  tinvalidation: tins,
  compdata: compensation,
  dailyvolume: dailyVolume,
}

/** How a kind of import is stored. */
export const kindOf = (name: ImportName): Kind => special[name] ?? plain(imports[name])
