import { Button } from '@blueprintjs/core'
import { ColumnLayoutIcon, FilterIcon } from '@blueprintjs/icons'
import { useId, useState } from 'react'
import type { downloadMachine } from '../../../../machines/download.machine.ts'
import type { loadMachine } from '../../../../machines/load.machine.ts'
import type { Entity } from '../../../../schemas/entities/entity.ts'
import { writeColumns } from '../../../../schemas/entities/lists/layout.ts'
import type { SearchRecords } from '../../../forms/context.ts'
import { loadable } from '../../../parts/loadable.tsx'
import type { BulkMachinesOf } from '../../bulk/bulk.ts'
import { SavedViews } from '../../views/SavedViews.tsx'
import type { ViewMachines } from '../../views/views.ts'
import type { ListAddress } from '../address.ts'
import { ExportButtons } from './ExportButtons.tsx'
import { FilterChips } from './FilterChips.tsx'
import { useFilterTexts } from './filterLabels.ts'
import type { ListLayout } from './layout.ts'
import '../../../parts/table/narrowTables.css'
import './list.css'
import { PrintButton, type WholeQuery } from './PrintButton.tsx'

const FilterPanel = loadable(
  async () => (await import('./FilterPanel.tsx')).FilterPanel,
  <div className="filter-panel" aria-busy="true" />,
)
const ColumnsPanel = loadable(
  async () => (await import('./ColumnsPanel.tsx')).ColumnsPanel,
  <div className="filter-panel" aria-busy="true" />,
)

/** The file of a list, all its rows, and its views where it has any. */
export type ListMachines = {
  file: typeof downloadMachine
  allRows: (query: WholeQuery) => typeof loadMachine
  views?: ViewMachines
  bulk?: BulkMachinesOf
}

type Props = {
  entity: Entity
  address: ListAddress
  layout: ListLayout
  total: number
  searchRecords?: SearchRecords
  /** Absent: the list has its columns alone. */
  machines: ListMachines | undefined
}

/** Views, filters, columns, export and print of a list (views 3, lists 15, lists 16, lists 17, lists 18). */
export const ListTools = ({ entity, address, layout, total, searchRecords, machines }: Props) => {
  const { query, changeQuery } = address
  const { search, sort, filter } = query
  const { texts, fault } = useFilterTexts(entity, filter, searchRecords)
  const panels = usePanels()
  const change = (next: string) => changeQuery({ filter: next, page: 1 })
  const apply = (next: string) => {
    change(next)
    panels.close()
  }
  const listed = { search, sort, filter }
  const inForce = [...(search === '' ? [] : [`Search: ${search}`]), ...texts.map(({ text }) => text)]
  return (
    <div className="list-extras">
      {machines?.views && <SavedViews machines={machines.views} />}
      <div className="list-buttons">
        {machines && <Button {...panels.buttonOf('Filter')} icon={<FilterIcon />} text="Filter" />}
        <Button {...panels.buttonOf('Columns')} icon={<ColumnLayoutIcon />} text="Columns" />
        {machines && <ExportButtons machine={machines.file} query={exported(entity, layout, listed)} />}
        {machines && (
          <PrintButton
            key={JSON.stringify(listed)}
            {...{ entity, address, total, inForce }}
            columns={layout.columns}
            allRows={machines.allRows}
          />
        )}
      </div>
      <div id={panels.id} className="filter-place">
        {panels.open === 'Filter' && (
          <FilterPanel {...{ entity, filter, searchRecords }} onApply={apply} onClose={panels.close} />
        )}
        {panels.open === 'Columns' && <ColumnsPanel {...{ entity, layout }} onClose={panels.close} />}
      </div>
      <FilterChips texts={texts} fault={fault} onChange={change} />
      {inForce.length > 0 && <p className="list-in-force">{inForce.join('. ')}</p>}
    </div>
  )
}

/** The columns stand in a query where they are not those of the list itself. */
const exported = (entity: Entity, layout: ListLayout, query: WholeQuery) => {
  const columns = writeColumns(
    entity,
    layout.columns.map((column) => ({ ...column, width: null })),
  )
  return columns === '' ? query : { ...query, columns }
}

type PanelName = 'Filter' | 'Columns'

/** Which panel is open, and the buttons that open them; a closed one gives the focus back to its button. */
const usePanels = () => {
  const id = useId()
  const [open, setOpen] = useState<PanelName | null>(null)
  const buttonId = (name: PanelName) => `${id}${name}`
  return {
    id,
    open,
    close: () => {
      setOpen(null)
      if (open) document.getElementById(buttonId(open))?.focus()
    },
    buttonOf: (name: PanelName) => ({
      id: buttonId(name),
      'aria-expanded': open === name,
      'aria-controls': open === name ? id : undefined,
      onClick: () => setOpen(open === name ? null : name),
    }),
  }
}
