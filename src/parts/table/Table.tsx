import { Classes, HTMLTable } from '@blueprintjs/core'
import { CaretDownIcon, CaretUpIcon } from '@blueprintjs/icons'
import { memo, useState, type CSSProperties, type MouseEvent, type ReactNode } from 'react'
import { Link, type To } from 'react-router-dom'
import { wordOfHeading } from '../../../schemas/help/headingWords.ts'
import { openAnywhere } from '../anywhere.ts'
import { HeadCheck, RowCheck, type RowSelection } from './Checks.tsx'
import { ColumnEdge, sizedStyle } from './ColumnEdge.tsx'

type TableColumn = {
  field: string
  head: string
  /** Aligned to the end of the cell. */
  numeric?: boolean
  unsortable?: boolean | undefined
  /** Gets the room that the other columns leave. */
  grows?: true | undefined
  /** In pixels; as wide as its texts unless set. */
  width?: number | undefined
}
type SortHeadProps = {
  column: TableColumn
  sort: string
  onSort: (sort: string) => void
  /** Replaces the class of its kind. */
  className?: string | undefined
  edge?: ReactNode
  style?: CSSProperties | undefined
  /** The heading as it is drawn; its text unless given. */
  children?: ReactNode
}

/** The third click returns to the list's own order (lists 4). */
const nextOrder = { none: 'ascending', ascending: 'descending', descending: 'none' } as const

/** A heading that sorts its column, beside the button of the help where that has a word for it. */
export const SortHead = ({ column, sort, onSort, className, edge, style, children }: SortHeadProps) => {
  const { field, head, numeric, unsortable } = column
  const order = sort === field ? 'ascending' : sort === `-${field}` ? 'descending' : 'none'
  const nextSort = { none: '', ascending: field, descending: `-${field}` }[nextOrder[order]]
  const align = className ?? (numeric ? 'table-figures' : undefined)
  const text = <span className="table-head">{children ?? head}</span>
  const word = wordOfHeading(head)
  const help = word === null ? null : <HeadHelp word={word} />
  // The name of the column is its heading alone, without the button of the help.
  const name = help === null ? undefined : head
  if (unsortable)
    return (
      <th scope="col" className={align} style={style} aria-label={name}>
        {text}
        {help}
        {edge}
      </th>
    )
  return (
    <th scope="col" aria-sort={order} className={align} style={style} aria-label={name}>
      <button type="button" className="sort-head" onClick={() => onSort(nextSort)}>
        {text}
        <span className="sort-mark" aria-hidden="true">
          {order === 'ascending' && <CaretUpIcon />}
          {order === 'descending' && <CaretDownIcon />}
        </span>
      </button>
      {help}
      {edge}
    </th>
  )
}

/** Opens the help at a word (everywhere 4). */
const HeadHelp = ({ word }: { word: string }) => (
  <button
    type="button"
    className="head-help"
    aria-label={`Help: ${word}`}
    onClick={() => openAnywhere({ name: 'help', about: word })}
  >
    <span aria-hidden="true" />
  </button>
)

type Row = { id: number }
export type ExtraColumn = { head: string; render: (id: number) => ReactNode }
type TableProps<R extends Row> = {
  /** The accessible name of the region that scrolls. */
  label: string
  columns: readonly TableColumn[]
  rows: readonly R[]
  /** A text, or what stands in its place, such as a link. */
  cell: (column: TableColumn, row: R) => ReactNode
  /** '{field}', '-{field}' for descending, or ''. */
  sort: string
  onSort: (sort: string) => void
  /** The target of the link in a row's first cell; absent when this viewer may not open rows. */
  link?: (row: R) => { to: To; state?: unknown }
  onOpen?: (row: R) => void
  /** The number of grey lines shown before the first rows are loaded. */
  skeletonRows?: number
  /** The rows shown belong to the previous query. */
  stale?: boolean
  /** One more column, rendered from the id of its row. */
  extraColumn?: ExtraColumn
  /** A first column of checkboxes; absent where nothing is selected. */
  selection?: RowSelection | undefined
  /** Shown below the headings of an empty or failed list. */
  emptyState?: ReactNode
  /** Less space between the rows. */
  compact?: boolean
  /** Called with the width of a column whose edge was dragged, and with null when it was double-clicked. */
  onResize?: (field: string, width: number | null) => void
}

/** Rows under sortable headings. The headings and the first column stay visible while the rest scrolls. */
export const Table = <R extends Row>(props: TableProps<R>) => {
  const { label, rows, onOpen, skeletonRows = 0, stale, emptyState, compact, selection } = props
  const { columns, onDrag } = useSizedColumns(props.columns)
  const classes = [
    'table',
    stale && 'table-stale',
    onOpen && 'table-opens',
    selection && 'table-checks',
    compact && 'table-compact',
    columns.every(({ width }) => width !== undefined) && 'table-all-sized',
  ]
  return (
    <div className="table-frame">
      <div
        className="table-scroll"
        role="region"
        aria-label={label}
        aria-busy={stale || skeletonRows > 0}
        tabIndex={0}
        onScroll={({ currentTarget }) =>
          currentTarget.toggleAttribute('data-scrolled', currentTarget.scrollLeft !== 0)
        }
      >
        <HTMLTable compact className={classes.filter(Boolean).join(' ')}>
          <TableHead {...props} columns={columns} onDrag={onDrag} />
          <tbody>
            {Array.from({ length: skeletonRows }, (_, index) => (
              <SkeletonRow key={`skeleton-${index}`} columns={columns} hasCheck={selection !== undefined} />
            ))}
            {rows.map((row) => (
              <TableRow key={row.id} row={row} {...props} columns={columns} />
            ))}
          </tbody>
        </HTMLTable>
      </div>
      {emptyState !== undefined && <div className="table-instead">{emptyState}</div>}
    </div>
  )
}

