import { Button } from '@blueprintjs/core'
import { MinusIcon } from '@blueprintjs/icons'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { validateButtonId } from '../../parts/hooks/emailValidation.ts'

/** Has the focus after the dialog closes: the button that opens it, or the one that shows the card again. */
export const focusAfterValidation = () =>
  (
    document.getElementById(validateButtonId) ??
    document.getElementById(unfoldButtonId) ??
    document.getElementById('main')
  )?.focus()

const unfoldButtonId = 'support'
const folded = 'folded'
const keyOf = (username: string) => `technology-portal.support.${username}`
const readFolded = (username: string): boolean => {
  try {
    return localStorage.getItem(keyOf(username)) === folded
  } catch {
    return false
  }
}
const writeFolded = (username: string, isFolded: boolean) => {
  try {
    if (isFolded) localStorage.setItem(keyOf(username), folded)
    else localStorage.removeItem(keyOf(username))
  } catch {
    // A browser that forbids storage keeps the choice until the page is closed.
  }
}

/** Whether this user folded the card in this browser (shell 9). The focus follows to what takes its place. */
export const useFoldedCard = (username: string) => {
  const [isFolded, setFolded] = useState(() => readFolded(username))
  const hasChosen = useRef(false)
  useEffect(() => {
    if (!hasChosen.current) return
    // After the card that goes has moved the focus to the screen.
    const frame = requestAnimationFrame(() =>
      document.getElementById(isFolded ? unfoldButtonId : validateButtonId)?.focus(),
    )
    return () => cancelAnimationFrame(frame)
  }, [isFolded])
  const fold = (next: boolean) => {
    hasChosen.current = true
    writeFolded(username, next)
    setFolded(next)
  }
  return { isFolded, fold }
}

/** Stands in the footer while the card is folded, where it covers nothing. */
export const UnfoldButton = ({ onUnfold }: { onUnfold: () => void }) => (
  <Button id={unfoldButtonId} size="small" variant="minimal" text="Validate your email" onClick={onUnfold} />
)

type Props = { onValidate: () => void; onFold: () => void }

/** Shown at the bottom right until the user has a validated email (shell 9). */
export const SupportCard = ({ onValidate, onFold }: Props) => {
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
      <div className="shell-support-actions">
        <Button id={validateButtonId} text="Validate" intent="primary" onClick={onValidate} />
        <Button variant="minimal" icon={<MinusIcon />} text="Fold" onClick={onFold} />
      </div>
    </aside>
  )
}
