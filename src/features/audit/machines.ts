import type { loadMachine } from '../../../machines/load.machine.ts'
import type { AuditFilters } from '../../../schemas/api/audit/audit.ts'
import type { DownloadMachine } from '../../parts/downloads.ts'
import type { ListMachine } from '../entity/list.ts'
import type { ViewMachines } from '../views/views.ts'

/** What the screen Audit calls, as src/api/provide/{audit,views}.ts provide it. */
export type AuditMachines = {
  list: (filters: AuditFilters) => ListMachine
  entry: (id: number) => typeof loadMachine
  download: DownloadMachine
  views: ViewMachines
}
