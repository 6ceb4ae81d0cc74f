import { Button } from '@blueprintjs/core'
import { useLayoutEffect, useRef } from 'react'

/** Has the focus after the dialog closes. */
const validateButtonId = 'validate-email'
export const focusAfterValidation = () =>
  (document.getElementById(validateButtonId) ?? document.getElementById('main'))?.focus()

/** Shown at the bottom right until the user has a validated email (shell 9). */
export const SupportCard = ({ onValidate }: { onValidate: () => void }) => {
  const card = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const own = card.current
    return () => {
      if (own?.contains(document.activeElement))
        document.getElementById('main')?.focus({ preventScroll: true })
    }
  }, [])
  return (
    <aside ref={card} className="shell-support" aria-label="Support">
      <p>Validate your email to see support tickets</p>
      <Button id={validateButtonId} text="Validate" intent="primary" onClick={onValidate} />
    </aside>
  )
}
