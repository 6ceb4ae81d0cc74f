import { Button } from '@blueprintjs/core'
import { CrossIcon } from '@blueprintjs/icons'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { everyone, type Viewer } from '../../../schemas/permissions.ts'
import type { DoneMessages } from '../../api/doneMessages.ts'
import { getShownPath } from '../../parts/anywhere.ts'

/** Milliseconds; the message stays longer while the pointer or the focus is in it. */
const shownFor = 10_000

type Props = { messages: DoneMessages; viewer: Viewer }

/**
 * The message after the latest call that succeeded, read to screen readers when they have nothing else to say
 * (everywhere 3).
 */
export const DoneMessage = ({ messages, viewer }: Props) => {
  const done = useSyncExternalStore(messages.subscribe, messages.current)
  const [isHeld, setHeld] = useState(false)
  const { pathname } = useLocation()
  const close = () => {
    setHeld(false)
    messages.show(null)
  }
  useEffect(() => {
    if (done === null || isHeld) return
    const timer = setTimeout(() => messages.show(null), shownFor)
    return () => clearTimeout(timer)
  }, [done, isHeld, messages])
  return (
    <div
      className="done-message"
      aria-live="polite"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {done && (
        <p className="done-message-box">
          <span>{done.text}</span>
          {done.view !== undefined &&
            ![pathname, getShownPath()].includes(done.view) &&
            (done.viewFor ?? everyone)(viewer) && (
              <Link to={done.view} onClick={close}>
                View
              </Link>
            )}
          <Button
            variant="minimal"
            size="small"
            icon={<CrossIcon />}
            aria-label="Close message"
            onClick={close}
          />
        </p>
      )}
    </div>
  )
}
