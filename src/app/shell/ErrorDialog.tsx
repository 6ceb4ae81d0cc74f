import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useSelector } from '@xstate/react'
import { useRef, useState } from 'react'
import type { ShownFailure } from '../../../machines/failure.machine.ts'
import type { Portal } from '../../api/portal.ts'

/** The server's message, and the id under which its log has the details (errors 4). */
export const ErrorDialog = ({ failure }: Pick<Portal, 'failure'>) => {
  const shown = useSelector(failure, (snapshot) => snapshot.context.failure)
  const last = useRef<ShownFailure | null>(null)
  if (shown) last.current = shown
  const dismiss = () => failure.send({ type: 'dismiss' })
  return (
    <Dialog
      isOpen={shown !== null}
      title="That's an error."
      className="shell-dialog"
      portalClassName="shell-over-all"
      transitionDuration={100}
      onClose={dismiss}
    >
      <DialogBody>
        <p className="shell-message">{last.current?.message}</p>
        {last.current?.requestId && <RequestId key={last.current.requestId} id={last.current.requestId} />}
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
