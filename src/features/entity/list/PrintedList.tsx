import { HTMLTable } from '@blueprintjs/core'
import { useActor } from '@xstate/react'
import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { loadMachine } from '../../../../machines/load.machine.ts'
import { columnTitle, propertyOf } from '../../../../schemas/entities/columns.ts'
import type { Entity, Row } from '../../../../schemas/entities/entity.ts'
import { formatCell, formatCount } from '../../../parts/format.ts'
import { useActorEnvironment } from '../../../parts/hooks/actorEnvironment.ts'

type Props = {
  entity: Entity
  machine: () => typeof loadMachine
  /** Called when the print dialog was closed, or the rows could not be read. */
  onEnd: () => void
}

/** Reads all rows, shows them on paper alone, and opens the browser's print dialog. */
export const PrintedList = ({ entity, machine, onEnd }: Props) => {
  const [allRows] = useState(machine)
  const [snapshot, send] = useActor(allRows, useActorEnvironment())
  const latestEnd = useRef(onEnd)
  useEffect(() => {
    latestEnd.current = onEnd
  })
  useEffect(() => send({ type: 'load' }), [send])
  const isRead = snapshot.matches('shown')
  const hasFailed = snapshot.matches('failed')
  useEffect(() => {
    if (hasFailed) latestEnd.current()
    if (!isRead) return
    const end = () => latestEnd.current()
    window.addEventListener('afterprint', end)
    window.print()
    return () => window.removeEventListener('afterprint', end)
  }, [isRead, hasFailed])
  if (!isRead) return null
  return createPortal(<PrintedTable entity={entity} rows={snapshot.context.result as Row[]} />, document.body)
}

const PrintedTable = ({ entity, rows }: { entity: Entity; rows: readonly Row[] }) => (
  <section className="printed-list">
    <h1>{entity.title}</h1>
    <p>{`${formatCount(rows.length)} ${rows.length === 1 ? 'row' : 'rows'}`}</p>
    <HTMLTable compact>
      <thead>
        <tr>
          {entity.list.columns.map((column) => (
            <th key={column.field} scope="col">
              {columnTitle(column, propertyOf(entity, column))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            {entity.list.columns.map((column) => (
              <td key={column.field}>{formatCell(column, propertyOf(entity, column), row)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </HTMLTable>
  </section>
)
