import { Button, Callout } from '@blueprintjs/core'
import { FilterIcon, PrintIcon } from '@blueprintjs/icons'
import { lazy, Suspense, useEffect, useId, useState } from 'react'
import type { downloadMachine } from '../../../../machines/download.machine.ts'
import type { loadMachine } from '../../../../machines/load.machine.ts'
import type { ListQuery } from '../../../../schemas/api/paging.ts'
import { maxPrintedRows } from '../../../../schemas/constants.ts'
import type { Entity } from '../../../../schemas/entities/entity.ts'
import type { SearchRecords } from '../../../forms/context.ts'
import { formatCount } from '../../../parts/format.ts'
import type { ManyMachinesOf } from '../../many/many.ts'
import { SavedViews } from '../../views/SavedViews.tsx'
import type { ViewMachines } from '../../views/views.ts'
import type { ListAddress } from '../address.ts'
import { BusyButton } from './BusyButton.tsx'
import { ExportButtons } from './ExportButtons.tsx'
import { FilterChips } from './FilterChips.tsx'
import { PrintedList } from './PrintedList.tsx'
import './list.css'

const FilterPanel = lazy(async () => ({ default: (await import('./FilterPanel.tsx')).FilterPanel }))

/** What a list is asked for beside its page. */
export type WholeQuery = Pick<ListQuery, 'search' | 'sort' | 'filter'>

/** The file of a list, all its rows, and its views where it has any. */
export type ListMachines = {
  file: typeof downloadMachine
  allRows: (asked: WholeQuery) => typeof loadMachine
  views?: ViewMachines
  many?: ManyMachinesOf
}

type Props = {
  entity: Entity
  address: ListAddress
  total: number
  searchRecords?: SearchRecords
  machines: ListMachines
}

/** Views, filters, export and print of a list (views 3, lists 15, lists 16, lists 17). */
export const ListTools = ({ entity, address, total, searchRecords, machines }: Props) => {
  const { query, changeQuery } = address
  const { search, sort, filter } = query
  const [isOpen, setOpen] = useState(false)
  const panelId = useId()
  const buttonId = useId()
  const change = (next: string) => changeQuery({ filter: next, page: 1 })
  const close = () => {
    setOpen(false)
    document.getElementById(buttonId)?.focus()
  }
  const asked = { search, sort, filter }
  return (
    <div className="list-extras">
      {machines.views && <SavedViews machines={machines.views} />}
      <div className="list-buttons">
        <Button
          id={buttonId}
          icon={<FilterIcon />}
          text="Filter"
          aria-expanded={isOpen}
          aria-controls={isOpen ? panelId : undefined}
          onClick={() => setOpen(!isOpen)}
        />
        <ExportButtons machine={machines.file} query={asked} />
        <PrintButton key={JSON.stringify(asked)} {...{ entity, address, total }} allRows={machines.allRows} />
      </div>
      <div id={panelId} className="filter-place">
        {isOpen && (
          <Suspense fallback={<div className="filter-panel" aria-busy="true" />}>
            <FilterPanel
              {...{ entity, filter, searchRecords }}
              onApply={(next) => {
                change(next)
                close()
              }}
              onClose={close}
            />
          </Suspense>
        )}
      </div>
      <FilterChips entity={entity} filter={filter} searchRecords={searchRecords} onChange={change} />
    </div>
  )
}

type PrintProps = Pick<Props, 'entity' | 'address' | 'total'> & Pick<ListMachines, 'allRows'>

/** Prints all rows; also by Ctrl+P or Cmd+P, while no dialog is open (lists 17). */
const PrintButton = ({ entity, address, total, allRows }: PrintProps) => {
  const [state, setState] = useState<'idle' | 'printing' | 'too long'>('idle')
  const { query, hasOpen } = address
  const print = () => setState(total > maxPrintedRows ? 'too long' : 'printing')
  useEffect(() => {
    const printByKey = (event: KeyboardEvent) => {
      if (event.key !== 'p' || event.altKey || event.shiftKey || !(event.ctrlKey || event.metaKey) || hasOpen)
        return
      event.preventDefault()
      print()
    }
    window.addEventListener('keydown', printByKey)
    return () => window.removeEventListener('keydown', printByKey)
  })
  return (
    <>
      <BusyButton icon={<PrintIcon />} text="Print" isBusy={state === 'printing'} onClick={print} />
      {state === 'printing' && (
        <PrintedList
          entity={entity}
          machine={() => allRows({ search: query.search, sort: query.sort, filter: query.filter })}
          onEnd={() => setState('idle')}
        />
      )}
      {state === 'too long' && (
        <Callout intent="warning" role="alert" className="filter-fault">
          {`${formatCount(total)} rows are too many to print, ${formatCount(maxPrintedRows)} are the most: ` +
            'filter the list, or export it.'}
        </Callout>
      )}
    </>
  )
}
