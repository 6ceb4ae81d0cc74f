import { HTMLTable } from '@blueprintjs/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Fragment, memo, type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Link } from 'react-router-dom'
import type { ReportColumn, ReportRow } from '../../../schemas/api/reports.ts'
import { formatCount } from '../../parts/format.ts'
import { SortHead, titleOfLongText } from '../../parts/table/Table.tsx'
import {
  columnLengths,
  columnStyles,
  columnWidths,
  formatValue,
  isNegative,
  isNumeric,
  paperStyles,
} from './cells.ts'
import { rowsOf, type ShownLine } from './shownRows.ts'

/** A heading that may be broken behind a low line, as the name of a permission. */
const withBreaks = (head: string) =>
  head.split(/(?<=_)/).map((part, at) => (
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ))

/** True while the page is printed. Renders synchronously, because the page is taken right after the event. */
export const useIsPrinting = (): boolean => {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    const begin = () => flushSync(() => setPrinting(true))
    const end = () => setPrinting(false)
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
    }
  }, [])
  return isPrinting
}

/** What the rows of a result are drawn from, as a table or as cards. */
export type ReportRowsProps = {
  label: string
  columns: readonly ReportColumn[]
  /** The column of the figure: at the end of a table while the others scroll, and of a card's first line. */
  pinned: string | null
  /** In the order in which they are shown. */
  lines: readonly ShownLine[]
  totals: ReportRow | null
  sort: string
  onSort: (sort: string) => void
  busy: boolean
  /** Shown below the headings when there are no rows. */
  emptyState?: ReactNode
}

/** In pixels, equal to the height of a row in report.css. */
const rowHeight = 32
/** Up to this many lines all are drawn, so that the browser's search finds them (reports 6). */
const maxUnvirtualizedRows = 300

/** Columns, rows and totals of a result. */
export const ReportTable = (props: ReportRowsProps) => {
  const { label, columns, pinned, lines, totals, busy, emptyState } = props
  const frame = useRef<HTMLDivElement>(null)
  const drawn = useDrawnRows(lines.length, frame)
  const { least, styles, paper } = useMemo(() => {
    const lengths = columnLengths(columns, rowsOf(lines), totals)
    return {
      ...columnStyles(columns, columnWidths(columns, lengths)),
      paper: paperStyles(columns, lengths),
    }
  }, [columns, lines, totals])
  return (
    <div className="table-frame">
      <div
        ref={frame}
        className="table-scroll report-scroll"
        role="region"
        aria-label={label}
        aria-busy={busy}
        tabIndex={0}
      >
        <HTMLTable
          compact
          className={`table report-table${busy ? ' table-stale' : ''}`}
          style={{ minWidth: least, ...paper.table }}
          aria-rowcount={lines.length + (totals ? 2 : 1)}
        >
          <colgroup>
            {columns.map(({ name }, index) => (
              <col key={name} style={{ width: styles[index], ...paper.columns[index] }} />
            ))}
          </colgroup>
          <HeadRow {...props} />
          <tbody>
            <SpacerRow rowCount={drawn.from} columnCount={columns.length} />
            {lines.slice(drawn.from, drawn.to).map((line, offset) => (
              <Line key={drawn.from + offset} index={drawn.from + offset} {...{ columns, pinned, line }} />
            ))}
            {drawn.hasSpacers && (
              <SpacerRow rowCount={lines.length - drawn.to} columnCount={columns.length} />
            )}
          </tbody>
          {totals && (
            <tfoot>
              <tr aria-rowindex={lines.length + 2}>
                <Cells {...{ columns, pinned }} row={totals} />
              </tr>
            </tfoot>
          )}
        </HTMLTable>
      </div>
      {emptyState !== undefined && <div className="table-instead">{emptyState}</div>}
    </div>
  )
}

/**
 * The range of lines to draw: all of a short result and on paper, else those in sight, between spacers of the
 * height of the others.
 */
const useDrawnRows = (count: number, frame: RefObject<HTMLDivElement | null>) => {
  const isPrinting = useIsPrinting()
  const isShort = count <= maxUnvirtualizedRows
  const virtualizer = useVirtualizer({
    count,
    enabled: !isShort,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 16,
  })
  const inSight = virtualizer.getVirtualItems()
  if (isShort || isPrinting) return { from: 0, to: count, hasSpacers: false }
  const from = inSight[0]?.index ?? 0
  return { from, to: (inSight.at(-1)?.index ?? -1) + 1, hasSpacers: true }
}

const HeadRow = ({ columns, pinned, sort, onSort }: ReportRowsProps) => (
  <thead>
    <tr aria-rowindex={1}>
      {columns.map(({ name, displayname, datatype, unsortable }) => (
        <SortHead
          key={name}
          column={{ field: name, head: displayname, numeric: isNumeric(datatype), unsortable }}
          className={name === pinned ? 'table-figures report-pinned' : undefined}
          sort={sort}
          onSort={onSort}
        >
          {withBreaks(displayname)}
        </SortHead>
      ))}
    </tr>
  </thead>
)

/** As high as the rows that are not drawn. */
const SpacerRow = ({ rowCount, columnCount }: { rowCount: number; columnCount: number }) =>
  rowCount > 0 && (
    <tr aria-hidden="true" className="report-space">
      <td colSpan={columnCount} style={{ height: rowCount * rowHeight }} />
    </tr>
  )

type CellsProps = Pick<ReportRowsProps, 'columns' | 'pinned'> & { row: ReportRow }
type LineProps = Pick<ReportRowsProps, 'columns' | 'pinned'> & { line: ShownLine; index: number }

const Line = memo(({ index, columns, pinned, line }: LineProps) =>
  'row' in line ? (
    <tr aria-rowindex={index + 2}>
      <Cells {...{ columns, pinned }} row={line.row} />
    </tr>
  ) : (
    <tr aria-rowindex={index + 2} className="report-section">
      <th scope="rowgroup" colSpan={columns.length}>
        <SectionHead {...line} />
      </th>
    </tr>
  ),
)

/** The words of a section's heading and how many rows are below it. */
export const SectionHead = ({ section, path, count }: Extract<ShownLine, { section: string }>) => (
  <span className="report-section-words">
    {path === null ? section : <Link to={path}>{section}</Link>} <small>{formatCount(count)}</small>
  </span>
)

/** The text of a cell, as a link where it names a record, a file or a finding (reports 4, reports 43). */
export const CellText = ({ column, row }: { column: ReportColumn; row: ReportRow }) => {
  const text = formatValue(column.datatype, row[column.name])
  const path = column.link === undefined ? null : row[column.link]
  return typeof path === 'string' && text !== '' ? <Link to={path}>{text}</Link> : text
}

const Cells = ({ columns, pinned, row }: CellsProps) =>
  columns.map((column, index) => {
    const { name, datatype } = column
    const value = row[name]
    const title = titleOfLongText(formatValue(datatype, value))
    const className = [
      index === 0 && 'table-first',
      isNumeric(datatype) && 'table-figures',
      isNegative(column, value) && 'report-negative',
      name === pinned && 'report-pinned',
    ]
      .filter(Boolean)
      .join(' ')
    return index === 0 ? (
      <th key={name} scope="row" className={className} title={title}>
        <CellText {...{ column, row }} />
      </th>
    ) : (
      <td key={name} className={className || undefined} title={title}>
        <CellText {...{ column, row }} />
      </td>
    )
  })
