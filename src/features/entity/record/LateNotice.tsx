import { Callout } from '@blueprintjs/core'
import { Link } from 'react-router-dom'
import type { StoredRecord } from '../../../../machines/modal.machine.ts'
import { adjustment } from '../../../../schemas/entities/adjustment.ts'
import { formatCount } from '../../../parts/format.ts'

/** Leads to what is proposed of a merchant that became known after its months were locked (money 21). */
export const LateNotice = ({ row }: { row: StoredRecord }) => {
  const files = Number(row.latemonths)
  if (files === 0) return null
  return (
    <Callout compact role="note" aria-label="Late MID" className="record-review">
      <p>
        This MID was in {files === 1 ? 'a file' : `${formatCount(files)} files`} of locked months before it
        was known. What it would have paid is in{' '}
        <Link to={`${adjustment.path}?search=${encodeURIComponent(String(row.xmid))}`}>Adjustments</Link>.
      </p>
    </Callout>
  )
}
