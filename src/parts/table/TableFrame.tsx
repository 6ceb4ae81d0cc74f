import { HTMLTable } from '@blueprintjs/core'
import type { ReactNode, Ref } from 'react'

type TableFrameProps = {
  /** The accessible name of the region that scrolls. */
  label: string
  className?: string
  region?: Ref<HTMLDivElement>
  children: ReactNode
}

/** A table in a region that scrolls, by keyboard too. */
export const TableFrame = ({ label, className, region, children }: TableFrameProps) => (
  <div className="table-frame">
    <div
      ref={region}
      className={className ? `table-scroll ${className}` : 'table-scroll'}
      role="region"
      aria-label={label}
      tabIndex={0}
    >
      <HTMLTable compact className="table">
        {children}
      </HTMLTable>
    </div>
  </div>
)
