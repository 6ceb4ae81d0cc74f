import { CaretDownIcon, CaretUpIcon } from '@blueprintjs/icons'

export type TableColumn = {
  field: string
  head: string
  /** Figures stand at the right. */
  figures?: boolean
  /** Cannot be sorted by. */
  unsortable?: boolean
}
type Props = { column: TableColumn; sort: string; onSort: (sort: string) => void }

/** Upwards, downwards, then back to the list's own order. */
const next = { none: 'ascending', ascending: 'descending', descending: 'none' } as const

/** A heading that sorts its column. */
export const SortHead = ({ column: { field, head, figures, unsortable }, sort, onSort }: Props) => {
  const order = sort === field ? 'ascending' : sort === `-${field}` ? 'descending' : 'none'
  const wanted = { none: '', ascending: field, descending: `-${field}` }[next[order]]
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
