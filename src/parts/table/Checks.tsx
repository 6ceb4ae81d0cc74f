import type { ReactNode } from 'react'

/** Which rows of a table are selected; `isReady` is false while they cannot be changed. */
export type RowSelection = {
  isReady: boolean
  isSelected: (id: number) => boolean
  page: 'none' | 'some' | 'all'
  toggle: (id: number) => void
  togglePage: () => void
}

/** A cell with a checkbox; a click beside it opens no row. */
const CheckCell = ({ children }: { children: ReactNode }) => (
  <td className="table-check" onClick={(event) => event.stopPropagation()}>
    <label>{children}</label>
  </td>
)

/** The checkbox that selects the rows of the page. */
export const HeadCheck = ({ selection }: { selection: RowSelection }) => (
  <CheckCell>
    <input
      type="checkbox"
      aria-label="Select the page"
      ref={(input) => {
        if (input) input.indeterminate = selection.page === 'some'
      }}
      checked={selection.page === 'all'}
      disabled={!selection.isReady}
      onChange={selection.togglePage}
    />
  </CheckCell>
)

/** The checkbox of a row, which `name` calls as its first cell does. */
export const RowCheck = ({ selection, id, name }: { selection: RowSelection; id: number; name: string }) => (
  <CheckCell>
    <input
      type="checkbox"
      aria-label={`Select ${name}`}
      checked={selection.isSelected(id)}
      disabled={!selection.isReady}
      onChange={() => selection.toggle(id)}
    />
  </CheckCell>
)

/** Before it is known what is selected. */
export const noSelection: RowSelection = {
  isReady: false,
  isSelected: () => false,
  page: 'none',
  toggle: () => {},
  togglePage: () => {},
}
