import { HTMLTable } from '@blueprintjs/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Link } from 'react-router-dom'
import type { ReportColumn, ReportRow } from '../../../schemas/api/reports.ts'
import { formatCount } from '../../parts/format.ts'
import { SortHead, titleOfLongText } from '../../parts/table/Table.tsx'
import { isNumeric, formatValue, columnWidths } from './cells.ts'

/** True while the page is printed. Renders synchronously, because the page is taken right after the event. */
const useIsPrinting = (): boolean => {
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

type Props = {
  label: string
  columns: readonly ReportColumn[]
  /** In the order in which they are shown. */
  rows: readonly ReportRow[]
  totals: ReportRow | null
  sort: string
  onSort: (sort: string) => void
  busy: boolean
  /** Shown below the headings when there are no rows. */
  emptyState?: ReactNode
}

/** In pixels, equal to the height of a row in report.css. */
const rowHeight = 32
/** Up to this many rows all are drawn, so that the browser's search and a printer find them (reports 6). */
const maxUnvirtualizedRows = 300
/** The most rows that are printed of a longer result (reports 6). */
const maxPrintedRows = 2_000

/** Columns, rows and totals of a result. */
export const ReportTable = (props: Props) => {
  const { label, columns, rows, totals, busy, emptyState } = props
  const frame = useRef<HTMLDivElement>(null)
  const drawn = useDrawnRows(rows.length, frame)
  const widths = useMemo(() => columnWidths(columns, rows, totals), [columns, rows, totals])
  const minWidth = `calc(${widths.reduce((sum, width) => sum + width, 0)}ch + ${widths.length * 26}px)`
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
          style={{ minWidth }}
          aria-rowcount={rows.length + (totals ? 2 : 1)}
        >
          <colgroup>
            {columns.map(({ name }, index) => (
              <col key={name} style={{ width: `calc(${widths[index]}ch + 26px)` }} />
            ))}
          </colgroup>
          <HeadRow {...props} />
          <tbody>
            <SpacerRow rowCount={drawn.from} columnCount={columns.length} />
            {rows.slice(drawn.from, drawn.to).map((row, offset) => (
              <BodyRow key={drawn.from + offset} index={drawn.from + offset} columns={columns} row={row} />
            ))}
            {drawn.hasSpacers && <SpacerRow rowCount={rows.length - drawn.to} columnCount={columns.length} />}
          </tbody>
          {totals && (
            <tfoot>
              <tr aria-rowindex={rows.length + 2}>
                <Cells columns={columns} row={totals} />
              </tr>
            </tfoot>
          )}
        </HTMLTable>
      </div>
      {emptyState !== undefined && <div className="table-instead">{emptyState}</div>}
      {drawn.isCutForPrint && (
        <p>
          The first {formatCount(maxPrintedRows)} of {formatCount(rows.length)} rows are printed. Download the
          report for all of them.
        </p>
      )}
    </div>
  )
}

/**
 * The range of rows to draw: all of a short result, the first ones for a printer, else those in sight,
 * between spacers of the height of the others.
 */
const useDrawnRows = (rowCount: number, frame: RefObject<HTMLDivElement | null>) => {
  const isPrinting = useIsPrinting()
  const isShort = rowCount <= maxUnvirtualizedRows
  const virtualizer = useVirtualizer({
    count: rowCount,
    enabled: !isShort,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 16,
  })
  const inSight = virtualizer.getVirtualItems()
  if (isShort) return { from: 0, to: rowCount, hasSpacers: false, isCutForPrint: false }
  if (isPrinting) {
    const to = Math.min(rowCount, maxPrintedRows)
    return { from: 0, to, hasSpacers: false, isCutForPrint: rowCount > maxPrintedRows }
  }
  const from = inSight[0]?.index ?? 0
  return { from, to: (inSight.at(-1)?.index ?? -1) + 1, hasSpacers: true, isCutForPrint: false }
}

const HeadRow = ({ columns, sort, onSort }: Pick<Props, 'columns' | 'sort' | 'onSort'>) => (
  <thead>
    <tr aria-rowindex={1}>
      {columns.map(({ name, displayname, datatype }) => (
        <SortHead
          key={name}
          column={{ field: name, head: displayname, numeric: isNumeric(datatype) }}
          sort={sort}
          onSort={onSort}
        />
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

type CellsProps = { columns: readonly ReportColumn[]; row: ReportRow }

const BodyRow = memo(({ index, columns, row }: CellsProps & { index: number }) => (
  <tr aria-rowindex={index + 2}>
    <Cells columns={columns} row={row} />
  </tr>
))

const Cells = ({ columns, row }: CellsProps) =>
  columns.map(({ name, datatype, link }, index) => {
    const value = row[name]
    const text = formatValue(datatype, value)
    const path = link === undefined ? null : row[link]
    const content = typeof path === 'string' && text !== '' ? <Link to={path}>{text}</Link> : text
    const isNegative = typeof value === 'number' && value < 0 && isNumeric(datatype)
    const className =
      [isNumeric(datatype) && 'table-figures', isNegative && 'report-negative'].filter(Boolean).join(' ') ||
      undefined
    return index === 0 ? (
      <th key={name} scope="row" className={`table-first ${className ?? ''}`} title={titleOfLongText(text)}>
        {content}
      </th>
    ) : (
      <td key={name} className={className} title={titleOfLongText(text)}>
        {content}
      </td>
    )
  })
