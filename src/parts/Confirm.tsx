import { Button, Dialog, DialogBody, DialogFooter, type Intent } from '@blueprintjs/core'
import { useId, type ReactNode } from 'react'

export type ConfirmChoice = { text: string; intent?: Intent; onClick: () => void; loading?: boolean }
type Props = {
  /** The question. */
  children: ReactNode
  /** What can be answered, the safe answer last; Escape gives the last one too. */
  choices: readonly ConfirmChoice[]
}

/** A question that must be answered before anything else. Drawn only while it is asked. */
export const Confirm = ({ children, choices }: Props) => {
  const id = useId()
  const safe = choices.at(-1)
  return (
    <Dialog
      isOpen
      role="alertdialog"
      className="confirm"
      aria-labelledby={id}
      canOutsideClickClose={false}
      shouldReturnFocusOnClose={false}
      transitionDuration={100}
      onClose={() => safe?.onClick()}
    >
      <DialogBody>
        <p id={id} className="confirm-question">
          {children}
        </p>
      </DialogBody>
      <DialogFooter
        minimal
        actions={choices.map(({ text, intent, onClick, loading }) => (
          <Button
            key={text}
            text={text}
            intent={intent}
            onClick={onClick}
            loading={loading}
            autoFocus={text === safe?.text}
          />
        ))}
      />
    </Dialog>
  )
}
