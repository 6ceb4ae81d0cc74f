import { Dialog, DialogBody, Spinner } from '@blueprintjs/core'
import { useRef } from 'react'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { verificationMachine } from '../../../machines/account/verification.machine.ts'
import { loadable } from '../../parts/loadable.tsx'
import { focusAfterValidation } from './SupportCard.tsx'

const loading = (
  <DialogBody>
    <Spinner className="shell-email-loading" aria-label="Loading" />
  </DialogBody>
)
const steps = () => import('./AccountSteps.tsx')
const EmailStep = loadable(async () => (await steps()).EmailStep, loading)
const CodeStep = loadable(async () => (await steps()).CodeStep, loading)

type Props = {
  snapshot: SnapshotFrom<typeof verificationMachine>
  send: ActorRefFrom<typeof verificationMachine>['send']
}

/** Asks for an email, then for the code that was sent to it (email 2). Each step starts empty. */
export const EmailDialog = ({ snapshot, send }: Props) => {
  const { email, error } = snapshot.context
  const isOpen = !snapshot.matches('closed')
  const isCodeStep = snapshot.matches('askingCode') || snapshot.matches('verifying')
  const last = useRef({ isCodeStep, email })
  if (isOpen) last.current = { isCodeStep, email }
  return (
    <Dialog
      isOpen={isOpen}
      title="Email Validation"
      className="shell-dialog"
      canOutsideClickClose={false}
      isCloseButtonShown={!snapshot.matches('verifying')}
      transitionDuration={100}
      shouldReturnFocusOnClose={false}
      onClose={() => send({ type: 'close' })}
      onClosed={focusAfterValidation}
    >
      {last.current.isCodeStep ? (
        <CodeStep
          email={last.current.email ?? ''}
          error={error}
          isBusy={snapshot.matches('verifying')}
          onSubmit={(code) => send({ type: 'verify', code })}
          onBack={() => send({ type: 'back' })}
        />
      ) : (
        <EmailStep
          error={error}
          isBusy={snapshot.matches('requesting')}
          onSubmit={(typed) => send({ type: 'request', email: typed })}
        />
      )}
    </Dialog>
  )
}
