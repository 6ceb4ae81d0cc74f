import { Classes, HTMLTable } from '@blueprintjs/core'
import { CaretDownIcon, CaretUpIcon } from '@blueprintjs/icons'
import type { MouseEvent, ReactNode } from 'react'
import { Link, type To } from 'react-router-dom'

export type TableColumn = {
  field: string
  head: string
  /** Figures stand at the right. */
  numeric?: boolean
  /** Cannot be sorted by. */
  unsortable?: boolean
}
type SortHeadProps = { column: TableColumn; sort: string; onSort: (sort: string) => void }

/** Upwards, downwards, then back to the list's own order. */
const nextOrder = { none: 'ascending', ascending: 'descending', descending: 'none' } as const

/** A heading that sorts its column. */
export const SortHead = ({
  column: { field, head, numeric: figures, unsortable },
  sort,
  onSort,
}: SortHeadProps) => {
  const order = sort === field ? 'ascending' : sort === `-${field}` ? 'descending' : 'none'
  const wanted = { none: '', ascending: field, descending: `-${field}` }[nextOrder[order]]
  if (unsortable) return <th scope="col">{head}</th>
  return (
    <th scope="col" aria-sort={order} className={figures ? 'table-figures' : undefined}>
      <button type="button" className="sort-head" onClick={() => onSort(wanted)}>
        {head}
        <span className="sort-mark" aria-hidden="true">
          {order === 'ascending' && <CaretUpIcon />}
          {order === 'descending' && <CaretDownIcon />}
        </span>
      </button>
    </th>
  )
}

type Row = { id: number }
export type ExtraColumn = { head: string; render: (id: number) => ReactNode }
type TableProps<R extends Row> = {
  /** Names the region that scrolls. */
  label: string
  columns: readonly TableColumn[]
  rows: readonly R[]
  cell: (column: TableColumn, row: R) => string
  /** '{field}' or '-{field}' */
  sort: string
  onSort: (sort: string) => void
  /** Where the first cell of a row leads; absent when this viewer may not open rows. */
  link?: (row: R) => { to: To; state?: unknown }
  onOpen?: (row: R) => void
  /** Grey lines in place of rows, before the first rows are there. */
  skeletonRows?: number
  /** The rows shown are those of the previous question. */
  stale?: boolean
  /** One more column, drawn by its row's id. */
  extraColumn?: ExtraColumn
  /** In place of rows: an empty or failed list. */
  emptyState?: ReactNode
}

/**
 * A selected text, a modified click or a click on what has acted already (a link) is no wish to open the row.
 */
const isPlainClick = (event: MouseEvent) =>
  !event.defaultPrevented &&
  !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) &&
  !window.getSelection()?.toString()

/** Rows under sortable headings. The headings and the first column stay in sight while the rest scrolls. */
export const Table = <R extends Row>({
  label,
  columns,
  rows,
  cell,
  sort,
  onSort,
  link,
  onOpen,
  skeletonRows: skeleton = 0,
  stale,
  extraColumn: extra,
  emptyState: instead,
}: TableProps<R>) => {
  const [first, ...others] = columns
  return (
    <div className="table-frame">
      <div
        className="table-scroll"
        role="region"
        aria-label={label}
        aria-busy={stale || skeleton > 0}
        tabIndex={0}
      >
        <HTMLTable
          compact
          className={`table${stale ? ' table-stale' : ''}${onOpen ? ' table-opens' : ''}${columns.length <= roomy ? ' table-roomy' : ''}`}
        >
          <thead>
            <tr>
              {columns.map((column) => (
                <SortHead key={column.field} column={column} sort={sort} onSort={onSort} />
              ))}
              {extra && <th scope="col">{extra.head}</th>}
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: skeleton }, (_, index) => (
              <tr key={`skeleton-${index}`} aria-hidden="true">
                {columns.map(({ field }) => (
                  <td key={field}>
                    <span className={Classes.SKELETON}>Loading</span>
                  </td>
                ))}
              </tr>
            ))}
            {rows.map((row) => (
              <tr key={row.id} onClick={onOpen && ((event) => isPlainClick(event) && onOpen(row))}>
                {first && (
                  <th scope="row" className="table-first">
                    {link ? (
                      <Link {...link(row)} id={rowLinkId(row.id)}>
                        {cell(first, row) || `#${row.id}`}
                      </Link>
                    ) : (
                      cell(first, row)
                    )}
                  </th>
                )}
                {others.map((column) => (
                  <Cell key={column.field} column={column} text={cell(column, row)} />
                ))}
                {extra && <td onClick={(event) => event.preventDefault()}>{extra.render(row.id)}</td>}
              </tr>
            ))}
          </tbody>
        </HTMLTable>
      </div>
      {instead !== undefined && <div className="table-instead">{instead}</div>}
    </div>
  )
}

/** The link of a row, so that the focus can go back to it. */
export const rowLinkId = (id: number): string => `row-${id}`

/** With no more columns than this a text has room. */
const roomy = 4

/** From this many characters on a text may be cut off, and is told in full by its title. */
const long = 24

const Cell = ({ column, text }: { column: TableColumn; text: string }) => (
  <td className={column.numeric ? 'table-figures' : undefined}>
    <span className="table-text" title={text.length > long ? text : undefined}>
      {text}
    </span>
  </td>
)
