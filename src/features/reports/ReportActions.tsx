import { Button, ControlGroup, HTMLSelect, Spinner } from '@blueprintjs/core'
import { DownloadIcon, LockIcon, UnlockIcon } from '@blueprintjs/icons'
import { useEffect, useRef, useState } from 'react'
import type { ExportFormat } from '../../../schemas/api/reports.ts'
import { chosenMonth } from '../../forms/reportInputs.ts'
import { placeText } from '../imports/place.ts'
import type { ReportActor, Snapshot } from './report.ts'

type Props = ReportActor & {
  formId: string
  /** The order of the rows on the screen, in which a download comes. */
  sort: string
}

const formatNames: Record<ExportFormat, string> = { xlsx: '.xlsx', csv: '.csv', nacha: 'NACHA' }

/** Generate and Download; Lock or Unlock where the viewer may and the report has a month (reports 1). */
export const ReportActions = ({ snapshot, send, formId, sort }: Props) => {
  const { valid } = snapshot.context
  const isReady = snapshot.matches('ready')
  const isCancellable = snapshot.matches('generating') || snapshot.matches('downloading')
  const firstButton = useFocusAfterReturn(isReady)
  return (
    <div className="report-actions">
      <Button
        ref={firstButton}
        type="submit"
        form={formId}
        intent="primary"
        text="Generate Report"
        disabled={!valid || !isReady}
      />
      <DownloadControl {...{ snapshot, send, sort }} />
      <LockButton {...{ snapshot, send }} />
      <Progress snapshot={snapshot} />
      {isCancellable && <Button text="Cancel" autoFocus onClick={() => send({ type: 'cancel' })} />}
    </div>
  )
}

const DownloadControl = ({ snapshot, send, sort }: Omit<Props, 'formId'>) => {
  const { report, valid } = snapshot.context
  const [selected, setSelected] = useState<ExportFormat>('xlsx')
  const formats = report?.formats ?? []
  const format = formats.includes(selected) ? selected : (formats[0] ?? 'xlsx')
  return (
    <ControlGroup>
      <Button
        icon={<DownloadIcon />}
        text="Download Report"
        disabled={!valid || !snapshot.matches('ready')}
        onClick={() => send({ type: 'download', format, sort })}
      />
      <HTMLSelect
        aria-label="Format"
        iconProps={{ title: undefined, 'aria-hidden': true }}
        value={format}
        options={formats.map((value) => ({ value, label: formatNames[value] }))}
        onChange={({ currentTarget }) => setSelected(currentTarget.value as ExportFormat)}
      />
    </ControlGroup>
  )
}

const LockButton = ({ snapshot, send }: ReportActor) => {
  const { allowed } = snapshot.context
  const month = chosenMonth(snapshot.context)
  const isLocked = month?.state === 'Locked'
  const isReady = snapshot.matches('ready')
  return (
    <>
      {allowed.lock && month && !isLocked && (
        <Button
          icon={<LockIcon />}
          text="Lock Report"
          disabled={!isReady}
          onClick={() => send({ type: 'lock' })}
        />
      )}
      {allowed.unlock && month && isLocked && (
        <Button
          icon={<UnlockIcon />}
          text="Unlock Report"
          disabled={!isReady}
          onClick={() => send({ type: 'unlock' })}
        />
      )}
    </>
  )
}

const progressText = (snapshot: Snapshot): string | null => {
  if (snapshot.matches('locking') || snapshot.matches('waiving')) return 'Locking the month'
  const { before } = snapshot.context
  const isWaiting = snapshot.matches('generating') || snapshot.matches('downloading')
  if (isWaiting && before !== null) return `Waiting, ${placeText(before)}`
  if (snapshot.matches('generating')) return 'Generating the report'
  return snapshot.matches('downloading') ? 'Preparing the download' : null
}

const Progress = ({ snapshot }: Pick<ReportActor, 'snapshot'>) => {
  const text = progressText(snapshot)
  return (
    <div role="status" className="report-progress">
      {text && (
        <>
          <Spinner size={20} aria-label={text} />
          <span>{text}</span>
        </>
      )}
    </div>
  )
}

/** The ref of a button that takes the focus when Cancel or a dialog, which had it, has been removed. */
const useFocusAfterReturn = (isReady: boolean) => {
  const button = useRef<HTMLButtonElement>(null)
  const wasReady = useRef(isReady)
  useEffect(() => {
    const hasReturned = isReady && !wasReady.current
    wasReady.current = isReady
    if (!hasReturned) return
    // The page cannot take the focus until a dialog has been removed.
    const frame = requestAnimationFrame(() => {
      if (document.activeElement === document.body) button.current?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [isReady])
  return button
}
