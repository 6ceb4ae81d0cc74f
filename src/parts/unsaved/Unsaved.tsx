import { useEffect, useRef, type RefObject } from 'react'
import { useBlocker } from 'react-router-dom'
import { leavesScreen, noChanges, useCloseQuestion, type FormChanges } from './discard.ts'
import { DiscardQuestion } from './DiscardQuestion.tsx'
import { storeDraft, draftKey, type DraftValues } from './draftStorage.ts'
import { DraftOffer, useStoredDraft } from './useDraft.tsx'

type Props = {
  username: string
  /** Identifies the form among those of the user. */
  form: readonly string[]
  /** What is typed and not stored; null for nothing. */
  typed: DraftValues | null
  /** Null while nothing can be typed. */
  onRestore: ((draft: DraftValues) => void) | null
  /** True once the form was stored; an earlier draft is then no longer offered. */
  isSent: boolean
}

/**
 * For a form of the screen itself: asks before the screen is left with changes, and does what `DraftForm`
 * does. A screen that has other changes to ask about takes `DraftForm` and asks for all of them itself,
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
      <DraftForm {...props} changes={changes} />
      {blocker.state === 'blocked' && <DiscardQuestion onDiscard={discard} onKeep={() => blocker.reset()} />}
    </>
  )
}

/**
 * Stores the changes of a form as a draft in this tab when the session ends, and offers it to the same user
 * afterwards (lists 12). It stays as long as its screen, and says in `changes` what would be left with it.
 */
export const DraftForm = ({
  username,
  form,
  typed,
  onRestore,
  isSent,
  changes,
}: Props & { changes: RefObject<FormChanges> }) => {
  const key = draftKey(username, ...form)
  const [draft, forget] = useStoredDraft(key)
  useEffect(() => {
    changes.current.typed = typed
  })
  useCloseQuestion(typed !== null)
  useEffect(
    () => () => {
      const { typed: left, areDiscarded } = changes.current
      if (left !== null && !areDiscarded) storeDraft(key, left)
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
    draft &&
    onRestore && (
      <DraftOffer
        onForget={forget}
        onRestore={() => {
          forget()
          onRestore(draft)
        }}
      />
    )
  )
}
