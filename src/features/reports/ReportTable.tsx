import { HTMLTable } from '@blueprintjs/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ReportColumn, ReportRow } from '../../../schemas/api/reports.ts'
import { SortHead } from '../../parts/Table.tsx'
import { isNumeric, formatValue, columnWidths } from './cells.ts'

/**
 * Whether the page is just being printed; what depends on it is drawn before the browser takes its picture.
 */
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

type Props = {
  label: string
  columns: readonly ReportColumn[]
  /** In the order they are shown. */
  rows: readonly ReportRow[]
  totals: ReportRow | null
  sort: string
  onSort: (sort: string) => void
  busy: boolean
  /** In place of rows. */
  emptyState?: ReactNode
}

/** In pixels, as report.css has it. */
const rowHeight = 32
/** Up to so many rows are all drawn: a browser's own search finds them, and a printer prints them. */
const maxUnvirtualizedRows = 300
/** On paper there is nothing to scroll, and no end to 100,000 rows. */
const maxPrintedRows = 2_000

/** Columns, rows and totals of a result. Of many rows only those in sight are drawn. */
export const ReportTable = ({
  label,
  columns,
  rows,
  totals,
  sort,
  onSort,
  busy,
  emptyState: instead,
}: Props) => {
  const box = useRef<HTMLDivElement>(null)
  const isPrinting = useIsPrinting()
  const isFew = rows.length <= maxUnvirtualizedRows
  const virtual = useVirtualizer({
    count: rows.length,
    enabled: !isFew,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 16,
  })
  const digits = useMemo(() => columnWidths(columns, rows, totals), [columns, rows, totals])
  const seen = virtual.getVirtualItems()
  const all = isFew || isPrinting
  const [from, to] = all
    ? [0, Math.min(rows.length, isFew ? maxUnvirtualizedRows : maxPrintedRows)]
    : [seen[0]?.index ?? 0, (seen.at(-1)?.index ?? -1) + 1]
  const wide = `calc(${digits.reduce((sum, digit) => sum + digit, 0)}ch + ${digits.length * 26}px)`
  return (
    <div className="table-frame">
      <div
        ref={box}
        className="table-scroll report-scroll"
        role="region"
        aria-label={label}
        aria-busy={busy}
        tabIndex={0}
      >
        <HTMLTable
          compact
          className={`table report-table${busy ? ' table-stale' : ''}`}
          style={{ minWidth: wide }}
          aria-rowcount={rows.length + (totals ? 2 : 1)}
        >
          <colgroup>
            {columns.map(({ name }, at) => (
              <col key={name} style={{ width: `calc(${digits[at]}ch + 26px)` }} />
            ))}
          </colgroup>
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
          <tbody>
            {!all && <SpacerRow rows={from} of={columns.length} />}
            {rows.slice(from, to).map((row, at) => (
              <BodyRow key={from + at} index={from + at} columns={columns} row={row} />
            ))}
            {!all && <SpacerRow rows={rows.length - to} of={columns.length} />}
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
      {instead !== undefined && <div className="table-instead">{instead}</div>}
      {!isFew && isPrinting && rows.length > maxPrintedRows && (
        <p>
          The first {maxPrintedRows.toLocaleString('en-US')} of {rows.length.toLocaleString('en-US')} rows are
          printed. Download the report for all of them.
        </p>
      )}
    </div>
  )
}

/** The room of rows out of sight. */
const SpacerRow = ({ rows, of }: { rows: number; of: number }) =>
  rows > 0 && (
    <tr aria-hidden="true" className="report-space">
      <td colSpan={of} style={{ height: rows * rowHeight }} />
    </tr>
  )

const BodyRow = memo(
  ({ index, columns, row }: { index: number; columns: readonly ReportColumn[]; row: ReportRow }) => (
    <tr aria-rowindex={index + 2}>
      <Cells columns={columns} row={row} />
    </tr>
  ),
)

const Cells = ({ columns, row }: { columns: readonly ReportColumn[]; row: ReportRow }) =>
  columns.map(({ name, datatype }, at) => {
    const value = row[name]
    const text = formatValue(datatype, value)
    const isNegative = typeof value === 'number' && value < 0 && isNumeric(datatype)
    const look =
      [isNumeric(datatype) && 'table-figures', isNegative && 'report-negative'].filter(Boolean).join(' ') ||
      undefined
    return at === 0 ? (
      <th key={name} scope="row" className={`table-first ${look ?? ''}`} title={titleOf(text)}>
        {text}
      </th>
    ) : (
      <td key={name} className={look} title={titleOf(text)}>
        {text}
      </td>
    )
  })

/** From this many characters on a text may be cut off, and is told in full by its title. */
const long = 24
const titleOf = (text: string) => (text.length > long ? text : undefined)