/** A column whose cells cut off what is wider than it. */
type SizedColumn = TableColumn & { sized?: boolean }

/**
 * The columns, of which those with a width, and the one whose edge is dragged, are `sized`. Another width of
 * any column ends what was dragged.
 */
const useSizedColumns = (columns: readonly TableColumn[]) => {
  const widths = columns.map(({ field, width = '' }) => `${field}:${width}`).join()
  const [dragged, setDragged] = useState({ field: '', widths })
  const isSized = ({ field, width }: TableColumn) =>
    width !== undefined || (dragged.field === field && dragged.widths === widths)
  return {
    columns: columns.map((column): SizedColumn => ({ ...column, sized: isSized(column) })),
    onDrag: (field: string) => setDragged({ field, widths }),
  }
}

type TableHeadProps<R extends Row> = TableProps<R> & {
  columns: readonly SizedColumn[]
  onDrag: (field: string) => void
}

/** The first column stays visible, so it leaves room for others. */
const headStyle = ({ width }: TableColumn, index: number) =>
  width === undefined ? undefined : sizedStyle(index === 0 ? `min(${width}px, 45vw)` : `${width}px`)

const TableHead = <R extends Row>(props: TableHeadProps<R>) => {
  const { columns, sort, onSort, extraColumn, selection, onResize, onDrag } = props
  return (
    <thead>
      <tr>
        {selection && <HeadCheck selection={selection} />}
        {columns.map((column, index) => (
          <SortHead
            // Made again for another width: dragging writes into the style of the heading.
            key={`${column.field}:${column.width}`}
            column={column}
            sort={sort}
            onSort={onSort}
            className={cellClass(column)}
            style={headStyle(column, index)}
            edge={
              onResize && (
                <ColumnEdge
                  onDrag={() => onDrag(column.field)}
                  onResize={(width) => onResize(column.field, width)}
                />
              )
            }
          />
        ))}
        {extraColumn && <th scope="col">{extraColumn.head}</th>}
      </tr>
    </thead>
  )
}

const cellClass = ({ numeric, sized, grows }: SizedColumn) =>
  [numeric && 'table-figures', sized && 'table-sized', grows && 'table-grows'].filter(Boolean).join(' ') ||
  undefined

const SkeletonRow = ({ columns, hasCheck }: { columns: readonly TableColumn[]; hasCheck: boolean }) => (
  <tr aria-hidden="true">
    {hasCheck && <td className="table-check" />}
    {columns.map(({ field }) => (
      <td key={field}>
        <span className={Classes.SKELETON}>Loading</span>
      </td>
    ))}
  </tr>
)

/** Not a click that selected text, has a modifier key or was handled by a link or button within the row. */
const isPlainClick = (event: MouseEvent) =>
  !event.defaultPrevented &&
  !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) &&
  !window.getSelection()?.toString()

type TableRowProps<R extends Row> = Pick<
  TableProps<R>,
  'columns' | 'cell' | 'link' | 'onOpen' | 'extraColumn' | 'selection'
> & { row: R; columns: readonly SizedColumn[] }

const TableRow = <R extends Row>(props: TableRowProps<R>) => {
  const { row, columns, cell, link, onOpen, extraColumn, selection } = props
  const [first, ...others] = columns
  const name = (first && cell(first, row)) || `#${row.id}`
  return (
    <tr
      className={selection?.isSelected(row.id) ? 'table-selected' : undefined}
      onClick={onOpen && ((event) => isPlainClick(event) && onOpen(row))}
    >
      {selection && <RowCheck selection={selection} id={row.id} name={String(name)} />}
      {first && (
        <th
          scope="row"
          className={first.sized ? 'table-first table-sized' : 'table-first'}
          title={titleOfText(name, first.sized)}
        >
          {link ? (
            <Link {...link(row)} id={rowLinkId(row.id)} className="table-own">
              {name}
            </Link>
          ) : (
            <span className="table-own">{cell(first, row)}</span>
          )}
        </th>
      )}
      {others.map((column) => (
        <Cell
          key={column.field}
          className={cellClass(column)}
          text={cell(column, row)}
          sized={column.sized}
        />
      ))}
      {extraColumn && <td onClick={(event) => event.preventDefault()}>{extraColumn.render(row.id)}</td>}
    </tr>
  )
}

/** The id of the link of a row, by which the focus returns to it when the dialog closes. */
export const rowLinkId = (id: number): string => `row-${id}`

/** The title of a text that its cell may cut off: in a column with a width that is any text (lists 5). */
const titleOfText = (text: ReactNode, sized: boolean | undefined): string | undefined =>
  typeof text === 'string' && text.length > (sized ? 0 : 24) ? text : undefined
export const titleOfLongText = (text: string) => titleOfText(text, false)

type CellProps = { className: string | undefined; text: ReactNode; sized: boolean | undefined }

/** Memoized, because a table has hundreds of cells. */
const Cell = memo(({ className, text, sized }: CellProps) => (
  <td className={className}>
    <span className="table-text" title={titleOfText(text, sized)}>
      {text}
    </span>
  </td>
))
