import { HTMLSelect } from '@blueprintjs/core'

type Props = { size: number; sizes: readonly number[]; onChange: (size: number) => void }

/** How many rows a page shows. */
export const PageSize = ({ size, sizes, onChange }: Props) => (
  <label className="page-size">
    Rows per page
    <HTMLSelect
      value={size}
      options={[...sizes]}
      iconProps={{ title: null }}
      onChange={(event) => onChange(Number(event.currentTarget.value))}
    />
  </label>
)
