import { ProgressBar } from '@blueprintjs/core'
import type { ImportProgress } from '../../../schemas/imports/importReplies.ts'
import { formatCount } from '../../parts/format.ts'
import { placeText } from './place.ts'

/** A line above a bar; without a fraction the bar only moves. */
export const ProgressLine = ({ text, fraction }: { text: string; fraction: number | undefined }) => (
  <div className="import-progress">
    <span>{text}</span>
    <ProgressBar
      aria-label="Progress"
      value={fraction}
      animate={fraction === undefined}
      stripes={fraction === undefined}
      intent="primary"
    />
  </div>
)

const phases = { waiting: 'Waiting', reading: 'Reading the file', checking: 'Checking the rows' } as const

const rowsText = ({ phase, done, total }: ImportProgress): string => {
  if (phase === 'waiting') return `, ${placeText(done)}`
  if (total !== null) return `, ${formatCount(done)} of ${formatCount(total)} rows`
  return done > 0 ? `, ${formatCount(done)} rows` : ''
}

/** The phase of an import on the server and its number of rows, or its place in the queue (imports 18). */
export const WorkProgress = ({
  work,
  isPreview = false,
}: {
  work: ImportProgress | null
  isPreview?: boolean
}) => {
  const phase = work?.phase ?? 'reading'
  const storing = isPreview ? 'Comparing with what is stored' : 'Storing the rows'
  const text = `${phase === 'storing' ? storing : phases[phase]}${work ? rowsText(work) : ''}`
  return <ProgressLine text={text} fraction={work?.total ? work.done / work.total : undefined} />
}
