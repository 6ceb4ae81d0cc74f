import { Dialog } from '@blueprintjs/core'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { passwordMachine } from '../../../machines/account/password.machine.ts'
import { PresentPasswordStep } from './AccountSteps.tsx'

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
      <PresentPasswordStep
        error={snapshot.context.error}
        isBusy={isBusy}
        onSubmit={(password) => send({ type: 'confirm', password })}
        onCancel={cancel}
      />
    </Dialog>
  )
}
