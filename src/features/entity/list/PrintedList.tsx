import { HTMLTable } from '@blueprintjs/core'
import { useActor } from '@xstate/react'
import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { loadMachine } from '../../../../machines/load.machine.ts'
import type { Column, Entity, Row } from '../../../../schemas/entities/entity.ts'
import { columnTitle, propertyOf } from '../../../../schemas/entities/lists/columns.ts'
import { formatCell, formatCount, isFigure } from '../../../parts/format.ts'
import { useActorEnvironment } from '../../../parts/hooks/actorEnvironment.ts'
import { paperTables, type PaperTable } from '../../../parts/table/paperTables.ts'

type PaperProps = {
  entity: Entity
  columns: readonly Column[]
  /** The search and the filters in words. */
  inForce: readonly string[]
}

type Props = PaperProps & {
  machine: () => typeof loadMachine
  /** Called when the print dialog was closed, or the rows could not be read. */
  onEnd: () => void
}

/** Reads all rows, shows them on paper alone, and opens the browser's print dialog. */
export const PrintedList = ({ machine, onEnd, ...paper }: Props) => {
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
  return createPortal(<PrintedTable {...paper} rows={snapshot.context.result as Row[]} />, document.body)
}

const alignment = (column: Column) => (isFigure(column) ? 'table-figures' : undefined)

const PrintedTable = ({ entity, columns, inForce, rows }: PaperProps & { rows: readonly Row[] }) => {
  const heads = columns.map((column) => columnTitle(column, propertyOf(entity, column)))
  const lines = rows.map((row) =>
    columns.map((column) => formatCell(column, propertyOf(entity, column), row)),
  )
  const tables = paperTables(heads.map((head, at) => [head, ...lines.map((line) => line[at]!)]))
  return (
    <section className="printed-list">
      <h1>{entity.title}</h1>
      {inForce.map((text) => (
        <p key={text}>{text}</p>
      ))}
      <p>{`${formatCount(rows.length)} ${rows.length === 1 ? 'row' : 'rows'}`}</p>
      {tables.map((table, at) => (
        <PrintedColumns
          key={table.columns.join()}
          {...{ table, columns, heads, rows, lines }}
          caption={tables.length > 1 ? `Columns, part ${at + 1} of ${tables.length}` : null}
        />
      ))}
    </section>
  )
}

type ColumnsProps = {
  table: PaperTable
  columns: readonly Column[]
  heads: readonly string[]
  rows: readonly Row[]
  /** The texts of each row, one for each of the columns. */
  lines: readonly (readonly string[])[]
  /** Null where all columns stand in one table. */
  caption: string | null
}

const PrintedColumns = ({ table, columns, heads, rows, lines, caption }: ColumnsProps) => (
  <HTMLTable compact style={{ fontSize: `${table.size}px` }}>
    {caption !== null && <caption>{caption}</caption>}
    <colgroup>
      {table.columns.map((at, place) => (
        <col key={at} style={{ width: `${table.widths[place]}%` }} />
      ))}
    </colgroup>
    <thead>
      <tr>
        {table.columns.map((at) => (
          <th key={at} scope="col" className={alignment(columns[at]!)}>
            {heads[at]}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row, line) => (
        <tr key={row.id}>
          {table.columns.map((at) => (
            <td key={at} className={alignment(columns[at]!)}>
              {lines[line]![at]}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </HTMLTable>
)
