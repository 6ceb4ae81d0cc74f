import { Button, Callout } from '@blueprintjs/core'
import { use, useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import { deleteDraft, storeDraft, draftKey, readStoredDraft, type DraftValues } from './draftStorage.ts'
import { SessionContext, signedIn } from './sessionContext.ts'

type OfferProps = { onRestore: () => void; onForget: () => void }

/** Offers what was typed before the session ended (lists 12). */
export const DraftOffer = ({ onRestore, onForget }: OfferProps) => (
  <Callout compact intent="primary" className="kept-draft">
    <span>Restore what you typed?</span>
    <Button size="small" intent="primary" text="Restore" onClick={onRestore} />
    <Button size="small" text="Forget it" onClick={onForget} />
  </Callout>
)

/** The draft under a key, and what deletes it; null for none. */
export const useStoredDraft = (key: string | null) => {
  const [draft, setDraft] = useState(() => (key === null ? null : readStoredDraft(key)))
  const forget = useCallback(() => {
    if (key !== null) deleteDraft(key)
    setDraft(null)
  }, [key])
  return [draft, forget] as const
}

/** Names a draft among all forms of the user: what is asked, and about what. */
export type DraftId = readonly (string | number)[]

/** For a form that holds its values itself. */
type OwnState = {
  /** Whether the draft fits what is asked now. */
  isOffered?: (draft: DraftValues) => boolean
  onRestore?: (draft: DraftValues) => void
}

/**
 * The draft of a dialog or a step that a button opens: stored in this tab when the form is removed because
 * the session ended, and offered when the same user is asked the same again (lists 12).
 */
export const useDraft = (form: DraftId | null, own: OwnState = {}): FormDraft => {
  const { isOffered, onRestore } = own
  const session = use(SessionContext)
  const [username] = useState(() => signedIn(session))
  const key = username !== undefined && form ? draftKey(username, ...form) : null
  const [draft, forget] = useStoredDraft(key)
  const [restored, setRestored] = useState<DraftValues | null>(null)
  const typed = useRef<DraftValues | null>(null)
  useEffect(
    () => () => {
      if (key !== null && signedIn(session) !== username && typed.current !== null)
        storeDraft(key, typed.current)
    },
    [key, session, username],
  )
  const restore = (values: DraftValues) => {
    forget()
    typed.current = values
    setRestored(values)
    onRestore?.(values)
  }
  return {
    offer: draft && (isOffered?.(draft) ?? true) && (
      <DraftOffer onRestore={() => restore(draft)} onForget={forget} />
    ),
    restored,
    type: (values) => {
      typed.current = values
    },
    forget,
  }
}

type FormDraft = {
  /** The offer above the form; null if there is no draft. */
  offer: ReactNode
  /** The values of the draft once the person has restored it, to use as initial values; else null. */
  restored: DraftValues | null
  /** Call with the unsaved values, or null. They are stored as the draft when the session ends. */
  type: (values: DraftValues | null) => void
  /** Deletes the draft, for a form that was sent without it. */
  forget: () => void
}

/** The values that differ from those the form began with; null for none. */
export const changedValues = (values: DraftValues, begun: DraftValues): DraftValues | null => {
  const changed = Object.entries(values).filter(
    ([field, value]) =>
      value !== undefined && value !== '' && JSON.stringify(value) !== JSON.stringify(begun[field]),
  )
  return changed.length > 0 ? Object.fromEntries(changed) : null
}
