import type { decisionMachine } from '../../../machines/decision.machine.ts'
import type { loadMachine } from '../../../machines/load.machine.ts'
import type { AuditFilters } from '../../../schemas/api/audit/audit.ts'
import type { DownloadMachine } from '../drive/downloads.ts'
import type { ListMachine } from '../entity/list.ts'

/** What the screen Audit calls, as src/api/provide/audit.ts provides it. */
export type AuditMachines = {
  list: (filters: AuditFilters) => ListMachine
  entry: (id: number) => typeof loadMachine
  download: DownloadMachine
  savedFilters: typeof loadMachine
  keepFilter: (filters: AuditFilters) => typeof decisionMachine
  removeFilter: typeof decisionMachine
}
