import { HTMLTable } from '@blueprintjs/core'
import type { ReactNode } from 'react'

type Props = { label: string; heads: readonly string[]; className?: string; children: ReactNode }

/** A table of rows of a file, the number of the row first, that scrolls within its frame. */
export const FileRows = ({ label, heads, className = '', children }: Props) => (
  <div className="table-frame">
    <div className={`table-scroll ${className}`} role="region" aria-label={label} tabIndex={0}>
      <HTMLTable compact className="table">
        <thead>
          <tr>
            <th scope="col" className="table-figures import-row">Row</th>
            {heads.map((head) => (
              <th key={head} scope="col">{head}</th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </HTMLTable>
    </div>
  </div>
)
