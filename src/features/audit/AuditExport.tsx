import type { AuditFilters } from '../../../schemas/api/audit/audit.ts'
import { ExportButtons } from '../entity/list/ExportButtons.tsx'
import type { AuditMachines } from './machines.ts'

type Props = { machine: AuditMachines['download']; filters: AuditFilters }

/** Downloads every entry that passes the filters, not the shown page alone (permissions 12). */
export const AuditExport = ({ machine, filters }: Props) => (
  <div className="audit-export">
    <ExportButtons machine={machine} query={filters} />
  </div>
)
