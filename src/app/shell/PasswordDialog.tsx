import { Button, Dialog, DialogBody, DialogFooter, Spinner } from '@blueprintjs/core'
import { useId } from 'react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { passwordMachine } from '../../../machines/account/password.machine.ts'
import { loadable } from '../../parts/loadable.tsx'

const PasswordForm = loadable(
  async () => (await import('./PasswordForm.tsx')).PasswordForm,
  <Spinner className="shell-password-loading" aria-label="Loading" />,
)

type Props = {
  snapshot: SnapshotFrom<typeof passwordMachine>
  send: ActorRefFrom<typeof passwordMachine>['send']
  /** Called after the closing animation, to return the focus. */
  onClosed: () => void
}

/** The dialog 'Change Password' (session 11). Its form is empty each time it opens. */
export const PasswordDialog = ({ snapshot, send, onClosed }: Props) => {
  const formId = useId()
  const isBusy = !snapshot.matches('editing') && !snapshot.matches('closed')
  const cancel = () => send({ type: 'cancel' })
  return (
    <Dialog
      isOpen={!snapshot.matches('closed')}
      title="Change Password"
      className="shell-dialog"
      canOutsideClickClose={false}
      transitionDuration={100}
      shouldReturnFocusOnClose={false}
      onClose={cancel}
      onClosed={onClosed}
    >
      <DialogBody>
        <PasswordForm formId={formId} busy={isBusy} onSave={(password) => send({ type: 'save', password })} />
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Cancel" disabled={isBusy} onClick={cancel} />
            <Button text="Save" intent="primary" type="submit" form={formId} loading={isBusy} />
          </>
        }
      />
    </Dialog>
  )
}
