import { useEffect, useRef, type RefObject } from 'react'
import { useBlocker } from 'react-router-dom'
import { DiscardQuestion, leavesScreen, noChanges, useCloseQuestion, type FormChanges } from './discard.tsx'
import { keepText, keptKey, type KeptText } from './keptText.ts'
import { KeptOffer, useKeptText } from './useKept.tsx'

type Props = {
  username: string
  /** Names the form among those of the user. */
  form: readonly string[]
  /** What is typed and not stored; null for nothing. */
  typed: KeptText | null
  /** Null while nothing can be typed. */
  onRestore: ((kept: KeptText) => void) | null
  /** Turns true when the form was stored: what was kept before is not offered any more then. */
  isSent: boolean
}

/**
 * For a form of the screen itself: asks before the screen is left with changes, and does what `KeptForm`
 * does. A screen that has other changes to ask about takes `KeptForm` and asks for all of them itself,
 * because the router has one blocker at a time: the newest one, and no other is asked.
 */
export const Unsaved = (props: Props) => {
  const changes = useRef({ ...noChanges })
  const blocker = useBlocker((way) => changes.current.typed !== null && leavesScreen(way))
  const discard = () => {
    changes.current.areDiscarded = true
    blocker.proceed?.()
  }
  return (
    <>
      <KeptForm {...props} changes={changes} />
      {blocker.state === 'blocked' && <DiscardQuestion onDiscard={discard} onKeep={() => blocker.reset()} />}
    </>
  )
}

/**
 * Keeps the changes of a form in this tab when the session ends, and offers them to the same user afterwards
 * (lists 12). It stays as long as its screen, and says in `changes` what would be left with it.
 */
export const KeptForm = ({
  username,
  form,
  typed,
  onRestore,
  isSent,
  changes,
}: Props & { changes: RefObject<FormChanges> }) => {
  const key = keptKey(username, ...form)
  const [kept, forget] = useKeptText(key)
  useEffect(() => {
    changes.current.typed = typed
  })
  useCloseQuestion(typed !== null)
  useEffect(
    () => () => {
      const { typed: left, areDiscarded } = changes.current
      if (left !== null && !areDiscarded) keepText(key, left)
    },
    [key, changes],
  )
  const wasSent = useRef(isSent)
  useEffect(() => {
    // A form that was sent before it was removed and drawn again may have been typed in since.
    if (isSent && !wasSent.current) forget()
    wasSent.current = isSent
  }, [isSent, forget])
  return (
    kept &&
    onRestore && (
      <KeptOffer
        onForget={forget}
        onRestore={() => {
          forget()
          onRestore(kept)
        }}
      />
    )
  )
}
