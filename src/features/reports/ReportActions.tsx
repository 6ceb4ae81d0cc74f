import { Button, ControlGroup, HTMLSelect, Spinner } from '@blueprintjs/core'
import { DownloadIcon, LockIcon, UnlockIcon } from '@blueprintjs/icons'
import { useEffect, useRef, useState } from 'react'
import type { ExportFormat } from '../../../schemas/api/reports.ts'
import { chosenMonth } from '../../forms/reportInputs.ts'
import type { Send, Snapshot } from './report.ts'

type Props = { snapshot: Snapshot; send: Send; formId: string }

const formatNames: Record<ExportFormat, string> = { xlsx: '.xlsx', csv: '.csv', nacha: 'NACHA' }

/**
 * What can be done with the chosen report; Lock and Unlock only where they are offered (specification,
 * sections 2, 4 and 6).
 */
export const ReportActions = ({ snapshot, send, formId }: Props) => {
  const { report, allowed: may, valid } = snapshot.context
  const [wanted, setWanted] = useState<ExportFormat>('xlsx')
  const formats = report?.formats ?? []
  const format = formats.includes(wanted) ? wanted : (formats[0] ?? 'xlsx')
  const isReady = snapshot.matches('ready')
  const month = chosenMonth(snapshot.context)
  const isLocked = month?.state === 'Locked'
  const isLocking = snapshot.matches('locking')
  const isCancellable = snapshot.matches('generating') || snapshot.matches('downloading')
  const underWay = isLocking
    ? 'Locking the month'
    : snapshot.matches('generating')
      ? 'Generating the report'
      : isCancellable
        ? 'Preparing the download'
        : null
  const first = useFocusAfterwards(isReady)
  return (
    <div className="report-actions">
      <Button
        ref={first}
        type="submit"
        form={formId}
        intent="primary"
        text="Generate Report"
        disabled={!valid || !isReady}
      />
      <ControlGroup>
        <Button
          icon={<DownloadIcon />}
          text="Download Report"
          disabled={!valid || !isReady}
          onClick={() => send({ type: 'download', format })}
        />
        <HTMLSelect
          aria-label="Format"
          iconProps={{ title: undefined, 'aria-hidden': true }}
          value={format}
          options={formats.map((value) => ({ value, label: formatNames[value] }))}
          onChange={({ currentTarget }) => setWanted(currentTarget.value as ExportFormat)}
        />
      </ControlGroup>
      {may.lock && month && !isLocked && (
        <Button
          icon={<LockIcon />}
          text="Lock Report"
          disabled={!isReady}
          onClick={() => send({ type: 'lock' })}
        />
      )}
      {may.unlock && month && isLocked && (
        <Button
          icon={<UnlockIcon />}
          text="Unlock Report"
          disabled={!isReady}
          onClick={() => send({ type: 'unlock' })}
        />
      )}
      <div role="status" className="report-progress">
        {underWay && (
          <>
            <Spinner size={20} aria-label={underWay} />
            <span>{underWay}</span>
          </>
        )}
      </div>
      {isCancellable && <Button text="Cancel" autoFocus onClick={() => send({ type: 'cancel' })} />}
    </div>
  )
}

/** The focus that was on what is gone now (Cancel, a dialog) goes back to the first button. */
const useFocusAfterwards = (isReady: boolean) => {
  const button = useRef<HTMLButtonElement>(null)
  const wasReady = useRef(isReady)
  useEffect(() => {
    const hasReturned = isReady && !wasReady.current
    wasReady.current = isReady
    if (!hasReturned) return
    // The page behind a dialog is out of reach until the dialog has gone.
    const frame = requestAnimationFrame(() => {
      if (document.activeElement === document.body) button.current?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [isReady])
  return button
}
