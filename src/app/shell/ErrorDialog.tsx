import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useSelector } from '@xstate/react'
import { useState } from 'react'
import type { ShownFailure } from '../../../machines/failure.machine.ts'
import type { Portal } from '../../api/portal.ts'
import { useFocusBack } from '../../parts/hooks/focusBack.ts'

/** The server's message, and the id under which its log has the details (errors 4). */
export const ErrorDialog = ({ failure }: Pick<Portal, 'failure'>) => {
  const shown = useSelector(failure, (snapshot) => snapshot.context.failure)
  return shown && <ShownError {...shown} dismiss={() => failure.send({ type: 'dismiss' })} />
}

type Props = ShownFailure & { dismiss: () => void }

/** Rendered anew for each failure: Dismiss has the focus of the first opening alone. */
const ShownError = ({ message, requestId, dismiss }: Props) => {
  useFocusBack()
  return (
    <Dialog
      isOpen
      shouldReturnFocusOnClose={false}
      title="That's an error."
      className="shell-dialog"
      portalClassName="shell-over-all"
      transitionDuration={100}
      onClose={dismiss}
    >
      <DialogBody>
        <p className="shell-message">{message}</p>
        {requestId && <RequestId key={requestId} id={requestId} />}
      </DialogBody>
      <DialogFooter actions={<Button text="Dismiss" intent="primary" autoFocus onClick={dismiss} />} />
    </Dialog>
  )
}

const RequestId = ({ id }: { id: string }) => {
  const [isCopied, setCopied] = useState(false)
  // A page without TLS has no clipboard; the id can still be selected.
  const clipboard = (navigator as Partial<Navigator>).clipboard
  return (
    <p className="shell-request">
      Request <code>{id}</code>
      {clipboard && (
        <Button
          size="small"
          variant="minimal"
          text={isCopied ? 'Copied' : 'Copy'}
          onClick={() => void clipboard.writeText(id).then(() => setCopied(true))}
        />
      )}
    </p>
  )
}
