import { useSelector } from '@xstate/react'
import { useEffect, useRef } from 'react'
import type { Portal } from '../portal.ts'

/** The error dialog of the login page, in the browser's own dialog. */
export const PlainFailure = ({ failure }: Pick<Portal, 'failure'>) => {
  const shown = useSelector(failure, (snapshot) => snapshot.context.failure)
  const dialog = useRef<HTMLDialogElement>(null)
  const isShown = shown !== null
  useEffect(() => {
    if (isShown) dialog.current?.showModal()
  }, [isShown])
  if (!shown) return null
  return (
    <dialog ref={dialog} className="plain-dialog" aria-labelledby="plain-failure" onClose={() => failure.send({ type: 'dismiss' })}>
      <h2 id="plain-failure">That's an error.</h2>
      <p>{shown.message}</p>
      {shown.requestId && (
        <p className="plain-detail">
          Request <code>{shown.requestId}</code>
        </p>
      )}
      <button type="button" className="plain-button plain-primary" onClick={() => failure.send({ type: 'dismiss' })}>
        Dismiss
      </button>
    </dialog>
  )
}
