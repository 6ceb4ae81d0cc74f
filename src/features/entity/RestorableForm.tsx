import { Button, Callout, Spinner } from '@blueprintjs/core'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { Draft } from '../../../machines/modal.machine.ts'
import type { EntityFormProps } from '../../forms/EntityForm.tsx'
import { forgetDraft, keepDraft, readDraft } from './drafts.ts'

const load = () => import('../../forms/EntityForm.tsx')
const EntityForm = lazy(async () => ({ default: (await load()).EntityForm }))
/** Fetches the form while its record is still being read. */
export const preloadForm = () => void load()
export const loadingSpinner = <Spinner className="dialog-loading" aria-label="Loading" />

type Props = EntityFormProps & {
  /** Asked when the form goes away: are there changes that nobody gave up? Then they are kept for later. */
  isUnsaved: () => boolean
}

/** The form of one record, which gives back what was typed before the session ended. */
export const RestorableForm = ({ isUnsaved, ...props }: Props) => {
  const { entity, viewer, row } = props
  const [form] = useState({ username: viewer.username, entity, row })
  const [kept, setKept] = useState(() => readDraft(form))
  const [typed, setTyped] = useState<Draft>()
  const now = useRef<Draft | null>(null)
  const leaving = useRef(isUnsaved)
  useEffect(() => {
    leaving.current = isUnsaved
  })
  useEffect(() => () => void (leaving.current() && now.current && keepDraft(form, now.current)), [form])
  const settle = (values: Draft | undefined) => {
    forgetDraft(form)
    setKept(null)
    setTyped(values)
  }
  return (
    <>
      {kept && (
        <Callout compact intent="primary" className="kept-draft">
          <span>Restore what you typed?</span>
          <Button size="small" intent="primary" text="Restore" onClick={() => settle(kept)} />
          <Button size="small" text="Forget it" onClick={() => settle(undefined)} />
        </Callout>
      )}
      <Suspense fallback={loadingSpinner}>
        <EntityForm
          {...props}
          key={typed ? 'restored' : 'fresh'}
          restoredValues={typed}
          onValues={(values) => {
            now.current = values
          }}
        />
      </Suspense>
    </>
  )
}
