import { HTMLSelect } from '@blueprintjs/core'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'
import type { ReportColumn, ReportRow } from '../../../schemas/api/reports.ts'
import { formatValue, isNegative } from './cells.ts'
import { CellText, SectionHead, type ReportRowsProps } from './ReportTable.tsx'

/** Up to this many lines all are drawn, so that the browser's search finds them. */
const maxUnvirtualizedCards = 100
/** In pixels, until a card was drawn and measured. */
const estimatedHeight = 150

/** The rows of a result as cards, for narrow windows (reports 40). */
export const ReportCards = ({
  label,
  columns,
  pinned,
  lines,
  totals,
  sort,
  onSort,
  busy,
  emptyState,
}: ReportRowsProps) => (
  <section className={`report-cards${busy ? ' table-stale' : ''}`} aria-label={label} aria-busy={busy}>
    {lines.length > 0 && <SortSelect {...{ columns, sort, onSort }} />}
    {totals && (
      <div className="report-card report-card-totals">
        <Card {...{ columns, pinned }} row={totals} />
      </div>
    )}
    <CardList {...{ columns, pinned, lines }} />
    {emptyState}
  </section>
)

const SortSelect = ({ columns, sort, onSort }: Pick<ReportRowsProps, 'columns' | 'sort' | 'onSort'>) => {
  const sortable = columns.filter(({ unsortable }) => !unsortable)
  return (
    <label className="report-sort">
      Sort by
      <HTMLSelect
        value={sort}
        iconProps={{ title: undefined, 'aria-hidden': true }}
        onChange={({ currentTarget }) => onSort(currentTarget.value)}
        options={[
          { value: '', label: 'The order of the report' },
          ...sortable.flatMap(({ name, displayname }) => [
            { value: name, label: `${displayname}, up` },
            { value: `-${name}`, label: `${displayname}, down` },
          ]),
        ]}
      />
    </label>
  )
}

/** The cards; of a long result those in sight of the window. */
const CardList = ({ columns, pinned, lines }: Pick<ReportRowsProps, 'columns' | 'pinned' | 'lines'>) => {
  const list = useRef<HTMLUListElement>(null)
  const [scrollMargin, setScrollMargin] = useState(0)
  useLayoutEffect(() => {
    setScrollMargin((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY)
  }, [lines])
  const isShort = lines.length <= maxUnvirtualizedCards
  const virtualizer = useWindowVirtualizer({
    count: lines.length,
    enabled: !isShort,
    estimateSize: () => estimatedHeight,
    // A card that is not laid out has no height; with 0 every card would be visible.
    measureElement: (card) => card.getBoundingClientRect().height || estimatedHeight,
    overscan: 6,
    scrollMargin,
  })
  const inSight = virtualizer.getVirtualItems()
  const shown = isShort ? lines.map((_, index) => ({ index, start: 0 })) : inSight
  const height = isShort ? undefined : virtualizer.getTotalSize()
  const above = isShort ? 0 : (inSight[0]?.start ?? scrollMargin) - scrollMargin
  return (
    <div style={{ height }}>
      <ul ref={list} style={{ transform: above ? `translateY(${above}px)` : undefined }}>
        {shown.map(({ index }) => {
          const line = lines[index]!
          return (
            <li
              key={index}
              ref={isShort ? undefined : virtualizer.measureElement}
              data-index={index}
              aria-setsize={lines.length}
              aria-posinset={index + 1}
            >
              {'row' in line ? (
                <div className="report-card">
                  <Card {...{ columns, pinned }} row={line.row} />
                </div>
              ) : (
                <h3>
                  <SectionHead {...line} />
                </h3>
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** The first value and the pinned one, and below them every other value with its label. */
const Card = ({ columns, pinned, row }: Pick<ReportRowsProps, 'columns' | 'pinned'> & { row: ReportRow }) => {
  const textOf = ({ datatype, name }: ReportColumn) => formatValue(datatype, row[name])
  const filled = columns.filter((column) => textOf(column) !== '')
  const amount = filled.find(({ name }) => name === pinned)
  const title = filled.find((column) => column !== amount)
  return (
    <>
      <p className="report-card-head">
        <strong>{title && <CellText column={title} row={row} />}</strong>
        {amount && (
          <span>
            <small>{amount.displayname}</small>{' '}
            <b className={isNegative(amount, row[amount.name]) ? 'report-negative' : undefined}>
              {textOf(amount)}
            </b>
          </span>
        )}
      </p>
      <dl>
        {filled
          .filter((column) => column !== amount && column !== title)
          .map((column) => (
            <div key={column.name}>
              <dt>{column.displayname}</dt>
              <dd className={isNegative(column, row[column.name]) ? 'report-negative' : undefined}>
                <CellText {...{ column, row }} />
              </dd>
            </div>
          ))}
      </dl>
    </>
  )
}
