import { useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { AuditFilters } from '../../../schemas/api/audit/audit.ts'
import '../../parts/parts.css'
import { useListAddress } from '../entity/address.ts'
import { SavedViews } from '../views/SavedViews.tsx'
import './audit.css'
import { AuditEntry } from './AuditEntry.tsx'
import { AuditExport } from './AuditExport.tsx'
import { AuditList } from './AuditList.tsx'
import { FilterBar } from './FilterBar.tsx'
import { readFilters, describeAuditFilters, writeFilters } from './filters.ts'
import type { AuditMachines } from './machines.ts'

const unsortable: readonly string[] = []

/** Who did what to which record: the list of the audit, its filters, and one entry (permissions 13). */
export const AuditPage = ({ machines }: { machines: AuditMachines }) => {
  const [params, setParams] = useSearchParams()
  const address = useListAddress(unsortable)
  const text = params.toString()
  const chosen = useMemo(() => readFilters(new URLSearchParams(text)), [text])
  const { search } = address.query
  const filters = useMemo(() => (search === '' ? chosen : { ...chosen, search }), [chosen, search])
  const inForce = describeAuditFilters(filters)
  const choose = (next: AuditFilters) => setParams((before) => writeFilters(before, next))
  const apply = (next: AuditFilters) =>
    setParams((before) => {
      const written = writeFilters(before, next)
      if (next.search) written.set('search', next.search)
      else written.delete('search')
      return written
    })
  return (
    <section className="entity-page audit-page">
      <header className="page-head">
        <h1>Audit</h1>
        <AuditExport machine={machines.download} filters={filters} />
      </header>
      <SavedViews machines={machines.views} />
      <FilterBar chosen={chosen} onChoose={choose} />
      {inForce.length > 0 && <p className="list-in-force">{inForce.join('. ')}</p>}
      <AuditList
        key={JSON.stringify(chosen)}
        machineOf={machines.list}
        {...{ chosen, address }}
        onClear={() => apply({})}
      />
      {typeof address.open === 'number' && (
        <AuditEntry
          key={address.open}
          id={address.open}
          machineOf={machines.entry}
          onClose={address.closeRecord}
        />
      )}
    </section>
  )
}
