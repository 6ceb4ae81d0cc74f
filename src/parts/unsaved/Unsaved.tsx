import { useEffect, useRef, useState } from 'react'
import { useBlocker } from 'react-router-dom'
import { Confirm } from '../Confirm.tsx'
import { KeptOffer } from './KeptOffer.tsx'
import { forgetKept, forgetKeptOfOthers, keepText, keptKey, readKept, type KeptText } from './keptText.ts'

/** An ended session leads here. Nothing is asked then, because no dialog can be shown any more (lists 12). */
export const loginAddress = '/login'

/** The question before unsaved changes are left (lists 12). */
export const DiscardQuestion = ({ onDiscard, onKeep }: { onDiscard: () => void; onKeep: () => void }) => (
  <Confirm
    choices={[
      { text: 'Discard', intent: 'danger', onClick: onDiscard },
      { text: 'Keep editing', onClick: onKeep },
    ]}
  >
    Discard your changes?
  </Confirm>
)

/** Lets the browser ask, in its own words, before the tab is closed with changes. */
export const useCloseQuestion = (isUnsaved: boolean) =>
  useEffect(() => {
    if (!isUnsaved) return
    const askBrowser = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', askBrowser)
    return () => window.removeEventListener('beforeunload', askBrowser)
  }, [isUnsaved])

type Props = {
  username: string
  /** Names the form among those of the user. */
  form: readonly string[]
  /** What is typed and not stored; null for nothing. */
  typed: KeptText | null
  /** Null while nothing can be typed. */
  onRestore: ((kept: KeptText) => void) | null
}

/**
 * For a form of the screen itself: asks before the screen is left with changes, keeps them in this tab when
 * the session ends, and offers them to the same user afterwards (lists 12). It stays as long as its screen.
 */
export const Unsaved = ({ username, form, typed, onRestore }: Props) => {
  const key = keptKey(username, ...form)
  const [kept, setKept] = useState(() => readKept(key))
  const latest = useRef(typed)
  const wasDiscarded = useRef(false)
  useEffect(() => {
    latest.current = typed
  })
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      latest.current !== null &&
      nextLocation.pathname !== loginAddress &&
      nextLocation.pathname !== currentLocation.pathname,
  )
  useCloseQuestion(typed !== null)
  useEffect(() => forgetKeptOfOthers(username), [username])
  useEffect(
    () => () => {
      if (latest.current !== null && !wasDiscarded.current) keepText(key, latest.current)
    },
    [key],
  )
  const discard = () => {
    wasDiscarded.current = true
    blocker.proceed?.()
  }
  const closeOffer = () => {
    forgetKept(key)
    setKept(null)
  }
  return (
    <>
      {kept && onRestore && (
        <KeptOffer
          onForget={closeOffer}
          onRestore={() => {
            closeOffer()
            onRestore(kept)
          }}
        />
      )}
      {blocker.state === 'blocked' && <DiscardQuestion onDiscard={discard} onKeep={() => blocker.reset()} />}
    </>
  )
}
