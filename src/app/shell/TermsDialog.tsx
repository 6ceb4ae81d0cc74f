import { Button, Dialog, DialogBody, DialogFooter, Spinner } from '@blueprintjs/core'
import { useActor, useSelector } from '@xstate/react'
import { useEffect } from 'react'
import type { loadMachine } from '../../../machines/load.machine.ts'
import type { LatestTerms } from '../../../schemas/api/session.ts'
import type { Portal } from '../../api/portal.ts'
import { useActorEnvironment } from '../../parts/actorEnvironment.ts'

type Props = Pick<Portal, 'session'> & { terms: typeof loadMachine }

/** New terms while the user works (session 8): Agree continues, Cancel logs out. */
export const TermsDialog = ({ session, terms }: Props) => {
  const isAsked = useSelector(session, (snapshot) => snapshot.matches('termsPrompt'))
  const isBusy = useSelector(session, (snapshot) => snapshot.matches({ termsPrompt: 'accepting' }))
  const [loaded, send] = useActor(terms, useActorEnvironment())
  useEffect(() => {
    if (isAsked) send({ type: 'load' })
  }, [isAsked, send])
  const isShown = loaded.matches('shown')
  return (
    <Dialog
      isOpen={isAsked}
      title="We've Updated our Terms and Conditions"
      className="shell-dialog shell-terms"
      portalClassName="shell-over-screens"
      canOutsideClickClose={false}
      canEscapeKeyClose={false}
      isCloseButtonShown={false}
      transitionDuration={100}
    >
      <DialogBody>
        {isShown && (
          <div className="shell-terms-text" tabIndex={0} role="region" aria-label="Terms and Conditions">
            {(loaded.context.result as LatestTerms).tctext}
          </div>
        )}
        {loaded.matches('loading') && <Spinner className="shell-terms-text" aria-label="Loading the terms" />}
        {loaded.matches('failed') && <p>The terms could not be loaded.</p>}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Cancel" disabled={isBusy} onClick={() => session.send({ type: 'terms.decline' })} />
            {loaded.matches('failed') && <Button text="Try again" onClick={() => send({ type: 'load' })} />}
            <Button
              text="Agree"
              intent="primary"
              disabled={!isShown}
              loading={isBusy}
              onClick={() => session.send({ type: 'terms.accept' })}
            />
          </>
        }
      />
    </Dialog>
  )
}
