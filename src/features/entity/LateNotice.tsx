import { Callout } from '@blueprintjs/core'
import { Link } from 'react-router-dom'
import { adjustment } from '../../../schemas/entities/adjustment.ts'
import { formatCount } from '../../parts/format.ts'

type Props = {
  xmid: string
  /** The files of locked months in which the MID was unknown, and about which something was proposed. */
  files: number
}

/** Leads to what is proposed of a merchant that became known after its months were locked (money 21). */
export const LateNotice = ({ xmid, files }: Props) => (
  <Callout compact role="note" aria-label="Late MID" className="record-review">
    <p>
      This MID was in {files === 1 ? 'a file' : `${formatCount(files)} files`} of locked months before it was
      known. What it would have paid is in{' '}
      <Link to={`${adjustment.path}?search=${encodeURIComponent(xmid)}`}>Adjustments</Link>.
    </p>
  </Callout>
)
