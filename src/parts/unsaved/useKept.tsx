import { Button, Callout } from '@blueprintjs/core'
import { use, useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import { KeeperContext, signedIn } from './keeper.ts'
import { forgetKept, keepText, keptKey, readKept, type KeptText } from './keptText.ts'

type OfferProps = { onRestore: () => void; onForget: () => void }

/** Offers what was typed before the session ended (lists 12). */
export const KeptOffer = ({ onRestore, onForget }: OfferProps) => (
  <Callout compact intent="primary" className="kept-draft">
    <span>Restore what you typed?</span>
    <Button size="small" intent="primary" text="Restore" onClick={onRestore} />
    <Button size="small" text="Forget it" onClick={onForget} />
  </Callout>
)

/** What is kept under a key, and what forgets it; null for nothing. */
export const useKeptText = (key: string | null) => {
  const [kept, setKept] = useState(() => (key === null ? null : readKept(key)))
  const forget = useCallback(() => {
    if (key !== null) forgetKept(key)
    setKept(null)
  }, [key])
  return [kept, forget] as const
}

/** Names what is typed among all forms of the user: what is asked, and about what. */
export type KeptAs = readonly (string | number)[]

/** For what has a state of its own. */
type Own = {
  /** Whether it fits what is asked now. */
  isOffered?: (kept: KeptText) => boolean
  onRestore?: (kept: KeptText) => void
}

/**
 * For what is typed in a dialog or a step that a button opens: keeps it in this tab when it is removed
 * because the session ended, and offers it when the same user is asked the same again (lists 12).
 */
export const useKept = (form: KeptAs | null, own: Own = {}): Kept => {
  const { isOffered, onRestore } = own
  const keeper = use(KeeperContext)
  const [username] = useState(() => signedIn(keeper))
  const key = username !== undefined && form ? keptKey(username, ...form) : null
  const [kept, forget] = useKeptText(key)
  const [restored, setRestored] = useState<KeptText | null>(null)
  const typed = useRef<KeptText | null>(null)
  useEffect(
    () => () => {
      if (key !== null && signedIn(keeper) !== username && typed.current !== null)
        keepText(key, typed.current)
    },
    [key, keeper, username],
  )
  const restore = (values: KeptText) => {
    forget()
    typed.current = values
    setRestored(values)
    onRestore?.(values)
  }
  return {
    offer: kept && (isOffered?.(kept) ?? true) && (
      <KeptOffer onRestore={() => restore(kept)} onForget={forget} />
    ),
    restored,
    type: (values) => {
      typed.current = values
    },
    forget,
  }
}

type Kept = {
  /** Stands above the form; null for nothing to offer. */
  offer: ReactNode
  /** Takes the place of what the form began with, once the person asked for it. */
  restored: KeptText | null
  /** Takes what is typed and not stored, null for nothing: this is what is kept when the session ends. */
  type: (values: KeptText | null) => void
  /** For what is sent instead. */
  forget: () => void
}

/** The values that differ from those the form began with; null for none. */
export const changedValues = (values: KeptText, begun: KeptText): KeptText | null => {
  const changed = Object.entries(values).filter(
    ([field, value]) =>
      value !== undefined && value !== '' && JSON.stringify(value) !== JSON.stringify(begun[field]),
  )
  return changed.length > 0 ? Object.fromEntries(changed) : null
}
