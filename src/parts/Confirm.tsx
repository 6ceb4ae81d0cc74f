import { Dialog, DialogBody, DialogFooter, type Intent } from '@blueprintjs/core'
import { useEffect, useId, useRef, type ReactNode } from 'react'
import { BusyButton } from './BusyButton.tsx'
import { useFocusBack } from './hooks/focusBack.ts'

type ConfirmChoice = { text: string; intent?: Intent; onClick: () => void; loading?: boolean }
type Props = {
  /** The question. */
  children: ReactNode
  /** What stands below the question and is no part of its name. */
  below?: ReactNode
  /** The answers, the harmless one last: it has the focus, and Escape chooses it. */
  choices: readonly ConfirmChoice[]
}

/** A modal question. Rendered only while it is asked. */
export const Confirm = ({ children, below, choices }: Props) => {
  const id = useId()
  const harmless = choices.at(-1)
  useFocusBack()
  return (
    <Dialog
      isOpen
      role="alertdialog"
      className="confirm"
      aria-labelledby={id}
      canOutsideClickClose={false}
      shouldReturnFocusOnClose={false}
      transitionDuration={100}
      onClose={() => harmless?.onClick()}
    >
      <DialogBody>
        <p id={id} className="confirm-question">
          {children}
        </p>
        {below}
      </DialogBody>
      <DialogFooter
        minimal
        actions={choices.map(({ text, intent, onClick, loading }) => (
          <BusyButton
            key={text}
            text={text}
            intent={intent}
            onClick={onClick}
            isBusy={loading}
            autoFocus={text === harmless?.text}
          />
        ))}
      />
    </Dialog>
  )
}

/**
 * The ref of an element that takes the focus when a question is closed by what it asked for, which may remove
 * the button that asked it. A question that is left gives the focus back to that button (everywhere 5).
 */
export const useFocusAfterQuestion = (isAsked: boolean, isBusy: boolean) => {
  const element = useRef<HTMLDivElement>(null)
  const wasBusy = useRef(false)
  useEffect(() => {
    // The page cannot take the focus until the dialog has been removed.
    if (wasBusy.current && !isAsked)
      requestAnimationFrame(() => element.current?.focus({ preventScroll: true }))
    wasBusy.current = isAsked && isBusy
  }, [isAsked, isBusy])
  return element
}
