import { useSelector } from '@xstate/react'
import { useEffect, useId, useRef } from 'react'
import type { loadMachine } from '../../../machines/load.machine.ts'
import type { Portal } from '../../api/portal.ts'
import { useFocusBack } from '../../parts/hooks/focusBack.ts'
import { useTerms } from '../../parts/hooks/useTerms.ts'

type ErrorProps = Pick<Portal, 'failure'> & {
  /** The id of the element with the focus after it, where nothing had it before. */
  otherwise: string
}

/** The error dialog of the login page, a native `dialog`: Blueprint is not loaded here. */
const LoginErrorDialog = ({ failure, otherwise }: ErrorProps) => {
  const error = useSelector(failure, (snapshot) => snapshot.context.failure)
  const dialog = useRef<HTMLDialogElement>(null)
  useFocusBack(otherwise)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      ref={dialog}
      className="plain-dialog"
      aria-labelledby="plain-failure"
      onClose={() => failure.send({ type: 'dismiss' })}
    >
      <h2 id="plain-failure">That's an error.</h2>
      <p>{error?.message}</p>
      {error?.requestId && (
        <p className="plain-detail">
          Request <code>{error.requestId}</code>
        </p>
      )}
      <button
        type="button"
        className="plain-button plain-primary"
        onClick={() => failure.send({ type: 'dismiss' })}
      >
        Dismiss
      </button>
    </dialog>
  )
}

type Props = Pick<Portal, 'session' | 'failure'> & { terms: typeof loadMachine }

/** The terms after the password and before the portal: read-only text and Accept (session 3). */
export const TermsStep = ({ session, failure, terms }: Props) => {
  const id = useId()
  const isAsked = useSelector(session, (snapshot) => snapshot.matches('termsRequired'))
  const isBusy = useSelector(session, (snapshot) => snapshot.matches({ termsRequired: 'accepting' }))
  const hasError = useSelector(failure, (snapshot) => snapshot.context.failure !== null)
  const { text, isLatest, isLoading, hasFailed, load } = useTerms(terms, isAsked, isBusy)
  return (
    <div className="login-form" aria-busy={isBusy || isLoading}>
      <label htmlFor={id} className="login-terms-title">
        Terms and Conditions
      </label>
      <textarea
        id={id}
        className="login-terms"
        readOnly
        autoFocus
        rows={14}
        value={text ?? ''}
        placeholder={hasFailed ? 'The terms could not be loaded.' : 'Loading the terms'}
      />
      <div className="login-actions">
        <button
          type="button"
          className="plain-button"
          onClick={() => session.send({ type: 'terms.decline' })}
        >
          Cancel
        </button>
        {hasFailed && (
          <button type="button" className="plain-button" onClick={load}>
            Try again
          </button>
        )}
        <button
          type="button"
          className="plain-button plain-primary"
          disabled={!isLatest}
          aria-disabled={isBusy}
          onClick={() => session.send({ type: 'terms.accept' })}
        >
          {isBusy && <span className="plain-spinner" />}
          Accept
        </button>
      </div>
      {hasError && <LoginErrorDialog failure={failure} otherwise={id} />}
    </div>
  )
}
