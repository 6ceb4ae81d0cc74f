import { Button, ProgressBar, Spinner } from '@blueprintjs/core'
import type { Purpose, Work } from '../../machines/upload.machine.ts'
import { count } from '../format.ts'

type Props = { purpose: Purpose; percent: number; work: Work | null; onCancel: () => void }

const doing = (purpose: Purpose) => ({
  reading: 'Reading the file',
  checking: 'Checking the rows',
  storing: purpose === 'preview' ? 'Comparing with what is stored' : 'Storing the rows',
})

/** Percent while the file is sent, then how far the server is with its rows. */
export const ImportProgress = ({ purpose, percent, work, onCancel }: Props) => {
  const isSent = percent >= 100
  const share = !isSent ? percent / 100 : work?.total ? Math.min(1, work.done / work.total) : undefined
  const rows = !work ? '' : work.total !== null ? `, ${count(work.done)} of ${count(work.total)} rows` : work.done > 0 ? `, ${count(work.done)} rows` : ''
  return (
    <>
      <Spinner size={20} aria-label="Uploading" />
      <div className="import-progress">
        <span>{isSent ? `${doing(purpose)[work?.phase ?? 'reading']}${rows}` : `Uploading, ${Math.round(percent)} %`}</span>
        <ProgressBar aria-label="Progress" value={share} animate={share === undefined} stripes={share === undefined} intent="primary" />
      </div>
      <Button text="Cancel" onClick={onCancel} />
    </>
  )
}
