import { Button, Dialog, DialogBody, DialogFooter, Spinner } from '@blueprintjs/core'
import { useSelector } from '@xstate/react'
import type { loadMachine } from '../../../machines/load.machine.ts'
import type { Portal } from '../../api/portal.ts'
import { useTerms } from '../../parts/hooks/useTerms.ts'

type Props = Pick<Portal, 'session'> & { terms: typeof loadMachine }

/** The text comes after the dialog, which would keep the focus on its frame. */
const takeFocus = (element: HTMLElement | null) => element?.focus()

/** New terms while the user works (session 8): Agree continues, Cancel logs out. */
export const TermsDialog = ({ session, terms }: Props) => {
  const isAsked = useSelector(session, (snapshot) => snapshot.matches('termsPrompt'))
  const isBusy = useSelector(session, (snapshot) => snapshot.matches({ termsPrompt: 'accepting' }))
  const { text, isLatest, isLoading, hasFailed, load } = useTerms(terms, isAsked, isBusy)
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
        {text !== null && (
          <div
            ref={takeFocus}
            className="shell-terms-text"
            tabIndex={0}
            role="region"
            aria-label="Terms and Conditions"
          >
            {text}
          </div>
        )}
        {isLoading && text === null && (
          <Spinner className="shell-terms-text" aria-label="Loading the terms" />
        )}
        {hasFailed && <p>The terms could not be loaded.</p>}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Cancel" disabled={isBusy} onClick={() => session.send({ type: 'terms.decline' })} />
            {hasFailed && <Button text="Try again" onClick={load} />}
            <Button
              text="Agree"
              intent="primary"
              disabled={!isLatest}
              loading={isBusy}
              onClick={() => session.send({ type: 'terms.accept' })}
            />
          </>
        }
      />
    </Dialog>
  )
}
