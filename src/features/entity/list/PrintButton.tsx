import { Callout } from '@blueprintjs/core'
import { PrintIcon } from '@blueprintjs/icons'
import { useEffect, useState } from 'react'
import type { loadMachine } from '../../../../machines/load.machine.ts'
import type { ListQuery } from '../../../../schemas/api/paging.ts'
import { maxPrintedRows } from '../../../../schemas/constants.ts'
import type { Column, Entity } from '../../../../schemas/entities/entity.ts'
import { BusyButton } from '../../../parts/BusyButton.tsx'
import { formatCount } from '../../../parts/format.ts'
import { loadable } from '../../../parts/loadable.tsx'
import type { ListAddress } from '../address.ts'

/** Its code is fetched with the first print. */
const PrintedList = loadable(async () => (await import('./PrintedList.tsx')).PrintedList)

/** What a list is asked for besides its page. */
export type WholeQuery = Pick<ListQuery, 'search' | 'sort' | 'filter'>

type Props = {
  entity: Entity
  columns: readonly Column[]
  address: ListAddress
  total: number
  /** The search and the filters in words. */
  inForce: readonly string[]
  allRows: (query: WholeQuery) => typeof loadMachine
}

/** Prints all rows; also by Ctrl+P or Cmd+P, while no dialog is open (lists 17). */
export const PrintButton = ({ entity, columns, address, total, inForce, allRows }: Props) => {
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
          {...{ entity, columns, inForce }}
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
