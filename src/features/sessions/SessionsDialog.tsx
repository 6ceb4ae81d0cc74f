import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { SessionList, type SessionListProps } from './SessionList.tsx'

/** `onClosed` is called once the dialog is gone, to return the focus. */
type Props = Pick<SessionListProps, 'machinesOf'> & { onClose: () => void; onClosed: () => void }

/** The own sessions, from the account menu (session 13). Rendered only while it is open. */
export const SessionsDialog = ({ machinesOf, onClose, onClosed }: Props) => {
  const close = () => {
    onClose()
    // The page cannot take the focus until the dialog has been removed.
    requestAnimationFrame(onClosed)
  }
  return (
    <Dialog
      isOpen
      title="Sessions"
      className="dialog-large"
      transitionDuration={100}
      shouldReturnFocusOnClose={false}
      onClose={close}
    >
      <DialogBody>
        <p>Where you are signed in. End what you do not know, and change your password then.</p>
        <SessionList user={null} machinesOf={machinesOf} />
      </DialogBody>
      <DialogFooter actions={<Button text="Close" onClick={close} />} />
    </Dialog>
  )
}
