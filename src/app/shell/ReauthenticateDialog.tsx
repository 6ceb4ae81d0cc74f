import { Button, Dialog, DialogBody, Spinner } from '@blueprintjs/core'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { passwordMachine } from '../../../machines/account/password.machine.ts'
import { loadable } from '../../parts/loadable.tsx'

const StepForm = loadable(
  async () => (await import('../../parts/StepForm.tsx')).StepForm,
  <DialogBody>
    <Spinner className="shell-email-loading" aria-label="Loading" />
  </DialogBody>,
)

type Props = {
  snapshot: SnapshotFrom<typeof passwordMachine>
  send: ActorRefFrom<typeof passwordMachine>['send']
}

/** Asks for the present password before a new one is taken, when the sign-in is long ago (session 11). */
export const ReauthenticateDialog = ({ snapshot, send }: Props) => {
  const isBusy = snapshot.matches('confirming')
  const cancel = () => send({ type: 'cancel' })
  return (
    <Dialog
      isOpen={isBusy || snapshot.matches('askingPresent')}
      title="Confirm Your Password"
      className="shell-dialog"
      canOutsideClickClose={false}
      isCloseButtonShown={!isBusy}
      transitionDuration={100}
      onClose={cancel}
    >
      <StepForm
        label="Present Password"
        parse={(text) => text}
        faultOf={(text) => (text === '' ? 'Present Password is required' : null)}
        submitText="Confirm"
        input={{ type: 'password', name: 'present', autoComplete: 'current-password' }}
        error={snapshot.context.error}
        isBusy={isBusy}
        onSubmit={(present) => send({ type: 'confirm', present })}
        back={<Button text="Cancel" disabled={isBusy} onClick={cancel} />}
      >
        <p>You signed in more than 10 minutes ago. Please give your present password to change it.</p>
      </StepForm>
    </Dialog>
  )
}
