import { Spinner } from '@blueprintjs/core'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import type { Draft } from '../../../../machines/modal.machine.ts'
import type { EntityFormProps } from '../../../forms/EntityForm.tsx'
import { loadable } from '../../../parts/loadable.tsx'
import { DraftOffer } from '../../../parts/unsaved/useDraft.tsx'
import { deleteRecordDraft, storeRecordDraft, readRecordDraft } from './drafts.ts'
import { givenValues } from './givenValues.ts'

export const loadingSpinner = <Spinner className="dialog-loading" aria-label="Loading" />
const EntityForm = loadable(
  async () => (await import('../../../forms/EntityForm.tsx')).EntityForm,
  loadingSpinner,
)
/** Fetches the form while its record is still being read. */
export const preloadForm = () => void EntityForm.preload()

type Props = EntityFormProps & {
  /**
   * Answers, when the form is removed, whether it has changes to store as a draft: some that were not
   * discarded.
   */
  isUnsaved: () => boolean
}

/** The form of one record, which offers to restore what was typed before the session ended (lists 12). */
export const RestorableForm = ({ isUnsaved, ...props }: Props) => {
  const { entity, viewer, row } = props
  const [form] = useState({ username: viewer.username, entity, row })
  const { search } = useLocation()
  const [given] = useState(() => (row ? undefined : givenValues(entity, viewer, search)))
  const [draft, setDraft] = useState(() => readRecordDraft(form))
  const [restored, setRestored] = useState<Draft>()
  const currentValues = useRef<Draft | null>(null)
  const latest = useRef({ isUnsaved, busy: props.busy })
  useEffect(() => {
    latest.current = { isUnsaved, busy: props.busy }
  })
  useEffect(
    () => () => {
      const { isUnsaved: hasChanges, busy } = latest.current
      if (hasChanges()) {
        if (currentValues.current) storeRecordDraft(form, currentValues.current)
        // Removed while it is busy and without changes: it was stored, or its record deleted.
      } else if (busy) deleteRecordDraft(form)
    },
    [form],
  )
  const closeOffer = (values?: Draft) => {
    deleteRecordDraft(form)
    setDraft(null)
    setRestored(values)
  }
  return (
    <>
      {draft && <DraftOffer onRestore={() => closeOffer(draft)} onForget={() => closeOffer()} />}
      <EntityForm
        {...{ ...props, given }}
        key={restored ? 'restored' : 'fresh'}
        restoredValues={restored}
        onValues={(values) => {
          currentValues.current = values
        }}
      />
    </>
  )
}
